// Preflight: does the sandbox hold, does the interpreter run, is the device there? Writes environment.json
// with every check and collect_env.txt. A failure names the remedy. Called by src/app before execute.
#pragma once
#include <optional>

#include "model/target_profile.h"
#include "ports/clock.h"
#include "ports/progress.h"
#include "ports/run_store.h"
#include "ports/sandbox_runner.h"

namespace xpu_align {

struct PreflightSettings {
  TargetProfile target;  // `remedies` {torch, device}: what to do when it is missing
  std::optional<Isolation> isolation;  // unset: the fork server's self-test decides
  int64_t timeout_millis = 120'000;
  int nightly_max_age_days = 3;
  std::optional<uint64_t> free_bytes;  // where the run directory lies; unset: not known
  std::string upgrade_command;         // what makes an old nightly new
  Json upgrade;                        // what an upgrade has just changed; null: none was asked for
};

struct PreflightCheck {
  std::string name;
  bool passed = false;
  std::string detail;
  std::string remedy;
};

// kSandbox or kDevice, with the remedy, when scripts can not be run; environment.json is written in any case.
// An old nightly and a failing collect_env only warn.
Result<InterpreterFacts> Preflight(const PreflightSettings& settings, RunStore& store, SandboxRunner& runner,
                                   Clock& clock, Progress& progress);

}  // namespace xpu_align
