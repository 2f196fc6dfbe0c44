// Canaries: known-good scripts that show that interpreter, device and compiler work. They stand before the
// batch and after every crash or hang; one that fails says that the machine failed, not the candidate.
#pragma once
#include <string>
#include <vector>

#include "model/evidence.h"
#include "model/target_profile.h"
#include "ports/clock.h"
#include "ports/sandbox_runner.h"

namespace xpu_align {

struct Canary {
  std::string name;  // import, eager, compiled
  std::string script;
};

Canary EagerCanary(const TargetProfile& target);
std::vector<Canary> CanariesOf(const TargetProfile& target, CompileUse compile_use);

struct CanarySettings {
  Isolation isolation = Isolation::kProcess;
  int64_t timeout_millis = 120'000;
  int64_t compile_timeout_millis = 420'000;
};

// Runs them in order; later ones are not tried after a failure. A failed one is tried again after 2, 10 and
// 30 seconds, always in a fresh process: a device needs time after a hang.
Result<std::vector<CanaryResult>> RunCanaries(const std::vector<Canary>& canaries, const CanarySettings& settings,
                                              SandboxRunner& runner, Clock& clock);

// How an attempt that should have ended well did end, in words.
std::string WhyItFailed(const AttemptResult& result);

// The first that failed; null when all passed.
const CanaryResult* FailedCanary(const std::vector<CanaryResult>& results);

}  // namespace xpu_align
