#include "compose/python_layout.h"

#include <algorithm>
#include <string_view>

namespace xpu_align {
namespace {

// Parts of a statement that begin a line of their own.
constexpr std::string_view kClauses[] = {"elif_clause",   "else_clause", "except_clause",       "except_group_clause",
                                         "finally_clause", "decorator",   "function_definition", "class_definition"};

// Between these a line break is no end: brackets, and strings, whose text is no leaf when it has escapes.
bool Opens(std::string_view type) { return type == "(" || type == "[" || type == "{" || type == "string_start"; }
bool Closes(std::string_view type) { return type == ")" || type == "]" || type == "}" || type == "string_end"; }

// What stands in front of the text after the last line break of `gap`; npos when it has no break that ends a line.
size_t IndentAfterBreak(std::string_view gap) {
  for (size_t at = gap.find('\n'); at != std::string_view::npos; at = gap.find('\n', at + 1)) {
    const std::string_view before = gap.substr(0, at > 0 && gap[at - 1] == '\r' ? at - 1 : at);
    if (before.ends_with('\\')) continue;
    const std::string_view last = gap.substr(gap.rfind('\n') + 1);
    return static_cast<size_t>(std::ranges::count_if(last, [](char c) { return c == ' ' || c == '\t'; }));
  }
  return std::string_view::npos;
}

}  // namespace

bool PythonLayout::MayBeginLine(TSNode leaf, const std::vector<TSNode>& ancestors, size_t indent) {
  const uint32_t begin = ts_node_start_byte(leaf);
  TSNode node = leaf;
  for (auto parent = ancestors.rbegin(); parent != ancestors.rend(); ++parent) {
    if (std::ranges::find(kClauses, std::string_view(ts_node_type(node))) != std::end(kClauses)) return true;
    const std::string_view type = ts_node_type(*parent);
    if (type == "module") return indent == 0;
    if (type == "block") return indents_.emplace(parent->id, indent).first->second == indent;
    if (ts_node_start_byte(*parent) != begin) return false;
    node = *parent;
  }
  return true;
}

void PythonLayout::Visit(TSNode leaf, const std::vector<TSNode>& ancestors) {
  const std::string_view type = ts_node_type(leaf);
  const size_t begin = ts_node_start_byte(leaf), end = ts_node_end_byte(leaf);
  if (begin == end || type == "comment" || type == "line_continuation") return;
  if (begin > end_of_last_ && end_of_last_ > 0 && open_ == 0) {
    const size_t indent = IndentAfterBreak(std::string_view(code_).substr(end_of_last_, begin - end_of_last_));
    if (indent != std::string_view::npos && !MayBeginLine(leaf, ancestors, indent)) good_ = false;
  }
  if (Opens(type)) ++open_;
  if (Closes(type)) --open_;
  end_of_last_ = end;
}

}  // namespace xpu_align
