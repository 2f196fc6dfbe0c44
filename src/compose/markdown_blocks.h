// Code blocks of a Markdown text as GitHub renders it: fences of any length and language, indented code,
// the content of <details>. Inline code is no block. Lines count in the text that was given. Called by
// script_choice.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace xpu_align {

struct MarkdownBlock {
  std::string language;  // first word of the info string, lower case; empty for none
  std::string code;      // without the fence and without the indentation of its container
  int first_line = 0, last_line = 0;  // of the code, 1-based, inclusive
  std::string heading;   // text of the nearest heading above
  std::string lead;      // last paragraph before the block, after the previous block and the heading
};

// LF line ends, one line for each line of `text`.
std::string WithUnixLines(std::string_view text);

// `text` has Unix lines.
std::vector<MarkdownBlock> MarkdownBlocksOf(const std::string& text);

}  // namespace xpu_align
