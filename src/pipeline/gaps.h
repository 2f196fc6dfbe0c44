// Gaps: days that no complete run of the history covers, and the window that makes up for them. Pure. Called by src/app,
// which tells people, and by the `history` command.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "model/history.h"

namespace xpu_align {

inline constexpr int kCatchUpDays = 14;  // a wider window would not end before the next night

// Maximal ranges of uncovered days before `day`, oldest first: after the first complete run began, and at most
// kCatchUpDays back. `runs`: of one scope and one kind of events.
std::vector<Window> GapsBefore(Date day, std::span<const HistoryRun> runs);

struct CatchUp {
  Window window;                   // ends with the day asked for
  std::optional<Date> last_complete;  // nothing: the history has no complete run
  std::optional<Window> left_out;  // further back than kCatchUpDays
};
// The window from the day after the last complete run to `day`; the window of that run when it covers `day`.
CatchUp CatchUpTo(Date day, std::span<const HistoryRun> runs);

}  // namespace xpu_align
