#include <algorithm>
#include <set>

#include "audit/checks.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

void Add(AuditFindings* findings, std::string check, const std::string& text) {
  findings->push_back({std::move(check), UntrustedText(text).ForLogLine(400)});
}

std::string Named(const ReportEntry& entry) { return "entry " + std::to_string(entry.number) + " (" + entry.id + ")"; }

void CheckResultLines(const AuditedRow& row, const ReportEntry& entry, AuditFindings* findings) {
  if (entry.buckets.size() != 1 || entry.inexact_result_lines > 0) {
    Add(findings, "result-lines",
        Named(entry) + " has " + std::to_string(entry.buckets.size()) + " exact and " +
            std::to_string(entry.inexact_result_lines) + " other result lines instead of one");
  } else if (entry.buckets[0] != row.bucket) {
    Add(findings, "result-lines", Named(entry) + " says " + entry.buckets[0] + ", the ledger says " + row.bucket);
  }
}

void CheckCitations(const AuditedRun& run, const ReportEntry& entry, AuditFindings* findings) {
  const auto* files = run.manifest["files"].AsObject();
  for (const std::string& path : entry.cited) {
    if (!ReadInside(run, path)) {
      Add(findings, "citations", Named(entry) + " cites " + path + ", which is no readable file");
    } else if (files && !files->contains(path)) {
      Add(findings, "citations", Named(entry) + " cites " + path + ", which the manifest does not have");
    }
  }
}

void CheckEntries(const AuditedRun& run, const ReportStructure& report, AuditFindings* findings) {
  std::vector<const AuditedRow*> done;
  for (const AuditedRow& row : run.rows) {
    const bool listed = std::ranges::find(report.entries, row.id, &ReportEntry::id) != report.entries.end();
    if (row.Rejected() && listed) Add(findings, "rejected-listed", row.id + " is rejected and has an entry");
    if (row.Done() && !row.Rejected()) done.push_back(&row);
  }
  if (done.size() != report.entries.size())
    Add(findings, "counts",
        "the report has " + std::to_string(report.entries.size()) + " entries, the ledger has " +
            std::to_string(done.size()) + " done rows");
  for (size_t i = 0; i < report.entries.size(); ++i) {
    const ReportEntry& entry = report.entries[i];
    if (entry.number != static_cast<int>(i) + 1)
      Add(findings, "counts", Named(entry) + " should have number " + std::to_string(i + 1));
    if (i < done.size() && entry.id != done[i]->id)
      Add(findings, "counts", Named(entry) + " stands where the ledger has " + done[i]->id);
    const auto row = std::ranges::find(done, entry.id, [](const AuditedRow* r) { return r->id; });
    if (row != done.end()) CheckResultLines(**row, entry, findings);
    CheckCitations(run, entry, findings);
  }
  if (report.unreadable_headings > 0)
    Add(findings, "counts",
        std::to_string(report.unreadable_headings) + " headings under Results have no number and id");
  if (report.result_lines_outside > 0)
    Add(findings, "result-lines",
        std::to_string(report.result_lines_outside) + " result lines stand outside of an entry");
}

void CheckSummary(const AuditedRun& run, const ReportStructure& report, AuditFindings* findings) {
  if (!report.has_final_summary || report.has_checkpoint)
    return Add(findings, "summary", "the report is a progress checkpoint; run the report stage again");
  std::map<std::string, size_t> expected = {{"filter: collected", run.rows.size()}};
  for (const char* bucket : {"confirmed", "related-failure", "not-reproduced", "blocked-env", "blocked-platform",
                             "blocked-fetch", "blocked-script-error", "needs-performance-harness"})
    expected[bucket] = 0;
  size_t title_rejected = 0, deep_rejected = 0, passed = 0;
  for (const AuditedRow& row : run.rows) {
    if (row.title_status == "reject") {
      ++title_rejected;
    } else if (row.deep_status == "reject") {
      ++deep_rejected;
    } else if (row.deep_status == "pass") {
      ++passed;
    }
    if (row.Done() && expected.contains(row.bucket)) ++expected[row.bucket];
  }
  expected["title-rejected"] = title_rejected;
  expected["deep-rejected"] = deep_rejected;
  expected["passed-to-repro"] = passed;
  for (const auto& [name, count] : expected) {
    const auto said = report.summary.find(name);
    if (said == report.summary.end() || said->second != std::to_string(count))
      Add(findings, "summary",
          "the final summary says " + name + " " + (said == report.summary.end() ? "nothing" : said->second) +
              ", the ledger says " + std::to_string(count));
  }
}

}  // namespace

void CheckSourceIsSaid(const AuditedRun& run, const ReportStructure& report, AuditFindings* findings) {
  const std::string source = run.manifest.StringOr("source", "live");
  if (source == "live") return;
  if (source != "demo" && source != "replayed")
    return Add(findings, "source", "the manifest says that the run is " + source + ", which is no source");
  if (!report.title.ends_with("(" + source + ")"))
    Add(findings, "source", "the run is " + source + " and the title of the report does not say so");
  const auto drafts = ReadInside(run, "reports/issue_drafts.md");
  if (drafts && CountDrafts(*drafts) > 0 && !drafts->starts_with("These drafts can not be filed: "))
    Add(findings, "source", "the run is " + source + " and the drafts do not say that they can not be filed");
}

void CheckReport(const AuditedRun& run, const ReportStructure& report, AuditFindings* findings) {
  if (TargetOf(run) == "cpu" && report.second_line != "Target: cpu. No XPU evidence in this report.")
    Add(findings, "target-line", "the target is the CPU and the line under the title does not say so");
  CheckEntries(run, report, findings);
  CheckSummary(run, report, findings);
}

}  // namespace xpu_align
