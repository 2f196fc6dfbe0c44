// Any text as C++ and as Python: extraction ends, every fact cites lines that are there, survives JSON, has a kind that
// was asked for and an id of its own; the classes of the text lie inside it.
#include <set>

#include "distill/extract.h"
#include "distill/markdown_text.h"
#include "fuzz/properties.h"

namespace xpu_align::distill {
namespace {

void CheckFile(std::string_view text, const std::string& path) {
  const SourceText source{std::string(text)};
  const std::string repo = "r", blob = "b";
  std::vector<Fact> facts = ExtractFacts({repo, path, blob, source, std::nullopt}, {}, AllKinds());
  NumberFacts(&facts);
  std::set<std::string> ids;
  for (const Fact& fact : facts) {
    CHECK(ids.insert(fact.id).second);
    CHECK(fact.nth >= 1 && fact.nth <= fact.of);
    for (const Citation& cite : fact.cites) {
      CHECK(cite.lines.first >= 1 && cite.lines.first <= cite.lines.last && cite.lines.last <= source.LineCount());
      CHECK(cite.quote == source.QuoteHash(cite.lines));
    }
    const auto json = ParseJson(WriteJson(ToJson(fact)));
    CHECK(json && FactFromJson(*json));
    CHECK(IsOneLine(Statement(fact)));
    CHECK(WithoutCodeSpans(Statement(fact)).empty());  // nothing of it is prose
  }
  for (const ClassText& one : ExtractClasses(source, path))
    for (const ClassMember& member : one.members)
      CHECK(member.lines.first >= 1 && member.lines.first <= member.lines.last &&
            member.lines.last <= source.LineCount());
}

}  // namespace
}  // namespace xpu_align::distill

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  xpu_align::distill::CheckFile(text, "a.cc");
  xpu_align::distill::CheckFile(text, "config.py");
  return 0;
}
