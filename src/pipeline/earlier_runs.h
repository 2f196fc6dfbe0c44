// EarlierRuns: what collect may take from other runs of the history. Knows which candidates were answered before, and
// finds details that need no second fetch: unchanged since, and with the bytes that the history remembers.
// Made by src/app for one collect stage, used by collect.cc.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/details.h"
#include "ports/history_store.h"
#include "ports/run_store.h"

namespace xpu_align {

class EarlierRuns {
 public:
  // Opens a run directory for reading.
  using Opener = std::function<Result<std::unique_ptr<RunStore>>(const std::string& directory)>;

  EarlierRuns(HistoryStore& history, HistoryScope scope, Window window, Opener open)
      : history_(history), scope_(std::move(scope)), window_(window), open_(std::move(open)) {}

  // Asks the history once for all of them. After a failure nothing is known.
  Status Look(std::span<const CandidateId> candidates);
  // The run whose answer stands; null: look at the candidate.
  const HistoryEntry* Processed(const Candidate& candidate) const;

  struct Reusable {
    std::string bytes, sha256;
    std::string window;  // of the run that fetched them
  };
  // `landed_sha`: where this run saw the candidate land, or empty. Nothing: fetch.
  std::optional<Reusable> DetailsOf(const Candidate& candidate, const std::string& landed_sha);

 private:
  RunStore* Directory(const std::string& directory);  // null when it is gone

  HistoryStore& history_;
  HistoryScope scope_;
  Window window_;
  Opener open_;
  std::map<CandidateId, std::vector<HistoryEntry>> entries_;  // newest window first
  std::map<std::string, std::unique_ptr<RunStore>> directories_;
};

}  // namespace xpu_align
