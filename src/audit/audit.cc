#include "audit/audit.h"

#include <algorithm>

#include "audit/checks.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

// Every finding of the ledger has a draft, and there is no other.
void CheckDrafts(const AuditedRun& run, AuditFindings* findings) {
  const auto drafts = ReadInside(run, "reports/issue_drafts.md");
  if (!drafts) {
    findings->push_back({"drafts", "reports/issue_drafts.md is missing"});
    return;
  }
  const auto is_finding = [](const AuditedRow& row) {
    return row.Done() && (row.bucket == "confirmed" || row.bucket == "related-failure");
  };
  const auto expected = static_cast<size_t>(std::ranges::count_if(run.rows, is_finding));
  if (const size_t found = CountDrafts(*drafts); found != expected)
    findings->push_back({"drafts", "there are " + std::to_string(found) + " drafts for " + std::to_string(expected) +
                                       " confirmed and related-failure rows"});
}

// A scan is complete only when its sources were. A directory made by hand may have no collection.
void CheckSources(const AuditedRun& run, AuditFindings* findings) {
  const auto bytes = ReadInside(run, "artifacts/collection.json");
  if (!bytes) return;
  const auto collection = ParseJson(*bytes);
  if (!collection) {
    findings->push_back({"sources", "artifacts/collection.json is damaged: " + collection.error().message});
    return;
  }
  for (const Json& source : collection->ArrayOf("sources"))
    if (!source.BoolOr("complete", false))
      findings->push_back({"sources", UntrustedText(source.StringOr("name") + " is incomplete: " +
                                                    source.StringOr("reason", "no reason is recorded"))
                                          .ForLogLine(300)});
}

}  // namespace

Result<std::vector<AuditFinding>> Audit(const std::filesystem::path& run_directory) {
  AuditFindings findings;
  TRY_ASSIGN(const AuditedRun run, ReadRun(run_directory, &findings));
  CheckSources(run, &findings);
  CheckIds(run, &findings);
  CheckStates(run, &findings);
  CheckProof(run, &findings);
  CheckHashes(run, &findings);
  if (const auto report = ReadInside(run, "reports/full_scan.md")) {
    const ReportStructure structure = ReadReport(*report);
    CheckSourceIsSaid(run, structure, &findings);
    CheckReport(run, structure, &findings);
  } else {
    findings.push_back({"counts", "reports/full_scan.md is missing"});
  }
  CheckDrafts(run, &findings);
  return findings;
}

}  // namespace xpu_align
