// A fenced block for the body of an issue. Bots read raw lines, fence or not: every line is set back by one
// column, which Markdown takes away again, and a line that is a command even so gets a visible mark.
#pragma once
#include <string>
#include <string_view>

#include "report/markdown.h"

namespace xpu_align {

// Output, logs, versions: marked and cut as needed.
std::string QuotedBlock(const UntrustedText& text, std::string_view info, size_t max_bytes, Keep keep);

// Code that people will copy: whole and unchanged, or empty when that is not possible.
std::string VerbatimBlock(const std::string& code, std::string_view info, size_t max_bytes);

}  // namespace xpu_align
