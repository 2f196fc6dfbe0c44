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

// Whether what a candidate says of others is believed: what is on the trunk was reviewed, and who has an association to
// the repository answers for it. Anybody can write "Fixes #5", and GitHub then calls it a closing reference.
bool IsBelieved(const Details& details) {
  constexpr std::string_view known[] = {"OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR"};
  return details.id.kind() == Kind::kCommit || !details.landed_sha.empty() ||
         std::ranges::find(known, details.association) != std::end(known);
}

// The order in which candidates came up: issues and pull requests are counted together, commits come last.
std::pair<bool, int64_t> AgeOf(const CandidateId& id) {
  if (id.kind() == Kind::kCommit) return {true, 0};
  return {false, std::stoll(id.Text().substr(id.Text().find('-') + 1))};
}

// Candidates with their groups. `sorted` and `ids` are in the same order.
class Linking {
 public:
  Linking(const std::vector<ChainCandidate>& sorted, const std::vector<CandidateId>& ids)
      : sorted_(sorted),
        ids_(ids),
        index_(ids),
        groups_(sorted.size()),
        leader_(sorted.size()),
        size_(sorted.size(), 1),
        believed_(sorted.size()),
        claims_(sorted.size()) {
    std::iota(leader_.begin(), leader_.end(), size_t{0});
  }

  Groups Run() && {
    for (size_t i = 0; i < sorted_.size(); ++i) ReadTrust(i);
    for (size_t i = 0; i < sorted_.size(); ++i) ReadLinks(i);
    ReadScripts();
    JoinStacks();
    for (size_t i = 0; i < sorted_.size(); ++i) FollowClaims(i);
    return std::move(groups_);
  }

 private:
  size_t PlaceOf(const CandidateId& id) const {
    return static_cast<size_t>(std::ranges::lower_bound(ids_, id) - ids_.begin());
  }

  void ReadTrust(size_t i) {
    if (IsBelieved(*sorted_[i].details)) believed_[i] = true;
    if (ids_[i].kind() != Kind::kCommit) return;
    for (const Link& link : JoiningLinks(*sorted_[i].details))
      if (const auto target = index_.Resolve(link); target && link.kind == "resolved-by") believed_[PlaceOf(*target)] = true;
  }

  void ReadLinks(size_t i) {
    for (const Link& link : JoiningLinks(*sorted_[i].details)) {
      const auto target = index_.Resolve(link);
      if (!target) continue;
      // The timeline of an issue repeats what pull requests say of it; they are asked themselves.
      if (link.kind == "closes" && ids_[i].kind() == Kind::kIssue && target->kind() == Kind::kPullRequest) continue;
      const size_t j = PlaceOf(*target);
      if (!believed_[i]) claims_[i].push_back(j);
      else if (link.kind == "stack") stacked_.emplace_back(i, j);
      else Join(i, j);
    }
  }

  // Of equal scripts the oldest is the original; the others say that they are the same.
  void ReadScripts() {
    std::map<std::string_view, std::vector<size_t>> owners;
    for (size_t i = 0; i < sorted_.size(); ++i)
      if (!sorted_[i].script.empty()) owners[sorted_[i].script].push_back(i);
    for (auto& [script, same] : owners) {
      const size_t original = *std::ranges::min_element(same, {}, [&](size_t i) { return AgeOf(ids_[i]); });
      for (const size_t i : same) {
        if (i == original) continue;
        if (believed_[i]) Join(i, original);
        else claims_[i].push_back(original);
      }
    }
  }

  void JoinStacks() {
    std::vector<bool> reported(sorted_.size());  // by root: somebody reported this bug
    for (size_t i = 0; i < sorted_.size(); ++i)
      if (ids_[i].kind() == Kind::kIssue && sorted_[i].role == ChainRole::kMatter) reported[groups_.Root(i)] = true;
    for (const auto& [i, j] : stacked_) {
      const size_t a = groups_.Root(i), b = groups_.Root(j);
      if (a == b || (reported[a] && reported[b])) continue;
      Join(a, b);
      reported[groups_.Root(a)] = reported[a] || reported[b];
    }
  }

  // A stranger comes alone, to one matter, and never to stand before somebody's own material.
  void FollowClaims(size_t i) {
    for (const size_t j : claims_[i]) {
      const size_t own = groups_.Root(i), other = groups_.Root(j);
      if (own == other || size_[own] > 1) return;
      const ChainCandidate& leader = sorted_[leader_[other]];
      if (leader.standing == DeepStatus::kReject || LeadsBefore(leader, sorted_[i])) Join(i, j);
    }
  }

  void Join(size_t i, size_t j) {
    const size_t a = groups_.Root(i), b = groups_.Root(j);
    if (a == b) return;
    const size_t leader = LeadsBefore(sorted_[leader_[a]], sorted_[leader_[b]]) ? leader_[a] : leader_[b];
    groups_.Join(a, b);
    const size_t root = groups_.Root(a);
    size_[root] = size_[a] + size_[b];
    leader_[root] = leader;
  }

  const std::vector<ChainCandidate>& sorted_;
  const std::vector<CandidateId>& ids_;
  const CandidateIndex index_;
  Groups groups_;
  std::vector<size_t> leader_, size_;        // by root
  std::vector<bool> believed_;               // also who landed by a commit that is a candidate
  std::vector<std::vector<size_t>> claims_;  // of those who are not believed
  std::vector<std::pair<size_t, size_t>> stacked_;
};

}  // namespace

std::vector<Chain> FindChains(std::span<const ChainCandidate> candidates) {
  std::vector<ChainCandidate> sorted(candidates.begin(), candidates.end());
  std::ranges::sort(sorted, {}, [](const ChainCandidate& c) { return c.details->id; });
  std::vector<CandidateId> ids;
  for (const ChainCandidate& candidate : sorted) ids.push_back(candidate.details->id);

  Groups groups = Linking(sorted, ids).Run();
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
