// Any Markdown as the report: the auditor's reader never sees more result lines than the text has, an entry has a number
// and an id, buckets are words; inside a fence that the text can not close, and inside a quote, there is nothing to read.
#include "audit/records.h"
#include "audit/report_structure.h"
#include "compose/repairs.h"
#include "fuzz/properties.h"
#include "text/untrusted_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string text(TextOf(data, size));
  const auto lines = SplitLines(text);
  const size_t result_like = static_cast<size_t>(std::ranges::count_if(
      lines, [](const std::string& line) { return line.starts_with("Local XPU result: `"); }));
  const ReportStructure report = ReadReport(text);
  size_t buckets = 0;
  for (const ReportEntry& entry : report.entries) {
    CHECK(entry.number >= 0 && entry.id.contains('-'));
    buckets += entry.buckets.size();
    for (const std::string& bucket : entry.buckets) CHECK(!bucket.empty() && IsOneLine(bucket));
  }
  CHECK(buckets <= result_like);

  const std::string fence = FenceFor(text);
  std::string quoted = "# Report\n\n## Results\n\n";
  const std::string fenced = quoted + fence + "\n" + text + "\n" + fence + "\n";
  for (const std::string& line : lines) quoted += "> " + line + "\n";
  for (const std::string& whole : {fenced, quoted}) {
    const ReportStructure inert = ReadReport(whole);
    CHECK(inert.entries.empty() && inert.result_lines_outside == 0 && inert.summary.empty());
    CHECK(!inert.has_final_summary && !inert.has_checkpoint);
    CHECK(CountDrafts(whole) == 0);
  }
  return 0;
}
