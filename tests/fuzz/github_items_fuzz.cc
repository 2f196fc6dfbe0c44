// Any JSON as an answer of GitHub: an item that is accepted has an id that files may be named after and an address made by
// us; details that come of it survive their file; links lead to ids or full shas, never to the item itself.
#include "edge/github/items.h"
#include "fuzz/properties.h"

namespace xpu_align {
namespace {

constexpr std::string_view kRepository = "pytorch/pytorch";

bool IsShaOrEmpty(const std::string& text) { return text.empty() || IsFullSha(text); }

void CheckItem(const ListedItem& item) {
  CHECK(CandidateId::Parse(item.candidate.id.Text()) == item.candidate.id);
  CHECK(item.candidate.url.starts_with("https://github.com/pytorch/pytorch/"));
  CHECK(item.candidate.url.ends_with("/" + std::to_string(item.candidate.number)));
  CHECK(CandidateFromJson(ToJson(item.candidate)).has_value());
}

void CheckDetails(const Details& details) {
  for (const Link& link : details.links)
    CHECK((CandidateId::Parse(link.target) || IsFullSha(link.target)) && link.target != details.id.Text());
  CHECK(IsShaOrEmpty(details.sha) && IsShaOrEmpty(details.base_sha) && IsShaOrEmpty(details.landed_sha));
  CHECK(details.comments.size() <= 20);
  const auto read = DetailsFromJson(ToJson(details));
  CHECK(read && ToJson(*read) == ToJson(details));
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const auto json = ParseJson(TextOf(data, size));
  if (!json) return 0;
  const ListedItem known{.candidate = {.id = CandidateId::OfPullRequest(8), .number = 8}};
  for (const auto& item : {ListedFromRest(*json, kRepository), ListedFromGraphql(*json, kRepository)})
    if (item) {
      CheckItem(*item);
      CheckDetails(FromList(*item).details);
      CheckDetails(FromNode(*item, *json, kRepository).details);
    }
  FetchedItem fetched = FromNode(known, *json, kRepository);
  CheckDetails(fetched.details);
  AddPullRequest(*json, &fetched);
  CheckDetails(fetched.details);
  CHECK(CommentsFromRest(*json, UntrustedText("reporter")).size() <= 20);
  const ChangedFile file = FileFromRest(*json);
  CHECK(file.patch.Empty() || file.patch.ForMatching().ends_with('\n'));
  if (const auto commit = CommitFromRest(*json)) {
    CHECK(IsFullSha(commit->sha));
    for (const std::string& parent : commit->parents) CHECK(IsShaOrEmpty(parent));
  }
  return 0;
}
