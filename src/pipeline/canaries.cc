#include "pipeline/canaries.h"

#include <algorithm>
#include <optional>

namespace xpu_align {
namespace {

constexpr int64_t kPauses[] = {2'000, 10'000, 30'000};
constexpr const char* kFallbackControl = "fallback-control";

// A reduction and a matrix product: both ways in which a compiler makes code.
Canary CompiledCanary(const TargetProfile& target) {
  return {"compiled",
          "import torch\n"
          "@torch.compile\n"
          "def f(a, b):\n"
          "    return torch.relu(a @ b).sum(dim=1)\n"
          "x = torch.ones(8, 8, device=\"" +
              target.device +
              "\")\n"
              "assert float(f(x, x).sum()) == 512.0\n"};
}

bool AsksCompiler(const TargetProfile& target, CompileUse compile_use) {
  return compile_use == CompileUse::kCompiled && target.has_compiler;
}

// Each operator on its own: one that has no kernel at all must not hide the others.
std::string ControlScript(const TargetProfile& target, const Json& control) {
  std::string script = "import torch\nx = torch.eye(2, device=\"" + target.device + "\")\n";
  for (const std::string& expression : control.StringsOf("expressions"))
    script += "try:\n    " + expression + "\nexcept RuntimeError as error:\n    print(error)\n";
  return script + "x + x\n";
}

bool Names(const std::vector<std::string>& names, std::string_view base) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return name == base || name.starts_with(std::string(base) + ".");
  });
}

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
  if (AsksCompiler(target, compile_use)) canaries.push_back(CompiledCanary(target));
  return canaries;
}

SeedCaches SeedingOf(const TargetProfile& target) {
  return target.other.BoolOr("seed_caches", false) ? SeedCaches::kOn : SeedCaches::kOff;
}

std::vector<Canary> HealthCanariesOf(const TargetProfile& target, CompileUse compile_use) {
  std::vector<Canary> canaries = {EagerCanary(target)};
  if (AsksCompiler(target, compile_use)) canaries.push_back(CompiledCanary(target));
  return canaries;
}

Result<std::vector<CanaryResult>> RunCanaries(const std::vector<Canary>& canaries, const CanarySettings& settings,
                                              SandboxRunner& runner, Clock& clock) {
  std::vector<CanaryResult> results;
  for (const Canary& canary : canaries) {
    AttemptRequest request{.script = canary.script, .file_name = "canary_" + canary.name + ".py"};
    request.isolation = settings.isolation;
    if (canary.name == "compiled" && settings.seed == SeedCaches::kOn) request.caches = CodeCaches::kKept;
    request.timeout_millis = canary.name == "compiled" ? settings.compile_timeout_millis : settings.timeout_millis;
    CanaryResult result{.name = canary.name};
    for (size_t tries = 0; !result.passed; ++tries) {
      TRY_ASSIGN(const AttemptResult attempt, runner.Run(request));
      result.passed = attempt.outcome.kind == OutcomeKind::kExited && attempt.outcome.exit_status == 0;
      result.detail = result.passed ? "" : WhyItFailed(attempt);
      // A healthy device whose compiler fails does not get better by waiting; one fresh process is asked.
      const bool may_recover = canary.name != "compiled";
      if (result.passed || tries == (may_recover ? std::size(kPauses) : 1)) break;
      if (may_recover && tries + 1 == std::size(kPauses) && settings.recover) TRY(settings.recover());
      if (may_recover) TRY(clock.SleepMillis(kPauses[tries]));
      request.isolation = Isolation::kProcess;
    }
    results.push_back(result);
    if (!result.passed) break;
  }
  return results;
}

Result<CanaryResult> RunFallbackControl(const TargetProfile& target, const CanarySettings& settings,
                                        SandboxRunner& runner) {
  CanaryResult result{.name = kFallbackControl};
  const Json& control = target.other["fallback_control"];
  if (!control.IsObject()) {
    result.passed = true;
    result.detail = "not available: the target has no CPU fallback";
    return result;
  }
  TRY_ASSIGN(const AttemptResult attempt, runner.Run({.script = ControlScript(target, control),
                                                      .file_name = "canary_fallback_control.py",
                                                      .role = Role::kProof,
                                                      .isolation = settings.isolation,
                                                      .timeout_millis = settings.timeout_millis}));
  if (attempt.outcome.kind != OutcomeKind::kExited || attempt.outcome.exit_status != 0) {
    result.detail = WhyItFailed(attempt);
    return result;
  }
  const std::vector<std::string>& found = attempt.report.fallback_operators;
  const Json& how = attempt.report.other["fallbacks"];
  // By the dispatcher, not by the list of names: that one can not miss what is on it.
  const bool detected = std::ranges::any_of(control.StringsOf("operators"), [&](const std::string& name) {
    return std::ranges::any_of(found, [&](const std::string& seen) {
      return (seen == name || seen.starts_with(name + ".")) && how.StringOr(seen) == "registration";
    });
  });
  if (!detected) {
    result.detail = "no operator that is known to run on the CPU was detected";
  } else if (Names(found, "aten::add")) {
    result.detail = "an operator of the device was taken for one of the CPU";
  }
  result.passed = result.detail.empty();
  return result;
}

const CanaryResult* FailedCanary(const std::vector<CanaryResult>& results) {
  for (const CanaryResult& result : results)
    if (!result.passed && result.name != kFallbackControl) return &result;
  return nullptr;
}

}  // namespace xpu_align
