#include "pipeline/canaries.h"

#include <optional>

#include "pipeline/normalise.h"

namespace xpu_align {
namespace {

constexpr int64_t kPauses[] = {2'000, 10'000, 30'000};

}  // namespace

std::string WhyItFailed(const AttemptResult& result) {
  const Outcome& outcome = result.outcome;
  if (outcome.kind == OutcomeKind::kNotStarted) return "not started: " + outcome.detail;
  if (outcome.kind == OutcomeKind::kTimedOut) return "timed out";
  if (outcome.kind == OutcomeKind::kMemoryExceeded) return "too much memory";
  if (outcome.kind == OutcomeKind::kSignalled) return "ended by " + outcome.signal;
  const auto& raised = result.report.exception;
  if (raised) return raised->type + ": " + raised->message.ForLogLine();
  return "exit status " + std::to_string(outcome.exit_status);
}

Canary EagerCanary(const TargetProfile& target) {
  return {"eager",
          "import torch\n"
          "x = torch.ones(4, 4, device=\"" +
              target.device +
              "\")\n"
              "assert float((x + x).sum()) == 32.0\n"};
}

std::vector<Canary> CanariesOf(const TargetProfile& target, CompileUse compile_use) {
  std::vector<Canary> canaries = {
      {"import", "import torch\nassert " + target.availability + ", \"the device is not available\"\n"},
      EagerCanary(target)};
  // A reduction and a matrix product: both ways in which a compiler makes code.
  if (compile_use == CompileUse::kCompiled && target.has_compiler)
    canaries.push_back({"compiled",
                        "import torch\n"
                        "@torch.compile\n"
                        "def f(a, b):\n"
                        "    return torch.relu(a @ b).sum(dim=1)\n"
                        "x = torch.ones(8, 8, device=\"" +
                            target.device +
                            "\")\n"
                            "assert float(f(x, x).sum()) == 512.0\n"});
  return canaries;
}

Result<std::vector<CanaryResult>> RunCanaries(const std::vector<Canary>& canaries, const CanarySettings& settings,
                                              SandboxRunner& runner, Clock& clock) {
  std::vector<CanaryResult> results;
  for (const Canary& canary : canaries) {
    AttemptRequest request{.script = canary.script, .file_name = "canary_" + canary.name + ".py"};
    request.isolation = settings.isolation;
    request.timeout_millis = canary.name == "compiled" ? settings.compile_timeout_millis : settings.timeout_millis;
    CanaryResult result{.name = canary.name};
    for (size_t tries = 0; !result.passed; ++tries) {
      TRY_ASSIGN(const AttemptResult attempt, runner.Run(request));
      result.passed = attempt.outcome.kind == OutcomeKind::kExited && attempt.outcome.exit_status == 0;
      result.detail = result.passed ? "" : WhyItFailed(attempt);
      // A healthy device whose compiler fails does not get better by waiting; one fresh process is asked.
      const bool may_recover = canary.name != "compiled";
      if (result.passed || tries == (may_recover ? std::size(kPauses) : 1)) break;
      if (may_recover) TRY(clock.SleepMillis(kPauses[tries]));
      request.isolation = Isolation::kProcess;
    }
    results.push_back(result);
    if (!result.passed) break;
  }
  return results;
}

const CanaryResult* FailedCanary(const std::vector<CanaryResult>& results) {
  for (const CanaryResult& result : results)
    if (!result.passed) return &result;
  return nullptr;
}

}  // namespace xpu_align
