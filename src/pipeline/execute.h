// Execute: runs the scripts of all pending rows in the sandbox and writes what was seen as evidence. Gives
// no bucket; asks the judge only whether a finding needs another attempt. Reads ledger, compositions, scripts and environment.json; resumes: a row whose evidence is for
// the same script and build is not run again. Called by src/app.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "pipeline/attempts.h"
#include "ports/clock.h"
#include "ports/progress.h"
#include "ports/run_store.h"
#include "ports/sandbox_runner.h"

namespace xpu_align {

struct ExecuteSettings {
  const Judge& judge;  // also says which target
  AttemptSettings attempts;
  std::optional<Isolation> isolation;  // unset: as preflight decided
  int64_t budget_millis = 0;           // of the whole stage; 0: none. No attempt begins that could end after it
  std::function<Status()> recover_device;  // see CanarySettings::recover
};

struct ExecuteSummary {
  size_t ran = 0;
  size_t resumed = 0;   // evidence was there
  size_t held = 0;      // pending with `hold`
  std::string stopped;  // device work ended early, with a checkpoint: why
};

// kDevice at the end when a canary failed and the device did not come back: the rows concerned stay pending
// with `hold`. kSandbox when the sandbox can not be made.
Result<ExecuteSummary> Execute(const ExecuteSettings& settings, RunStore& store, SandboxRunner& runner, Clock& clock,
                               Progress& progress);

}  // namespace xpu_align
