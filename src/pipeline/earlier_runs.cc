#include "pipeline/earlier_runs.h"

#include "digest/sha256.h"
#include "filter/already_processed.h"

namespace xpu_align {
namespace {

bool IsUsable(const Details& details, const Candidate& candidate, const std::string& landed_sha) {
  if (details.id != candidate.id || !details.fetch_failure.empty() || !details.incomplete_because.empty() || details.diff_source == "none") return false;
  if (candidate.kind() == Kind::kCommit) return details.sha == candidate.sha;
  if (!landed_sha.empty() && details.landed_sha != landed_sha) return false;
  return !candidate.updated_at.empty() && details.updated_at == candidate.updated_at;
}

}  // namespace

Status EarlierRuns::Look(std::span<const CandidateId> candidates) {
  entries_.clear();
  TRY_ASSIGN(std::vector<HistoryEntry> found, history_.Find(scope_.repository, scope_.source, candidates));
  for (HistoryEntry& entry : found) entries_[entry.row.id].push_back(std::move(entry));
  return {};
}

const HistoryEntry* EarlierRuns::Processed(const Candidate& candidate) const {
  const auto found = entries_.find(candidate.id);
  return found == entries_.end() ? nullptr : FindProcessed(candidate, window_, scope_.target, found->second);
}

std::optional<EarlierRuns::Reusable> EarlierRuns::DetailsOf(const Candidate& candidate, const std::string& landed_sha) {
  const auto found = entries_.find(candidate.id);
  if (found == entries_.end()) return std::nullopt;
  for (const HistoryEntry& entry : found->second) {
    // The same window again, in another place or afresh, fetches for itself.
    if (entry.run.window == window_ || entry.row.details_sha256.empty()) continue;
    RunStore* store = Directory(entry.run.directory);
    auto bytes = store ? store->Read(paths::Details(candidate.id)) : Fail(ErrorKind::kNotFound, "");
    if (!bytes || Sha256Hex(*bytes) != entry.row.details_sha256) continue;
    const auto json = ParseJson(*bytes);
    const auto details = json ? DetailsFromJson(*json) : std::unexpected(json.error());
    if (!details || !IsUsable(*details, candidate, landed_sha)) continue;
    return Reusable{std::move(*bytes), entry.row.details_sha256, entry.run.window.Name()};
  }
  return std::nullopt;
}

RunStore* EarlierRuns::Directory(const std::string& directory) {
  const auto [found, is_new] = directories_.try_emplace(directory);
  if (is_new)
    if (auto opened = open_(directory)) found->second = std::move(*opened);
  return found->second.get();
}

}  // namespace xpu_align
