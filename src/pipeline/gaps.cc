#include "pipeline/gaps.h"

#include <algorithm>

namespace xpu_align {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

Date Plus(Date date, int count) { return Date(sys_days(date) + days(count)); }

bool Covers(const HistoryRun& run, Date day) {
  return run.outcome == RunOutcome::kComplete && sys_days(run.window.start) <= sys_days(day) &&
         sys_days(day) <= sys_days(run.window.end);
}

}  // namespace

std::vector<Window> GapsBefore(Date day, std::span<const HistoryRun> runs) {
  std::vector<Window> gaps;
  bool begun = std::ranges::any_of(runs, [&](const HistoryRun& run) {
    return run.outcome == RunOutcome::kComplete && sys_days(run.window.start) < sys_days(Plus(day, -kCatchUpDays));
  });
  for (int back = kCatchUpDays; back > 0; --back) {
    const Date one = Plus(day, -back);
    if (std::ranges::any_of(runs, [&](const HistoryRun& run) { return Covers(run, one); })) {
      begun = true;
    } else if (begun && !gaps.empty() && Plus(gaps.back().end, 1) == one) {
      gaps.back().end = one;
    } else if (begun) {
      gaps.push_back(Window::Day(one));
    }
  }
  return gaps;
}

CatchUp CatchUpTo(Date day, std::span<const HistoryRun> runs) {
  CatchUp result{.window = Window::Day(day)};
  for (const HistoryRun& run : runs) {
    if (run.outcome != RunOutcome::kComplete) continue;
    if (Covers(run, day)) return {.window = run.window, .last_complete = run.window.end};
    // A window that was scanned ahead of `day` says nothing about the nights before it.
    if (sys_days(run.window.end) >= sys_days(day)) continue;
    if (!result.last_complete || sys_days(*result.last_complete) < sys_days(run.window.end))
      result.last_complete = run.window.end;
  }
  if (!result.last_complete) return result;
  const Date wanted = Plus(*result.last_complete, 1), earliest = Plus(day, 1 - kCatchUpDays);
  result.window.start = sys_days(wanted) < sys_days(earliest) ? earliest : wanted;
  if (wanted != result.window.start) result.left_out = Window{wanted, Plus(result.window.start, -1)};
  return result;
}

}  // namespace xpu_align
