// Any Markdown as the body of a report: blocks lie inside the text and hold as many lines as they say; a repair
// keeps one line for each line that it keeps, and what it gives parses; so does the chosen script, whose spans lie inside
// the body.
#include "compose/markdown_blocks.h"
#include "compose/python_tree.h"
#include "compose/repairs.h"
#include "compose/script_choice.h"
#include "fuzz/properties.h"

namespace xpu_align {
namespace {

void CheckBlock(const MarkdownBlock& block, int lines_of_text) {
  CHECK(1 <= block.first_line && block.first_line <= block.last_line && block.last_line <= lines_of_text);
  CHECK(Lines(block.code) == block.last_line - block.first_line + 1);
  CHECK(block.language.find_first_of(" \t\n") == std::string::npos);
  const auto repaired = ParseableForm(block.code);
  if (!repaired) return;
  CHECK(PythonTree::Parse(repaired->code).WellFormed());
  CHECK(Lines(repaired->code) <= Lines(block.code));
  if (repaired->repairs.empty()) CHECK(repaired->code == block.code);
  for (const Repair& repair : repaired->repairs) CHECK(1 <= repair.line && repair.line <= Lines(block.code));
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string text = WithUnixLines(TextOf(data, size));
  CHECK(text.find('\r') == std::string::npos);
  const int lines = static_cast<int>(SplitLines(text).size());
  for (const MarkdownBlock& block : MarkdownBlocksOf(text)) CheckBlock(block, lines);

  const Details details{.id = CandidateId::OfIssue(7), .body = UntrustedText(std::string(TextOf(data, size)))};
  const auto script = ChooseScript(details);
  if (!script) return 0;
  if (script->parses) CHECK(PythonTree::Parse(script->code).WellFormed());
  CHECK(!script->spans.empty());
  for (const SourceSpan& span : script->spans) {
    CHECK(span.part == "body" && 1 <= span.first_line && span.first_line <= span.last_line && span.last_line <= lines);
    CHECK(span.sha256 == SpanOf("body", text, span.first_line, span.last_line).sha256);
  }
  return 0;
}
