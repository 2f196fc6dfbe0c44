// Rules that ask whether what was recorded may count as evidence at all: environment, integrity, errors of our
// adaptation, and proof that the target did the work.
#include <algorithm>

#include "judge/rule_table.h"

namespace xpu_align {
namespace {

Answer ScriptError(std::string text) { return {Bucket::kBlockedScriptError, std::move(text)}; }
Answer EnvironmentError(std::string text) { return {Bucket::kBlockedEnv, std::move(text)}; }
std::string Shown(std::string_view untrusted) { return UntrustedText(std::string(untrusted)).ForLogLine(); }

constexpr std::string_view kDetectorControl = "fallback-control";

std::optional<Answer> Incident(const JudgeCase& c) {
  if (c.evidence.incident.empty()) return std::nullopt;
  return EnvironmentError("device or environment incident: " + Shown(c.evidence.incident));
}

std::optional<Answer> FailedCanary(const JudgeCase& c) {
  for (const CanaryResult& canary : c.evidence.canaries)
    if (!canary.passed && canary.name != kDetectorControl)
      return EnvironmentError("the canary '" + Shown(canary.name) + "' failed: " + Shown(canary.detail));
  return std::nullopt;
}

std::optional<Answer> NotStarted(const JudgeCase& c) {
  for (const Observation& run : c.runs)
    if (run.ending == Ending::kNotStarted)
      return EnvironmentError("the interpreter did not start: " + Shown(run.attempt->outcome.detail));
  return std::nullopt;
}

std::optional<Answer> EvidenceIncomplete(const JudgeCase& c) {
  if (c.runs.empty()) return ScriptError("there is no run on the target");
  for (const Observation& run : c.runs)
    if (run.attempt->outcome.kind == OutcomeKind::kExited && !run.attempt->report.complete)
      return ScriptError("attempt " + std::to_string(run.attempt->number) +
                         " exited without the harness's final report, or with a damaged one");
  return std::nullopt;
}

std::optional<Answer> ScriptDiffers(const JudgeCase& c) {
  if (c.evidence.target != c.composition.target || c.evidence.target != c.target.name)
    return ScriptError("composition, evidence and profile are of different targets");
  for (const Attempt& attempt : c.evidence.attempts) {
    const std::string& expected =
        attempt.arm == Arm::kCpu ? c.composition.reference_script_sha256 : c.composition.script_sha256;
    if (attempt.script_sha256 != expected)
      return ScriptError("what ran (" + std::string(Name(attempt.arm)) + " arm) is not the composed script");
  }
  return std::nullopt;
}

std::optional<Answer> UntraceableScript(const JudgeCase& c) {
  if (!c.composition.spans.empty()) return std::nullopt;
  return ScriptError("no line of the script is traced to upstream text");
}

std::optional<Answer> NothingRan(const JudgeCase& c) {
  if (const TextRule* rule = FirstFound(c.data.nothing_ran, c.deciding->output.ForMatching()))
    return ScriptError("the test runner ran no test (" + rule->id + ")");
  for (const auto& [type, message] : c.deciding->failure.exceptions)
    if (type == "SkipTest" || type == "Skipped") return ScriptError("the test was skipped: " + Shown(message));
  return std::nullopt;
}

std::optional<Answer> OutOfMemory(const JudgeCase& c) {
  if (c.deciding->ending != Ending::kOutOfMemory) return std::nullopt;
  return EnvironmentError("the script needs more memory than the sandbox gives");
}

std::optional<Answer> AdaptationRuleHit(const JudgeCase& c) {
  const AdaptationRule* rule = c.AdaptationErrorOf(*c.deciding);
  if (rule == nullptr) return std::nullopt;
  return Answer{.bucket = rule->bucket, .text = rule->text, .rule = "adaptation-error:" + rule->id};
}

bool EndsWithIgnoringCase(std::string_view text, std::string_view end) {
  if (end.empty() || text.size() < end.size()) return false;
  text.remove_prefix(text.size() - end.size());
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(text.begin(), text.end(), end.begin(), [&](char a, char b) { return lower(a) == lower(b); });
}

std::optional<Answer> MissingKernel(const JudgeCase& c) {
  static const Pattern gaps[] = {
      Pattern::Constant(R"(Could not run '(aten::[\w.]+)' (?:with arguments )?from the '(\w+)' backend)"),
      Pattern::Constant(R"(operator '(aten::[\w.]+)' is not (?:currently )?implemented for the (\w+) device)")};
  const auto& raised = c.deciding->failure.exceptions;
  if (std::none_of(raised.begin(), raised.end(), [](const auto& e) { return e.first == "NotImplementedError"; }))
    return std::nullopt;
  for (const Pattern& gap : gaps) {
    const auto match = gap.Find(c.deciding->message.ForMatching());
    if (!match) continue;
    // Sparse and quantized keys of the target (SparseXPU) are its kernels, too.
    if (!EndsWithIgnoringCase(match->groups[2], c.target.dispatch_key) &&
        !EndsWithIgnoringCase(match->groups[2], c.target.device))
      continue;
    return Answer{Bucket::kBlockedPlatform,
                  "operator gap: " + c.target.device + " has no kernel for " + Shown(match->groups[1])};
  }
  return std::nullopt;
}

// The parent reads the output itself: what the harness says about fallbacks is the script's own word.
std::vector<std::string> FallbackOperators(const JudgeCase& c) {
  std::vector<std::string> operators;
  for (const Attempt& attempt : c.evidence.attempts) {
    if (attempt.arm != Arm::kTarget) continue;
    operators.insert(operators.end(), attempt.report.fallback_operators.begin(),
                     attempt.report.fallback_operators.end());
    for (const Pattern& pattern : c.data.fallback_texts)
      for (const PatternMatch& match : pattern.FindAll(attempt.tail.ForMatching())) {
        const std::string_view named = match.groups.size() > 1 ? match.groups[1] : std::string_view();
        operators.emplace_back(named.empty() ? "an unnamed operator" : named);
      }
  }
  std::sort(operators.begin(), operators.end());
  operators.erase(std::unique(operators.begin(), operators.end()), operators.end());
  return operators;
}

std::optional<Answer> CpuFallback(const JudgeCase& c) {
  if (c.target.is_reference) return std::nullopt;
  const std::vector<std::string> operators = FallbackOperators(c);
  if (operators.empty()) return std::nullopt;
  std::string text = "ran on the CPU instead of " + c.target.device + ":";
  for (size_t i = 0; i < operators.size(); ++i) text += (i == 0 ? " " : ", ") + operators[i];
  return ScriptError(Shown(text));
}

std::optional<Answer> UnreportedTimeout(const JudgeCase& c) {
  if (c.deciding->ending != Ending::kTimedOut || c.composition.oracle.kind == OracleKind::kHang) return std::nullopt;
  // Twice beyond the limit while the CPU arm ends: the target is worse, whatever was reported.
  if (c.agreeing >= 2 && c.reference == ReferenceArm::kFine) return std::nullopt;
  return ScriptError("ran into the time limit, and the report speaks of no hang");
}

std::optional<Answer> NeverCompiled(const JudgeCase& c) {
  if (c.composition.compile_use != CompileUse::kCompiled || c.eager_fails_same) return std::nullopt;
  const bool raised_while_compiling = c.deciding->failure.stage != Stage::kUnknown &&
                                      c.deciding->failure.stage != Stage::kEager;
  // A crash or a stopped run has no final report that could tell.
  if (raised_while_compiling || !c.deciding->attempt->report.complete) return std::nullopt;
  const bool compiled = std::any_of(c.runs.begin(), c.runs.end(),
                                    [](const Observation& run) { return run.attempt->report.compiled_graphs > 0; });
  if (compiled) return std::nullopt;
  return ScriptError("the script compiles something, but no graph was compiled in this run");
}

std::optional<Answer> ProofUntrusted(const JudgeCase& c) {
  if (c.target.is_reference) return std::nullopt;
  for (const CanaryResult& canary : c.evidence.canaries)
    if (!canary.passed && canary.name == kDetectorControl)
      return ScriptError("device proof can not be trusted: the detector missed a known CPU fallback");
  return std::nullopt;
}

std::optional<Answer> NoDeviceProof(const JudgeCase& c) {
  if (c.proof == DeviceProof::kContradicted) return ScriptError("the proof run saw no operator on " + c.target.device);
  if (c.proof != DeviceProof::kNone) return std::nullopt;
  return ScriptError("no proof that anything ran on " + c.target.device +
                     ": no live tensor, no allocation and no operator there");
}

constexpr JudgeRule kRules[] = {
    {"incident", "Did the device or the environment fail around these runs?", "blocked-env, decided by the incident",
     Incident},
    {"canary", "Did a canary fail before these runs?", "blocked-env, decided by the incident", FailedCanary},
    {"not-started", "Did the interpreter not start?", "blocked-env", NotStarted},
    {"evidence-incomplete", "Is there no run on the target, or one that exited without an intact final report?",
     "blocked-script-error", EvidenceIncomplete},
    {"script-differs", "Is what ran another script or another target than what was composed?",
     "blocked-script-error", ScriptDiffers},
    {"untraceable-script", "Is no part of the script traced to upstream text?", "blocked-script-error",
     UntraceableScript},
    {"nothing-ran", "Did the test runner collect nothing, or skip everything?", "blocked-script-error", NothingRan},
    {"out-of-memory", "Did the run exceed the memory limit?", "blocked-env", OutOfMemory},
    {"adaptation-error", "Is the failure one that our adaptation or the machine causes (list in judge.json and profile)?",
     "the bucket of the list's entry", AdaptationRuleHit},
    {"missing-kernel", "Did an operator have no kernel for the target (NotImplementedError)?",
     "blocked-platform, an operator gap", MissingKernel},
    {"cpu-fallback", "Did an operator run on the CPU instead of the target? (not asked of the reference target)",
     "blocked-script-error naming the operators", CpuFallback},
    {"unreported-timeout", "Did the run hit the time limit, though no hang was reported and the CPU arm does not end?",
     "blocked-script-error", UnreportedTimeout},
    {"never-compiled", "Does the script compile, but was no graph compiled?", "blocked-script-error", NeverCompiled},
    {"proof-untrusted", "Did the fallback detector fail its own control?", "blocked-script-error", ProofUntrusted},
    {"no-device-proof", "Is there no sign that anything ran on the target? (not asked of the reference target)",
     "blocked-script-error", NoDeviceProof},
};

}  // namespace

std::span<const JudgeRule> EvidenceRules() { return kRules; }

}  // namespace xpu_align
