// Pieces of Markdown from values: prose, code spans, fences, links, tables. Everything that could hold
// upstream text goes through an exit of UntrustedText here. Used by every renderer of src/report.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "text/untrusted_text.h"

namespace xpu_align {

// One inert line. Reasons and settings are std::string but may quote upstream text, so they are escaped, too.
std::string Prose(const UntrustedText& text, size_t max_chars = 300);
std::string Prose(std::string_view text, size_t max_chars = 300);

// `text` as an inline code span; backticks become apostrophes, at most 200 characters. Empty: "unknown".
std::string CodeSpan(std::string_view text);

// An https://github.com/ address as it is; anything else as prose, so that it is no link.
std::string WebLink(std::string_view url);

// Which end of a long text decides.
enum class Keep { kHead, kTail };

struct FenceStyle {
  std::string_view info;      // language
  size_t max_bytes = 20'000;  // of the whole block
  Keep keep = Keep::kHead;
  std::string_view indent;  // in front of every line: "  " inside a list item
};

// A fenced block that its content can not leave; what is cut is said inside it. Ends with a newline.
std::string Fence(const UntrustedText& text, const FenceStyle& style);

// The last `count` lines that are not blank.
UntrustedText LastLines(const UntrustedText& text, size_t count);

// Cells must be Markdown already. Ends with a newline.
std::string Table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

std::string Joined(const std::vector<std::string>& parts, std::string_view separator = ", ");
// "1 attempt", "2 attempts".
std::string Counted(size_t count, std::string_view noun);

}  // namespace xpu_align
