#include "filter/chains.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "filter/chain_state.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

// Disjoint sets of indices.
class Groups {
 public:
  explicit Groups(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), size_t{0}); }
  size_t Root(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(size_t a, size_t b) { parent_[std::max(Root(a), Root(b))] = std::min(Root(a), Root(b)); }

 private:
  std::vector<size_t> parent_;
};

// True when `a` is the better leader.
bool LeadsBefore(const ChainCandidate& a, const ChainCandidate& b) {
  const bool a_passes = a.standing != DeepStatus::kReject, b_passes = b.standing != DeepStatus::kReject;
  if (a_passes != b_passes) return a_passes;
  if (a.runnable != b.runnable) return a.runnable > b.runnable;
  if (a.role != b.role) return a.role < b.role;
  return a.details->id < b.details->id;  // issues, pull requests, commits
}

}  // namespace

CandidateIndex::CandidateIndex(std::span<const CandidateId> ids) : ids_(ids.begin(), ids.end()) {
  std::ranges::sort(ids_);
}

std::optional<CandidateId> CandidateIndex::Resolve(const Link& link) const {
  std::vector<CandidateId> meant;
  if (IsFullSha(link.target)) {
    meant.push_back(CandidateId::OfCommit(link.target));
  } else if (const auto id = CandidateId::Parse(link.target)) {
    meant.push_back(*id);
    const std::string number = id->Text().substr(id->Text().find('-') + 1);
    if (id->kind() == Kind::kIssue) meant.push_back(*CandidateId::Parse("pr-" + number));
    if (id->kind() == Kind::kPullRequest) meant.push_back(*CandidateId::Parse("issue-" + number));
  }
  for (const CandidateId& id : meant)
    if (std::ranges::binary_search(ids_, id)) return id;
  return std::nullopt;
}

bool Joins(const Link& link) {
  constexpr std::string_view kinds[] = {"closes", "resolved-by", "stack", "reverts", "relands", "cherry-picks",
                                        "duplicates"};
  return std::ranges::find(kinds, link.kind) != std::end(kinds);
}

std::vector<Link> JoiningLinks(const Details& details) {
  static const Pattern number_at_end = Pattern::Constant(R"(\(#([1-9]\d{0,11})\)\s*$)");
  std::vector<Link> links = details.links;
  if (!details.landed_sha.empty()) links.push_back({"resolved-by", details.landed_sha});
  if (details.id.kind() != Kind::kIssue)
    if (const auto match = number_at_end.Find(details.title.ForMatching()))
      links.push_back({"resolved-by", "pr-" + std::string(match->groups[1])});
  std::erase_if(links, [](const Link& link) { return !Joins(link); });
  std::set<std::string_view> targets;
  for (const Link& link : links) targets.insert(link.target);
  if (targets.size() > kMostJoined) links.clear();
  return links;
}

namespace {

// `sorted` and `ids` are in the same order.
Groups GroupsOf(const std::vector<ChainCandidate>& sorted, const std::vector<CandidateId>& ids) {
  const CandidateIndex index(ids);
  Groups groups(sorted.size());
  std::vector<std::pair<size_t, size_t>> stacked;
  std::map<std::string_view, size_t> scripts;  // the first candidate with it
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (!sorted[i].script.empty())
      if (const auto [first, is_new] = scripts.emplace(sorted[i].script, i); !is_new) groups.Join(i, first->second);
    for (const Link& link : JoiningLinks(*sorted[i].details)) {
      const auto target = index.Resolve(link);
      if (!target) continue;
      const auto j = static_cast<size_t>(std::ranges::lower_bound(ids, *target) - ids.begin());
      if (link.kind == "stack") stacked.emplace_back(i, j);
      else groups.Join(i, j);
    }
  }
  std::vector<bool> reported(sorted.size());  // by root: somebody reported this bug
  for (size_t i = 0; i < sorted.size(); ++i)
    if (ids[i].kind() == Kind::kIssue && sorted[i].role == ChainRole::kMatter) reported[groups.Root(i)] = true;
  for (const auto& [i, j] : stacked) {
    const size_t a = groups.Root(i), b = groups.Root(j);
    if (a == b || (reported[a] && reported[b])) continue;
    groups.Join(a, b);
    reported[groups.Root(a)] = reported[a] || reported[b];
  }
  return groups;
}

}  // namespace

std::vector<Chain> FindChains(std::span<const ChainCandidate> candidates) {
  std::vector<ChainCandidate> sorted(candidates.begin(), candidates.end());
  std::ranges::sort(sorted, {}, [](const ChainCandidate& c) { return c.details->id; });
  std::vector<CandidateId> ids;
  for (const ChainCandidate& candidate : sorted) ids.push_back(candidate.details->id);

  Groups groups = GroupsOf(sorted, ids);
  std::map<size_t, std::vector<size_t>> members;  // by root: the lowest index, so the lowest id
  for (size_t i = 0; i < sorted.size(); ++i) members[groups.Root(i)].push_back(i);
  std::vector<Chain> chains;
  for (const auto& [root, indices] : members) {
    if (indices.size() < 2) continue;
    Chain chain{.key = ids[root].Text()};
    size_t leader = root;
    for (const size_t i : indices) {
      chain.members.push_back(ids[i].Text());
      if (LeadsBefore(sorted[i], sorted[leader])) leader = i;
    }
    chain.leader = ids[leader].Text();
    std::vector<TrunkEvent> events;
    for (const size_t i : indices) events.push_back({sorted[i].details, sorted[i].at});
    ChainState state = StateOf(events);
    chain.state = std::move(state.state);
    chain.commit = std::move(state.commit);
    chains.push_back(std::move(chain));
  }
  return chains;
}

}  // namespace xpu_align
