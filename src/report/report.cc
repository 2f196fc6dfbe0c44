#include "report/report.h"

#include "report/markdown.h"
#include "report/sections.h"

namespace xpu_align {

std::string RenderReport(const ReportInput& input) {
  std::string out = TitleSection(input);
  for (const std::string& section : {WhatToLookAt(input), Results(input), OperatorGaps(input), StaticFindings(input), NotTested(input),
                                     input.audit_findings.empty() ? FinalSummary(input) : ProgressCheckpoint(input)})
    if (!section.empty()) out += "\n" + section;
  return out;
}

std::string RenderPrecheck(const ReportInput& input) {
  std::vector<std::vector<std::string>> lines;
  for (const LedgerRow& row : input.rows) {
    const auto composition = input.compositions.find(row.id);
    if (composition == input.compositions.end() || !composition->second.refusal) continue;
    lines.push_back({row.id.Text(), CodeSpan(row.bucket ? Name(*row.bucket) : "pending"),
                     CodeSpan(Name(*composition->second.refusal)), Prose(composition->second.refusal_text)});
  }
  std::string out =
      "# Precheck refusals " + FormatDate(input.window.start) + " to " + FormatDate(input.window.end) + "\n\n";
  if (lines.empty()) return out + "No script was refused.\n";
  return out + "These scripts were written but not run; the bucket follows from the rule.\n\n" +
         Table({"candidate", "bucket", "rule", "reason"}, lines);
}

}  // namespace xpu_align
