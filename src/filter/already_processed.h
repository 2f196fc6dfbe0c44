// The title rule `already-processed`: a candidate that an earlier window's run came to an answer for is not looked at
// again, unless something happened since that could change the answer. Pure; in doubt the candidate passes.
// Called by collect with what the history knows; the whole rule stands in docs/run-directory.md.
#pragma once
#include <span>
#include <string_view>

#include "model/history.h"

namespace xpu_align {

inline constexpr std::string_view kAlreadyProcessed = "already-processed";

// The newest of `entries` that makes looking again needless; null: pass. `entries`: of any candidates, runs and targets of
// the repository, newest window first.
const HistoryEntry* FindProcessed(const Candidate& candidate, const Window& window, std::string_view target,
                                  std::span<const HistoryEntry> entries);

}  // namespace xpu_align
