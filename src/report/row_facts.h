// RowFacts: one row with everything that is known about it, and the lines that report and drafts both say
// about it: what upstream says, what was seen here, why the bucket. Lines come out as Markdown.
#pragma once
#include <string>
#include <vector>

#include "report/report.h"

namespace xpu_align {

// Pointers into a ReportInput; null when the run directory has no such file.
struct RowFacts {
  const LedgerRow& row;
  const Details* details = nullptr;
  const Composition* composition = nullptr;
  const Evidence* evidence = nullptr;
  const std::string* script = nullptr;
};
RowFacts FactsOf(const ReportInput& input, const LedgerRow& row);

// The attempt whose log is artifacts/output_<id>.log: it decides. Null when nothing ran.
const Attempt* DecidingAttempt(const RowFacts& facts);

// "exit status 1", "killed by SIGSEGV", "timed out".
std::string OutcomeWords(const Outcome& outcome);
// "target: exit status 1 (2 attempts); cpu: exit status 0 (1 attempt)"; empty when nothing ran.
std::string ArmWords(const RowFacts& facts);
// What the item says happens, with its source.
std::string UpstreamWords(const RowFacts& facts);
// What happened here, in one line: outcome, or why nothing ran.
std::string LocalWords(const RowFacts& facts);
// "<text> (rule `<id>`)"; "not recorded" without a rule.
std::string ReasonWords(const Reason& reason);
// "fix `<commit>` is not in the build".
std::string FixWords(const LedgerRow& row);

// Findings in reading order: needs-xpu-fix, then worse than the reference, then confirmed before related.
std::vector<const LedgerRow*> Findings(const ReportInput& input);
bool IsWorseThanReference(const LedgerRow& row);
// The only backend whose runs are evidence for this report's readers.
bool GivesXpuEvidence(const TargetProfile& target);
// Why drafts of this run can not be filed; empty when they can.
std::string FilingObstacle(const ReportInput& input);

}  // namespace xpu_align
