// What the commands do with the history of the cache directory: find the window of a catch-up and the gaps before a
// window, give collect the earlier runs, enter a run. Whatever is wrong with the history is a warning, never the end
// of a run. Used by run.cc and stage_commands.cc.
#pragma once
#include <filesystem>
#include <memory>
#include <vector>

#include "app/plan.h"
#include "pipeline/earlier_runs.h"
#include "pipeline/run_identity.h"
#include "ports/clock.h"
#include "ports/history_store.h"
#include "ports/progress.h"

namespace xpu_align {

std::filesystem::path HistoryFile(const Plan& plan);

// Null, with a warning, when it can not be used.
std::unique_ptr<HistoryStore> OpenHistoryOrWarn(const Plan& plan, Progress& progress);

// Live, demo, ...: what kind of runs this plan may learn from.
HistoryScope ScopeOf(const Plan& plan);

// For --catch-up: makes the plan's window begin after the last complete run, and says so.
void CatchUpWindow(HistoryStore* history, Plan* plan, Progress& progress);

// Days before the plan's window that no complete run covers; each said with the command that makes up for it.
std::vector<Window> TellGaps(HistoryStore* history, const Plan& plan, Progress& progress);

// Null without a history.
std::unique_ptr<EarlierRuns> EarlierRunsOf(HistoryStore* history, const Plan& plan);

// Enters what the run directory says now.
void EnterRun(HistoryStore& history, const Plan& plan, RunStore& store, Clock& clock, Progress& progress);
// The same after a stage, for a run that was collected on this machine: no other directory gets into a history, and
// none is begun.
void UpdateEntry(const Plan& plan, RunStore& store, Clock& clock, Progress& progress);

// `xpu-align run` for this window, as a person types it.
std::string RunCommandLine(const Plan& plan, const Window& window);

}  // namespace xpu_align
