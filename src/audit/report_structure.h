// What reports/full_scan.md says, read by its Markdown block structure (cmark-gfm), never by searching text: a
// result line inside quoted code, a list or a block quote is no result. The only user of cmark-gfm in this folder.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xpu_align {

struct ReportEntry {
  int number = 0;
  std::string id;
  std::vector<std::string> buckets;  // of its exact result lines
  std::vector<std::string> cited;    // paths behind "Script:" and "Log:"
  int inexact_result_lines = 0;      // paragraphs that start like a result line and are none
};

struct ReportStructure {
  std::string title, second_line;    // the first two lines
  std::vector<ReportEntry> entries;  // under "Results", in order
  int unreadable_headings = 0;       // level 3 under "Results" without number and id
  int result_lines_outside = 0;      // of any entry
  bool has_final_summary = false, has_checkpoint = false;
  std::map<std::string, std::string> summary;  // first cell -> second cell, and the filter table's header -> value
};

ReportStructure ReadReport(std::string_view markdown);
// The number of top-level headings "## Issue <n>".
size_t CountDrafts(std::string_view markdown);

}  // namespace xpu_align
