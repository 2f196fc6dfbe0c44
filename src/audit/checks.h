// The checks of the audit, one function each: it looks at one property and appends a finding for each place
// where it does not hold. Called by Audit() in this order.
#pragma once
#include <vector>

#include "audit/audit.h"
#include "audit/records.h"
#include "audit/report_structure.h"

namespace xpu_align {

using AuditFindings = std::vector<AuditFinding>;

// ids: raw_candidates.json and the ledger hold the same ids.
void CheckIds(const AuditedRun& run, AuditFindings* findings);
// states, pending-rows: legal states and buckets; no actionable row is pending.
void CheckStates(const AuditedRun& run, AuditFindings* findings);
// proof: every confirmed row was run twice with the same outcome, and ran on the device.
void CheckProof(const AuditedRun& run, AuditFindings* findings);
// hashes: every file of the manifest is there and unchanged.
void CheckHashes(const AuditedRun& run, AuditFindings* findings);
// source: a run that is not live says so in the title of its report and in its drafts.
void CheckSourceIsSaid(const AuditedRun& run, const ReportStructure& report, AuditFindings* findings);
// result-lines, counts, rejected-listed, citations, summary, target-line.
void CheckReport(const AuditedRun& run, const ReportStructure& report, AuditFindings* findings);

// cpu for a reference run; empty when the directory does not say.
std::string TargetOf(const AuditedRun& run);

}  // namespace xpu_align
