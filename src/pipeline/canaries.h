// Canaries: known-good scripts that show that interpreter, device and compiler work. They stand before the
// batch and after every crash or hang; one that fails says that the machine failed, not the candidate. One more shows
// that the detector of CPU fallbacks detects one: without it no proof of this run can be trusted.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "model/evidence.h"
#include "model/target_profile.h"
#include "ports/clock.h"
#include "ports/sandbox_runner.h"

namespace xpu_align {

struct Canary {
  std::string name;  // import, eager, fallback-control, compiled
  std::string script;
};

Canary EagerCanary(const TargetProfile& target);
// Before the batch: all.
std::vector<Canary> CanariesOf(const TargetProfile& target, CompileUse compile_use);
// After a crash or a hang: does the device still work, and with kCompiled the compiler?
std::vector<Canary> HealthCanariesOf(const TargetProfile& target, CompileUse compile_use);

// Whether the compiled canary fills the caches of first attempts: where the profile says that it pays.
enum class SeedCaches { kOff, kOn };
SeedCaches SeedingOf(const TargetProfile& target);

struct CanarySettings {
  Isolation isolation = Isolation::kProcess;
  int64_t timeout_millis = 120'000;
  int64_t compile_timeout_millis = 420'000;
  SeedCaches seed = SeedCaches::kOff;
  std::function<Status()> recover;  // of the machine's owner, before the last try; may be empty. Fails only to stop.
};

// Runs them in order; later ones are not tried after a failure. A failed one is tried again after 2, 10 and
// 30 seconds, always in a fresh process: a device needs time after a hang.
Result<std::vector<CanaryResult>> RunCanaries(const std::vector<Canary>& canaries, const CanarySettings& settings,
                                              SandboxRunner& runner, Clock& clock);

// The positive control. Passed and `not available` for a target without fallbacks. A failure is no incident: it
// only takes the trust from device proofs.
Result<CanaryResult> RunFallbackControl(const TargetProfile& target, const CanarySettings& settings, SandboxRunner& runner);

// How an attempt that should have ended well did end, in words.
std::string WhyItFailed(const AttemptResult& result);

// The first that failed and stands for an incident; null when there is none.
const CanaryResult* FailedCanary(const std::vector<CanaryResult>& results);

}  // namespace xpu_align
