// Any words of a person, and any JSON as a workflow's event file: a reference that is accepted has an id that files may be
// named after and a sha that is one; the refusal is one line; no reference is found twice.
#include "fuzz/properties.h"
#include "model/reference.h"

namespace xpu_align {
namespace {

void CheckReference(const Reference& reference) {
  CHECK(reference.sha.empty() || IsFullSha(reference.sha));
  CHECK((reference.kind == Kind::kCommit) == (reference.number == 0));
  const CandidateId id = reference.Id();
  CHECK(CandidateId::Parse(id.Text()) == id && id.kind() == reference.kind);
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string_view text = TextOf(data, size);
  if (const auto reference = ParseReference(text, "pytorch/pytorch"))
    CheckReference(*reference);
  else
    CHECK(IsOneLine(reference.error().message));
  const auto event = ParseJson(text);
  if (!event) return 0;
  std::vector<Reference> found = ReferencesInEvent(*event, "pytorch/pytorch");
  for (size_t i = 0; i < found.size(); ++i) {
    CheckReference(found[i]);
    CHECK(std::find(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(i), found[i]) ==
          found.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return 0;
}
