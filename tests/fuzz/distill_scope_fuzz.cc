// Any text as a scope file: there is a scope or a reason with a place; each finding is one line; patterns that were
// taken stay inside the repository.
#include "distill/scope.h"
#include "fuzz/properties.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const distill::ParsedScope parsed = distill::ParseScope(text);
  CHECK(parsed.scope || !parsed.findings.empty());
  for (const distill::Finding& finding : parsed.findings) {
    CHECK(!finding.where.empty() && !finding.message.empty());
    CHECK(IsOneLine(distill::FindingLine(finding)));
  }
  if (const auto glob = distill::PathGlob::Parse(text.substr(0, text.find('\n')))) {
    CHECK(!glob->Matches("../x") && !glob->Matches("/x"));
    CHECK(!glob->IsLiteral() || glob->Matches(glob->Text()));
  }
  return 0;
}
