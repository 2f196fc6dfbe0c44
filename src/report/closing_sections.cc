// What follows the results: operator gaps, what was not tested, and either the final summary or the checkpoint.
#include <algorithm>
#include <map>
#include <set>

#include "report/markdown.h"
#include "report/row_facts.h"
#include "report/sections.h"
#include "report/tally.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kSample = 3;
constexpr size_t kListed = 50;

std::string Ids(const std::vector<const LedgerRow*>& rows, size_t shown) {
  std::vector<std::string> ids;
  for (const LedgerRow* row : rows)
    if (ids.size() < shown) ids.push_back(row->id.Text());
  return Joined(ids);
}

// Operators that a done row shows to have no kernel on the target, or to run on the CPU for it.
std::map<std::pair<std::string, std::string>, std::vector<const LedgerRow*>> Gaps(const ReportInput& input) {
  static const Pattern operator_name = Pattern::Constant(R"(\b(aten|prims|quantized)::[A-Za-z0-9_.]+)");
  std::map<std::pair<std::string, std::string>, std::vector<const LedgerRow*>> gaps;
  for (const LedgerRow& row : input.rows) {
    const RowFacts facts = FactsOf(input, row);
    if (row.local_status != LocalStatus::kDone || !facts.evidence) continue;
    std::set<std::pair<std::string, std::string>> of_row;
    for (const Attempt& attempt : facts.evidence->attempts) {
      if (attempt.arm != Arm::kTarget) continue;
      for (const std::string& name : attempt.report.fallback_operators) of_row.insert({name, "runs on the CPU"});
      if (row.bucket != Bucket::kBlockedPlatform || !attempt.report.exception) continue;
      if (const auto match = operator_name.Find(attempt.report.exception->message.ForMatching()))
        of_row.insert({std::string(match->groups[0]), "no kernel"});
    }
    for (const auto& gap : of_row) gaps[gap].push_back(&row);
  }
  return gaps;
}

std::vector<const LedgerRow*> RowsWith(const ReportInput& input, Bucket bucket) {
  std::vector<const LedgerRow*> rows;
  for (const LedgerRow& row : input.rows)
    if (row.bucket == bucket) rows.push_back(&row);
  return rows;
}

}  // namespace

std::string OperatorGaps(const ReportInput& input) {
  std::vector<std::vector<std::string>> lines;
  for (const auto& [gap, rows] : Gaps(input))
    lines.push_back({CodeSpan(gap.first), gap.second, std::to_string(rows.size()), Ids(rows, kSample)});
  if (lines.empty()) return {};
  return "## Operator gaps\n\nNever counted as confirmed.\n\n" +
         Table({"operator", "on this target", "rows", "seen in"}, lines);
}

std::string NotTested(const ReportInput& input) {
  std::vector<std::vector<std::string>> lines;
  std::string scoped;
  for (const Rejected& rejected : RejectedByRule(input.rows)) {
    lines.push_back({CodeSpan(rejected.rule), std::to_string(rejected.rows.size()), Ids(rejected.rows, kSample)});
    if (rejected.rule != "already-xpu-scoped") continue;
    for (size_t i = 0; i < std::min(kListed, rejected.rows.size()); ++i)
      scoped += "- " + rejected.rows[i]->id.Text() + ": " + Prose(rejected.rows[i]->title, 160) + "\n";
    if (rejected.rows.size() > kListed) scoped += "- and " + std::to_string(rejected.rows.size() - kListed) + " more\n";
  }
  if (lines.empty()) return {};
  std::string out = "## Not tested\n\n" + Table({"reason", "count", "to spot-check"}, lines);
  if (const auto passed = RowsWith(input, Bucket::kNotReproduced); !passed.empty())
    out += "\nTested without a failure, to spot-check: " + Ids(passed, kSample) + "\n";
  if (!scoped.empty()) out += "\nAlready scoped to XPU upstream:\n\n" + scoped;
  return out;
}

std::string FinalSummary(const ReportInput& input) {
  const Tally tally = TallyOf(input.rows);
  const auto number = [](size_t count) { return std::to_string(count); };
  std::string out = "## Final Summary\n\n";
  out += Table({"filter: collected", "title-rejected", "deep-rejected", "passed-to-repro"},
               {{number(tally.collected), number(tally.title_rejected), number(tally.deep_rejected),
                 number(tally.passed_to_repro)}});
  std::vector<std::vector<std::string>> lines;
  for (const Bucket bucket : AllBuckets())
    lines.push_back({std::string(Name(bucket)), number(tally.buckets.contains(bucket) ? tally.buckets.at(bucket) : 0)});
  out += "\n" + Table({"validation", "count"}, lines);
  lines.clear();
  for (const auto& [verdict, count] : tally.verdicts) lines.push_back({std::string(Name(verdict)), number(count)});
  if (!lines.empty()) out += "\n" + Table({"verdicts", "count"}, lines);
  lines.clear();
  for (const auto& [repository, count] : tally.routes) lines.push_back({Prose(repository, 100), number(count)});
  if (!lines.empty()) out += "\n" + Table({"routing", "count"}, lines);
  return out;
}

std::string ProgressCheckpoint(const ReportInput& input) {
  std::string out = "## Progress checkpoint\n\nThe scan is not complete.\n";
  std::vector<const LedgerRow*> pending;
  for (const LedgerRow& row : input.rows)
    if (row.IsPendingActionable()) pending.push_back(&row);
  if (!pending.empty()) out += "\nPending rows (" + std::to_string(pending.size()) + "):\n\n";
  for (size_t i = 0; i < std::min(kListed, pending.size()); ++i) {
    out += "- " + pending[i]->id.Text() + ": " + Prose(pending[i]->title, 160);
    out += pending[i]->hold.empty() ? "\n" : " - on hold: " + Prose(pending[i]->hold) + "\n";
  }
  if (pending.size() > kListed) out += "- and " + std::to_string(pending.size() - kListed) + " more\n";
  out += "\nWhat the audit found:\n\n";
  for (size_t i = 0; i < std::min(kListed, input.audit_findings.size()); ++i)
    out += "- " + Prose(input.audit_findings[i], 500) + "\n";
  if (input.audit_findings.size() > kListed)
    out += "- and " + std::to_string(input.audit_findings.size() - kListed) + " more\n";
  if (!input.continue_command.empty())
    out += "\nTo continue:\n\n" + Fence(UntrustedText(input.continue_command), {.info = "sh"});
  return out;
}

}  // namespace xpu_align
