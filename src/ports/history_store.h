// HistoryStore: what earlier runs found, for gaps, already-processed candidates and details that need no second
// fetch. A cache of facts from run directories: it may be lost, a run goes on without it. Several processes may use
// one at the same time. Implemented by edge/history; used by pipeline and the `history` command.
// Findings by fingerprint will be further columns of a row: they are facts of a run directory as well.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/history.h"

namespace xpu_align {

// All failures are kFileSystem, with one sentence that names the file and what to do.
class HistoryStore {
 public:
  virtual ~HistoryStore() = default;

  // Replaces what is known of the run in this directory, as a whole or not at all.
  virtual Status Record(const HistoryRecord& record) = 0;
  // Replaces everything, as a whole or not at all.
  virtual Status ReplaceAll(std::span<const HistoryRecord> records) = 0;

  virtual Result<bool> Knows(const std::string& directory) = 0;
  // By scope, window and directory.
  virtual Result<std::vector<HistoryRun>> Runs() = 0;
  // Rows of the run in this directory, by id; empty when it is not known.
  virtual Result<std::vector<HistoryRow>> RowsOf(const std::string& directory) = 0;
  // Each of these candidates in every run of this repository and source, whatever the target; newest window first.
  virtual Result<std::vector<HistoryEntry>> Find(std::string_view repository, std::string_view source,
                                                 std::span<const CandidateId> candidates) = 0;
};

}  // namespace xpu_align
