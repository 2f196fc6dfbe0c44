// Chains: issues, pull requests and commits that speak of one bug, linked before anything runs, so that
// one script is run for it. Called by filter with the details of the candidates that could run.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "filter/links.h"
#include "filter/runnable.h"
#include "model/details.h"
#include "model/ledger_row.h"

namespace xpu_align {

// A bot's record that a test is switched off is part of a matter, never the matter itself.
enum class ChainRole { kMatter, kTestToggle };

struct ChainCandidate {
  const Details* details = nullptr;
  Runnable runnable = Runnable::kNothing;
  DeepStatus standing = DeepStatus::kPass;  // what the deep filter says of the candidate alone
  ChainRole role = ChainRole::kMatter;
  std::string script;  // ScriptKeyOf; empty: none
  std::string at;      // commits: when it came to the trunk, RFC 3339, UTC; empty: unknown
};

// The candidate that a link points to. GitHub counts issues and pull requests together, so issue-5 means pr-5
// when that is the one; a sha means the commit.
class CandidateIndex {
 public:
  explicit CandidateIndex(std::span<const CandidateId> ids);
  std::optional<CandidateId> Resolve(const Link& link) const;

 private:
  std::vector<CandidateId> ids_;  // sorted
};

// Whether a link says that both ends are one matter. Plain mentions do not.
bool Joins(const Link& link);

// A candidate that claims more than this is a list, no part of each matter in it.
inline constexpr size_t kMostJoined = 50;

// The links of a candidate that join, as its details give them, and those that follow from them: the landed commit, the
// number at the end of a commit's title ("Fix foo (#5)"). Empty when there are more than kMostJoined.
std::vector<Link> JoiningLinks(const Details& details);

// Groups of two and more members, in the order of their keys; a candidate is in at most one. Joined by links and by
// equal scripts; the layers of a stack, too, except when each of two has a report of its own: those are two bugs.
// Authors without association to the repository bind nobody else: what they say moves only their own candidate, if
// nothing else has joined it, to one chain, and only where it does not become the leader of a member that passes alone.
// The leader passes the deep filter if any member does, then has a script, else a new test, else is no test toggle, then an
// issue, a pull request, a commit; then the lowest id.
std::vector<Chain> FindChains(std::span<const ChainCandidate> candidates);

}  // namespace xpu_align
