// Any report beside a small script: a traceback has a type that is a dotted name, frames with a line number and
// without the reporter's folders; what is quoted is one line; an oracle survives its file.
#include "compose/oracle.h"
#include "compose/traceback.h"
#include "fuzz/properties.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

void CheckException(const ReportedException& reported) {
  static const Pattern dotted = Pattern::Constant(R"(^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$)");
  CHECK(dotted.FoundIn(reported.type));
  CHECK(IsOneLine(reported.line));
  CHECK(Lines(reported.message) < 20);
  for (const Frame& frame : reported.frames) CHECK(frame.line >= 0 && !frame.file.starts_with("/") && IsOneLine(frame.file));
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  static const PythonTree script = PythonTree::Parse("import torch\nx_ref = torch.ones(2)\nx_out = torch.ones(2).cuda()\n");
  static const Names names = NamesOf(script);
  const std::string text(TextOf(data, size));
  if (const auto reported = LastTraceback(text)) CheckException(*reported);
  if (const auto reported = LoneException(text)) CheckException(*reported);
  const HeadAndRest input = Divided(text);
  Details details{.id = CandidateId::OfIssue(7), .title = UntrustedText(input.head)};
  details.body = UntrustedText(input.rest);
  const FoundOracle found = OracleOf(details, script, names);
  CHECK(found.oracle.text.ForMatching().find('\n') == std::string_view::npos);
  CHECK((found.oracle.kind == OracleKind::kNone) == found.oracle.source.empty());
  Composition record{.id = details.id};
  record.oracle = found.oracle;
  const auto read = CompositionFromJson(ToJson(record));
  CHECK(read && ToJson(*read) == ToJson(record));
  return 0;
}
