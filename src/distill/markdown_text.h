// Text of a repository in Markdown: only ever inside code spans, on one line, without control characters, with a fence
// that nothing inside can close. Used by every renderer of distill.
#pragma once
#include <string>
#include <string_view>

#include "distill/fact.h"

namespace xpu_align::distill {

// A code span; at most `max_chars` characters, "..." behind a cut. In a table cell `|` is escaped, too.
std::string CodeSpan(std::string_view text, size_t max_chars = 160);
std::string CodeCell(std::string_view text, size_t max_chars = 160);

// Markdown without its code spans, as CommonMark finds them: what is left is prose.
std::string WithoutCodeSpans(std::string_view markdown);

// repo:path:12-15, as a code span.
std::string PlaceSpan(const Citation& cite);

// What a fact says, in one line of Markdown.
std::string Statement(const Fact& fact);
std::string StatementCell(const Fact& fact);

}  // namespace xpu_align::distill
