#include "app/scan_history.h"

#include <algorithm>

#include "app/world.h"
#include "audit/audit.h"
#include "edge/history/history_database.h"
#include "edge/store/run_directory.h"
#include "pipeline/gaps.h"
#include "pipeline/run_record.h"

namespace xpu_align {
namespace {

// Runs that count for gaps of this plan: of its scope and its kind of events.
std::vector<HistoryRun> RunsLike(HistoryStore* history, const Plan& plan, Progress& progress) {
  if (!history) return {};
  auto runs = history->Runs();
  if (!runs) {
    progress.Warn(runs.error().message);
    return {};
  }
  std::erase_if(*runs, [scope = ScopeOf(plan), events = Name(plan.events)](const HistoryRun& run) {
    return run.scope != scope || run.events != events;
  });
  return std::move(*runs);
}

std::string Words(const Window& window) {
  return window.start == window.end ? FormatDate(window.start)
                                    : FormatDate(window.start) + " to " + FormatDate(window.end);
}

}  // namespace

std::filesystem::path HistoryFile(const Plan& plan) { return plan.cache_dir / "history.db"; }

std::unique_ptr<HistoryStore> OpenHistoryOrWarn(const Plan& plan, Progress& progress) {
  auto opened = OpenHistory(HistoryFile(plan));
  if (!opened) {
    progress.Warn("this run goes without history: " + opened.error().message);
    return nullptr;
  }
  if (!opened->moved_aside.empty()) progress.Warn(opened->moved_aside);
  return std::move(opened->store);
}

HistoryScope ScopeOf(const Plan& plan) {
  return {plan.repository, plan.target, std::string(Name(SourceOf(plan)))};
}

void CatchUpWindow(HistoryStore* history, Plan* plan, Progress& progress) {
  const CatchUp catch_up = CatchUpTo(plan->window.end, RunsLike(history, *plan, progress));
  plan->run_directory = plan->run_directory.parent_path() / catch_up.window.Name();
  plan->window = catch_up.window;
  if (!catch_up.last_complete) return progress.Note("no complete run is in the history: the window is " + Words(plan->window));
  progress.Note("the last complete run ended with " + FormatDate(*catch_up.last_complete) + ": the window is " +
                Words(plan->window));
  if (catch_up.left_out)
    progress.Warn("not caught up: " + Words(*catch_up.left_out) + ", more than " + std::to_string(kCatchUpDays) +
                  " days back; `" + RunCommandLine(*plan, *catch_up.left_out) + "` scans it");
}

std::vector<Window> TellGaps(HistoryStore* history, const Plan& plan, Progress& progress) {
  const auto gaps = GapsBefore(plan.window.start, RunsLike(history, plan, progress));
  for (const Window& gap : gaps)
    progress.Note("no complete run covers " + Words(gap) + "; `" + RunCommandLine(plan, gap) + "` makes up for it");
  return gaps;
}

std::unique_ptr<EarlierRuns> EarlierRunsOf(HistoryStore* history, const Plan& plan) {
  if (!history) return nullptr;
  return std::make_unique<EarlierRuns>(
      *history, ScopeOf(plan), plan.window,
      [](const std::string& directory) { return OpenRunDirectoryForReading(directory); });
}

void EnterRun(HistoryStore& history, const Plan& plan, RunStore& store, Clock& clock, Progress& progress) {
  const auto entered = [&]() -> Status {
    TRY(StampRun(store, XPU_ALIGN_VERSION, clock.NowSeconds()));
    TRY_ASSIGN(const auto record,
               RecordOf(store, plan.run_directory.string(), [&plan] { return Audit(plan.run_directory); }));
    return record ? history.Record(*record) : Status{};
  }();
  if (!entered) progress.Warn("this run is not in the history: " + entered.error().message);
}

void UpdateEntry(const Plan& plan, RunStore& store, Clock& clock, Progress& progress) {
  std::error_code error;
  if (!std::filesystem::exists(HistoryFile(plan), error)) return;
  const auto history = OpenHistoryOrWarn(plan, progress);
  if (!history) return;
  const auto known = history->Knows(plan.run_directory.string());
  if (!known) progress.Warn(known.error().message);
  if (known && *known) EnterRun(*history, plan, store, clock, progress);
}

std::string RunCommandLine(const Plan& plan, const Window& window) {
  std::string line = "xpu-align run --since " + FormatDate(window.start) + " --until " + FormatDate(window.end) +
                     " --target " + plan.target;
  if (plan.repository != "pytorch/pytorch") line += " --repository " + plan.repository;
  if (plan.events != ItemEvents::kCreated) line += " --event " + std::string(Name(plan.events));
  return line;
}

}  // namespace xpu_align
