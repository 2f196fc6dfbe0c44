#include "filter/already_processed.h"

#include <algorithm>

namespace xpu_align {
namespace {

// What the machine or GitHub got in the way of is no answer about the candidate.
bool IsAnswer(Bucket bucket) { return bucket != Bucket::kBlockedEnv && bucket != Bucket::kBlockedFetch; }

bool HasAnswer(const HistoryRow& row) {
  return (row.reached == Reached::kDone || row.reached == Reached::kChained) && row.bucket && IsAnswer(*row.bucket);
}

bool IsUnchanged(const Candidate& candidate, const HistoryRow& row) {
  switch (candidate.kind()) {
    case Kind::kCommit: return true;
    // Labels, assignments and a change of state move updated_at and leave the reproducer as it was.
    case Kind::kIssue: return !row.text_sha256.empty() && row.text_sha256 == candidate.text_sha256;
    // A list does not tell the head of a pull request: any update may be a push.
    case Kind::kPullRequest: return !row.updated_at.empty() && row.updated_at == candidate.updated_at;
  }
  CHECK(false);
}

// Landing is news, unless it is the landing that the earlier run saw.
bool LandedSince(const Candidate& candidate, const HistoryRow& row) {
  return std::ranges::any_of(candidate.events,
                             [&](const Event& event) { return event.name == "merged" && event.at != row.merged_at; });
}

}  // namespace

const HistoryEntry* FindProcessed(const Candidate& candidate, const Window& window, std::string_view target,
                                  std::span<const HistoryEntry> entries) {
  for (const HistoryEntry& entry : entries) {
    if (entry.row.id != candidate.id || entry.run.scope.target != target) continue;
    // Not the same window again, and not a later one: scanning an old window twice gives the same twice.
    if (entry.run.window.EndSeconds() >= window.EndSeconds()) continue;
    if (HasAnswer(entry.row) && IsUnchanged(candidate, entry.row) && !LandedSince(candidate, entry.row)) return &entry;
  }
  return nullptr;
}

}  // namespace xpu_align
