// Any first line as title and any rest as body: the script is Python and UTF-8, its header is comments only and
// begins with two lines of ours; a refused script has no CPU arm; the record survives its file; same input, same
// bytes.
#include "compose/composer.h"
#include "compose/python_tree.h"
#include "fuzz/properties.h"

namespace xpu_align {
namespace {

constexpr std::string_view kUnparsed = "# ---- upstream text, which does not parse as Python\n";

// Up to the first line that is no comment.
std::string_view HeaderOf(std::string_view script) {
  size_t end = 0;
  while (script.substr(end).starts_with('#')) end = std::min(script.find('\n', end), script.size() - 1) + 1;
  return script.substr(0, end);
}

void CheckScript(const std::string& script, const CandidateId& id) {
  CHECK(IsValidUtf8(script) && script.ends_with('\n'));
  CHECK(script.find('\0') == std::string::npos);
  CHECK(PythonTree::Parse(script).WellFormed());
  CHECK(script.starts_with("# Reproducer of " + id.Text() + " for the target '"));
  const std::string_view header = HeaderOf(script);
  CHECK(header.contains("# Title: ") && header.contains("# Strategy: ") && header.contains("# Expected failure: "));
  CHECK(header.find_first_of("\r\f\v\0") == std::string_view::npos);
  const std::string_view after = std::string_view(script).substr(header.size());
  // Ours comes next; upstream's `from __future__` imports are the one thing that Python wants before it.
  CHECK(after.starts_with("import atexit as _xa_atexit") || after.starts_with("from __future__ import") ||
        (header.contains(kUnparsed) && after == "print(\"RESULT: blocked-script-error\")\n"));
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  static const RuleSet& rules = RulesOf("xpu");
  static const Composer composer = std::move(*Composer::Make(rules.target, rules.cpu, rules.precheck));
  const HeadAndRest input = Divided(TextOf(data, size));
  Details details{.id = CandidateId::OfIssue(7), .title = UntrustedText(input.head), .url = "https://github.com/a/b/issues/7"};
  details.body = UntrustedText(input.rest);
  const ComposedScript composed = composer.Compose(details);
  CheckScript(composed.script, details.id);
  if (!composed.reference_script.empty()) CheckScript(composed.reference_script, details.id);
  const Composition& record = composed.record;
  CHECK(composed.reference_script.empty() == record.reference_script_sha256.empty());
  if (record.refusal) CHECK(composed.reference_script.empty() && IsOneLine(record.refusal_text) && !record.refusal_text.empty());
  for (const std::string& note : record.notes) CHECK(IsOneLine(note));
  const auto read = CompositionFromJson(ToJson(record));
  CHECK(read && ToJson(*read) == ToJson(record));
  CHECK(composer.Compose(details).script == composed.script);
  return 0;
}
