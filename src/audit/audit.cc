#include "audit/audit.h"

#include <algorithm>

#include "audit/checks.h"

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

}  // namespace

Result<std::vector<AuditFinding>> Audit(const std::filesystem::path& run_directory) {
  AuditFindings findings;
  TRY_ASSIGN(const AuditedRun run, ReadRun(run_directory, &findings));
  CheckIds(run, &findings);
  CheckStates(run, &findings);
  CheckProof(run, &findings);
  CheckHashes(run, &findings);
  if (const auto report = ReadInside(run, "reports/full_scan.md")) {
    CheckReport(run, ReadReport(*report), &findings);
  } else {
    findings.push_back({"counts", "reports/full_scan.md is missing"});
  }
  CheckDrafts(run, &findings);
  return findings;
}

}  // namespace xpu_align
