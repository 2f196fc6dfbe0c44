#include "audit/report_structure.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "text/error.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
using Document = std::unique_ptr<cmark_node, FreeNode>;

Document Parse(std::string_view markdown) {
  cmark_gfm_core_extensions_ensure_registered();
  cmark_parser* parser = cmark_parser_new(CMARK_OPT_DEFAULT);
  cmark_syntax_extension* table = cmark_find_syntax_extension("table");
  CHECK(table != nullptr);
  cmark_parser_attach_syntax_extension(parser, table);
  cmark_parser_feed(parser, markdown.data(), markdown.size());
  Document document(cmark_parser_finish(parser));
  cmark_parser_free(parser);
  return document;
}

std::vector<std::string_view> SourceLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
  }
  return lines;
}

// Text and code of `node` and everything inside it, without markup. Iterative: nesting may be hostile.
std::string PlainText(cmark_node* node) {
  std::string out;
  cmark_iter* walk = cmark_iter_new(node);
  while (cmark_iter_next(walk) != CMARK_EVENT_DONE)
    if (const char* literal = cmark_node_get_literal(cmark_iter_get_node(walk))) out += literal;
  cmark_iter_free(walk);
  return out;
}

// Paths in items of a top-level list of an entry: "Script: `path`".
void ReadCitations(cmark_node* list, ReportEntry* entry) {
  for (cmark_node* item = cmark_node_first_child(list); item; item = cmark_node_next(item)) {
    cmark_node* paragraph = cmark_node_first_child(item);
    cmark_node* label = paragraph ? cmark_node_first_child(paragraph) : nullptr;
    cmark_node* path = label ? cmark_node_next(label) : nullptr;
    if (!path || cmark_node_get_type(path) != CMARK_NODE_CODE) continue;
    const std::string words = PlainText(label);
    if (words == "Script: " || words == "Log: ") entry->cited.push_back(PlainText(path));
  }
}

// Two cells a line; of the filter table the cells below the header, under the header's names.
void ReadTable(cmark_node* table, std::map<std::string, std::string>* summary) {
  std::vector<std::vector<std::string>> rows;
  for (cmark_node* row = cmark_node_first_child(table); row; row = cmark_node_next(row)) {
    rows.emplace_back();
    for (cmark_node* cell = cmark_node_first_child(row); cell; cell = cmark_node_next(cell))
      rows.back().push_back(PlainText(cell));
  }
  if (rows.size() == 2 && rows[0].size() == rows[1].size() && rows[0].size() > 2)
    for (size_t i = 0; i < rows[0].size(); ++i) summary->insert_or_assign(rows[0][i], rows[1][i]);
  for (const auto& row : rows)
    if (row.size() == 2) summary->insert_or_assign(row[0], row[1]);
}

class Reader {
 public:
  explicit Reader(std::string_view markdown) : lines_(SourceLines(markdown)) {
    if (!lines_.empty()) out_.title = lines_[0];
    if (lines_.size() > 1) out_.second_line = lines_[1];
    const Document document = Parse(markdown);
    for (cmark_node* node = cmark_node_first_child(document.get()); node; node = cmark_node_next(node)) Block(node);
  }
  ReportStructure Take() { return std::move(out_); }

 private:
  std::string_view LineOf(cmark_node* node) const {
    const auto line = static_cast<size_t>(cmark_node_get_start_line(node));
    return line >= 1 && line <= lines_.size() ? lines_[line - 1] : std::string_view();
  }

  void Block(cmark_node* node) {
    if (cmark_node_get_type(node) == CMARK_NODE_HEADING) {
      Heading(node);
    } else if (cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH) {
      Paragraph(node);
    } else if (cmark_node_get_type(node) == CMARK_NODE_LIST && entry_) {
      ReadCitations(node, &out_.entries.back());
    } else if (section_ == "Final Summary" && std::string_view(cmark_node_get_type_string(node)) == "table") {
      ReadTable(node, &out_.summary);
    }
  }

  void Heading(cmark_node* node) {
    const int level = cmark_node_get_heading_level(node);
    if (level <= 2) {
      section_ = level == 2 ? PlainText(node) : "";
      entry_ = false;
      out_.has_final_summary |= section_ == "Final Summary";
      out_.has_checkpoint |= section_ == "Progress checkpoint";
    } else if (level == 3 && section_ == "Results") {
      static const Pattern numbered = Pattern::Constant(R"(^### ([0-9]{1,6})\. ([a-z]+-[0-9a-f]+): )");
      const std::string line = std::string(LineOf(node)) + " ";  // an empty title leaves no blank
      const auto match = numbered.Find(line);
      entry_ = match.has_value();
      if (!match) {
        ++out_.unreadable_headings;
        return;
      }
      ReportEntry& entry = out_.entries.emplace_back();
      std::from_chars(match->groups[1].data(), match->groups[1].data() + match->groups[1].size(), entry.number);
      entry.id = match->groups[2];
    }
  }

  void Paragraph(cmark_node* node) {
    constexpr std::string_view kStart = "Local XPU result";
    if (!PlainText(node).starts_with(kStart)) return;
    if (!entry_) {
      ++out_.result_lines_outside;
      return;
    }
    static const Pattern exact = Pattern::Constant("^Local XPU result: `([a-z-]+)`$");
    const auto match = exact.Find(LineOf(node));
    if (!match || cmark_node_get_start_line(node) != cmark_node_get_end_line(node)) {
      ++out_.entries.back().inexact_result_lines;
    } else {
      out_.entries.back().buckets.emplace_back(match->groups[1]);
    }
  }

  std::vector<std::string_view> lines_;
  std::string section_;
  bool entry_ = false;  // inside a numbered entry
  ReportStructure out_;
};

}  // namespace

ReportStructure ReadReport(std::string_view markdown) { return Reader(markdown).Take(); }

size_t CountDrafts(std::string_view markdown) {
  static const Pattern issue = Pattern::Constant(R"(^Issue [0-9]+$)");
  size_t count = 0;
  const Document document = Parse(markdown);
  for (cmark_node* node = cmark_node_first_child(document.get()); node; node = cmark_node_next(node))
    if (cmark_node_get_type(node) == CMARK_NODE_HEADING && cmark_node_get_heading_level(node) == 2 &&
        issue.FoundIn(PlainText(node)))
      ++count;
  return count;
}

}  // namespace xpu_align
