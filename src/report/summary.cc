// The step summary: the front page with the counts, short enough that GitHub never drops it whole.
#include "digest/sha256.h"
#include "report/drafts.h"
#include "report/markdown.h"
#include "report/row_facts.h"
#include "report/sections.h"
#include "report/tally.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxBytes = 900 * 1024;
constexpr size_t kShownFindings = 100;

std::string FindingsTable(const ReportInput& input) {
  std::vector<std::vector<std::string>> lines;
  const std::vector<const LedgerRow*> findings = Findings(input);
  for (const LedgerRow* row : findings) {
    if (lines.size() == kShownFindings) break;
    lines.push_back({WebLink(row->url), std::string(Name(*row->bucket)),
                     row->verdict ? std::string(Name(*row->verdict)) : "none", Prose(row->title, 120)});
  }
  if (lines.empty()) return {};
  std::string out = "\n### Findings\n\n" + Table({"upstream", "bucket", "verdict", "title"}, lines);
  if (findings.size() > lines.size())
    out += "\nand " + std::to_string(findings.size() - lines.size()) + " more in the report\n";
  return out;
}

}  // namespace

std::string RenderSummary(const ReportInput& input) {
  std::string out = TitleSection(input) + "\n" + WhatToLookAt(input) + FindingsTable(input) + "\n";
  out += input.audit_findings.empty() ? FinalSummary(input) : ProgressCheckpoint(input);
  out += "\nTo review: download the artifact, read `reports/issue_drafts.md` (SHA-256 `" +
         Sha256Hex(RenderDrafts(input)) + "`).\n";
  if (out.size() <= kMaxBytes) return out;
  // Many sources or reasons could make it long: whole lines are left out, the end is kept in the report.
  const std::string note = "\nThis summary was cut; the report has everything.\n";
  out.resize(kMaxBytes - note.size());
  return out.substr(0, out.rfind('\n') + 1) + note;
}

}  // namespace xpu_align
