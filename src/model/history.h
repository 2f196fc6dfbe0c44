// What outlives a run: which windows were scanned how completely, and how far each candidate came. Facts copied from
// run directories, so all of it can be made again from them. Kept by ports/history_store.h; used by collect and by
// the `history` command.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/ledger_row.h"
#include "model/window.h"

namespace xpu_align {

// Runs of one scope see each other's results. A demo or a replayed run never counts for live ones.
struct HistoryScope {
  std::string repository, target, source;
  auto operator<=>(const HistoryScope&) const = default;
};

enum class RunOutcome {
  kComplete,  // the audit found nothing to say against it
  kPartial,   // a source, a candidate or the report is missing
  kFailed,    // nothing was collected
};

// How far a candidate came.
enum class Reached {
  kTitleRejected,
  kDeepRejected,
  kChained,  // another member of its chain stands for it and reached kDone
  kPending,
  kDone,
};

std::string_view Name(RunOutcome outcome);
std::string_view Name(Reached reached);
std::optional<RunOutcome> RunOutcomeNamed(std::string_view name);
std::optional<Reached> ReachedNamed(std::string_view name);

struct HistoryRun {
  std::string directory;  // absolute: what tells runs apart
  HistoryScope scope;
  Window window;
  std::string events;  // created, updated, merged
  RunOutcome outcome = RunOutcome::kFailed;
  std::string torch_version, build;      // of the interpreter; empty before preflight
  std::string version;                   // of xpu-align
  std::string started_at, finished_at;   // RFC 3339, UTC; empty when timing.json is gone
  bool operator==(const HistoryRun&) const = default;
};

struct HistoryRow {
  CandidateId id;
  Reached reached = Reached::kPending;
  std::optional<Bucket> bucket;    // kDone: its own; kChained: that of the member that stands for it
  std::optional<Verdict> verdict;  // of the same row as the bucket
  std::string updated_at, merged_at;
  std::string text_sha256;     // Candidate::text_sha256
  std::string details_sha256;  // of the bytes of its details file; empty when there is none
  bool operator==(const HistoryRow&) const = default;
};

// One run as a whole.
struct HistoryRecord {
  HistoryRun run;
  std::vector<HistoryRow> rows;  // by id
  bool operator==(const HistoryRecord&) const = default;
};

// A candidate in one run.
struct HistoryEntry {
  HistoryRun run;
  HistoryRow row;
};

}  // namespace xpu_align
