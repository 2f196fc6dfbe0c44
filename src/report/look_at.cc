// The front page: what a maintainer has to act on this morning, and one line for everything else.
#include <algorithm>

#include "report/markdown.h"
#include "report/row_facts.h"
#include "report/sections.h"
#include "report/tally.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kShownFixes = 5;
constexpr size_t kShownWorse = 3;

// A nightly's version holds its date: 2.15.0.dev20261129+xpu. Age counts to the end of the window, so it does
// not depend on the day the report is made.
std::string BuildWords(const ReportInput& input) {
  const std::string version = input.environment.StringOr("torch_version");
  if (version.empty()) return "unknown build";
  std::string words = "torch " + CodeSpan(version);
  static const Pattern nightly = Pattern::Constant(R"(\.dev(\d{4})(\d{2})(\d{2}))");
  const auto match = nightly.Find(version);
  if (!match) return words;
  const std::string day =
      std::string(match->groups[1]) + "-" + std::string(match->groups[2]) + "-" + std::string(match->groups[3]);
  const auto date = ParseDate(day);
  if (!date) return words;
  const int64_t days = (Window::Day(input.window.end).BeginSeconds() - Window::Day(*date).BeginSeconds()) / 86400;
  if (days < 0) return words + " (younger than the window)";
  return words + " (" + Counted(static_cast<size_t>(days), "day") + " older than the window's last day)";
}

std::string Item(const ReportInput& input, const LedgerRow& row) {
  const RowFacts facts = FactsOf(input, row);
  std::string out = "- " + row.id.Text() + ": " + Prose(row.title, 160) + "\n";
  out += "  - " + Prose(row.signature.text.empty() ? row.bucket_reason.text : row.signature.text) + "\n";
  if (const std::string arms = ArmWords(facts); !arms.empty()) out += "  - " + arms + "\n";
  out += "  - " + FixWords(row) + "\n";
  if (facts.script) out += "  - `python scripts/repro_" + row.id.Text() + ".py`\n";
  return out;
}

std::string Group(const ReportInput& input, const std::vector<const LedgerRow*>& rows, const std::string& heading,
                  size_t shown) {
  if (rows.empty()) return {};
  std::string out = "\n**" + heading + " (" + std::to_string(rows.size()) + ")**\n\n";
  for (size_t i = 0; i < std::min(shown, rows.size()); ++i) out += Item(input, *rows[i]);
  if (rows.size() > shown) out += "- and " + std::to_string(rows.size() - shown) + " more in the results\n";
  return out;
}

}  // namespace

std::string WhatToLookAt(const ReportInput& input) {
  std::vector<const LedgerRow*> fixes, worse;
  for (const LedgerRow* row : Findings(input)) {
    if (row->verdict == Verdict::kNeedsXpuFix) {
      fixes.push_back(row);
    } else if (IsWorseThanReference(*row)) {
      worse.push_back(row);
    }
  }
  const Tally tally = TallyOf(input.rows);
  std::string out = "## What to look at\n\n- Status: ";
  const auto is_whole = [](const Json& source) { return source.BoolOr("complete", false); };
  const bool partial = !std::ranges::all_of(input.collection.ArrayOf("sources"), is_whole);
  if (!input.audit_findings.empty()) {
    out += "incomplete, see the progress checkpoint";
  } else {
    out += partial ? "PARTIAL (a source is incomplete, see Completeness), audited" : "complete, audited";
  }
  out += "; " + BuildWords(input) + "\n";
  if (fixes.empty()) out += "- No finding needs an XPU fix.\n";
  out += "- Numbers: " + std::to_string(tally.collected) + " collected, " + std::to_string(tally.passed_to_repro) +
         " passed to a reproducer, " + std::to_string(tally.done) + " decided, " + Counted(tally.findings, "finding") +
         "\n";
  out += "- Not looked at: " + std::to_string(tally.title_rejected) + " by title, " +
         std::to_string(tally.deep_rejected) + " by content, " + std::to_string(tally.pending) + " pending\n";
  out += Group(input, fixes, "Needs an XPU fix", kShownFixes);
  out += Group(input, worse, "Worse than the reference", kShownWorse);
  return out;
}

}  // namespace xpu_align
