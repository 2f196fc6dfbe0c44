// Any text: each link has a known kind and a target that is an id or a full sha, each target once; a text in quotes says
// nothing. The pull request that a commit message names has a number that an id may hold.
#include <set>

#include "compose/repairs.h"
#include "filter/links.h"
#include "fuzz/properties.h"
#include "pipeline/collect_sources.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  static const std::set<std::string> kinds = {"mentions", "cherry-picks", "stack", "relands", "reverts", "closes", "resolved-by"};
  const std::string text(TextOf(data, size));
  std::set<std::string> targets;
  for (const Link& link : LinksInText(UntrustedText(text), "pytorch/pytorch")) {
    CHECK(kinds.contains(link.kind));
    CHECK(CandidateId::Parse(link.target) || IsFullSha(link.target));
    CHECK(targets.insert(link.target).second);
  }
  for (const std::string& line : {text, "Pull Request resolved: https://github.com/pytorch/pytorch/pull/" + text})
    if (const auto number = ResolvedPullRequest(UntrustedText(line), "pytorch/pytorch")) CHECK(IsItemNumber(*number));
  std::string quoted;
  for (const std::string& line : SplitLines(text)) quoted += "> " + line + "\n";
  CHECK(LinksInText(UntrustedText(quoted), "pytorch/pytorch").empty());
  return 0;
}
