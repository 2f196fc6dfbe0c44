#include "filter/chain_state.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "text/pattern.h"

namespace xpu_align {

bool TakesBack(const Details& details) {
  static const Pattern nested = Pattern::Constant(R"((?i)^\s*(?:\[[^\]]*\]\s*)*((?:"?revert\s+")+))");
  static const Pattern one = Pattern::Constant(R"((?i)revert)");
  if (const auto match = nested.Find(details.title.ForMatching())) return one.FindAll(match->groups[1]).size() % 2 == 1;
  const auto has_kind = [&](std::string_view kind) {
    return std::ranges::any_of(details.links, [&](const Link& link) { return link.kind == kind; });
  };
  return has_kind("reverts") && !has_kind("relands");
}

ChainState StateOf(std::span<const TrunkEvent> members) {
  struct Landing {
    std::string at;
    CandidateId id;
    bool takes_back;
    std::string sha;
  };
  std::vector<Landing> landings;
  for (const TrunkEvent& member : members) {
    const Details& details = *member.details;
    if (details.id.kind() == Kind::kCommit)
      landings.push_back({member.at, details.id, TakesBack(details), details.sha});
    else if (!details.landed_sha.empty())
      // When the commit itself is a member, its own entry has the time and comes later.
      landings.push_back({"", details.id, TakesBack(details), details.landed_sha});
  }
  if (landings.empty()) return {};
  const auto last = std::ranges::max_element(
      landings, {}, [](const Landing& landing) { return std::tuple(landing.at, landing.takes_back, landing.id); });
  return {last->takes_back ? "reverted" : "landed", last->sha};
}

}  // namespace xpu_align
