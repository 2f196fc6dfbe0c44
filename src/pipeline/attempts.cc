#include "pipeline/attempts.h"

#include <algorithm>

#include "digest/sha256.h"
#include "pipeline/canaries.h"
#include "pipeline/normalise.h"
#include "ports/run_store.h"

namespace xpu_align {
namespace {

constexpr int kMaxTargetRuns = 3;  // of which two have to agree

class CandidateRun {
 public:
  CandidateRun(const RunnableScript& candidate, const Judge& judge, const AttemptSettings& settings,
               const std::vector<Pattern>& fallback_texts, const AttemptGate& gate, SandboxRunner& runner)
      : candidate_(candidate),
        judge_(judge),
        target_(judge.Target()),
        settings_(settings),
        fallback_texts_(fallback_texts),
        gate_(gate),
        runner_(runner) {}

  Result<Attempts> RunAll() {
    const Status done = RunEach();
    if (!done && out_.unfinished.empty() && done.error().kind != ErrorKind::kDevice)
      return std::unexpected(done.error());
    if (!done && out_.unfinished.empty()) out_.unfinished = done.error().message;
    NameLogs(out_.attempts.empty() ? 0 : judge_.Decide(candidate_.composition, EvidenceSoFar()).deciding_attempt);
    return std::move(out_);
  }

 private:
  Status RunEach() {
    TRY(Run(Arm::kTarget, Role::kVerdict, settings_.isolation));
    if (LooksFailed(out_.attempts[0])) TRY(RunAgain());
    if (!IsCompiled() && !target_.is_reference) TRY(Run(Arm::kTarget, Role::kProof, settings_.isolation));
    // A clean run can be the failure, too: an error that is missing, a wrong line that is printed.
    while (Count(Arm::kTarget, Role::kVerdict) < kMaxTargetRuns &&
           judge_.NeedsAnotherAttempt(candidate_.composition, EvidenceSoFar()))
      TRY(RunAgain());
    return {};
  }

  bool IsCompiled() const { return candidate_.composition.compile_use == CompileUse::kCompiled; }

  int Count(Arm arm, Role role) const {
    return static_cast<int>(std::ranges::count_if(
        out_.attempts, [&](const Attempt& attempt) { return attempt.arm == arm && attempt.role == role; }));
  }

  // A second opinion from a fresh process, and once the controls that it is compared with.
  Status RunAgain() {
    TRY(Run(Arm::kTarget, Role::kVerdict, Isolation::kProcess));
    if (!target_.is_reference && !candidate_.reference_script.empty() && Count(Arm::kCpu, Role::kVerdict) == 0)
      TRY(Run(Arm::kCpu, Role::kVerdict, settings_.isolation));
    if (IsCompiled() && Count(Arm::kEager, Role::kVerdict) == 0)
      TRY(Run(Arm::kEager, Role::kVerdict, Isolation::kProcess));
    return {};
  }

  Evidence EvidenceSoFar() const {
    Evidence evidence{.id = candidate_.composition.id};
    evidence.target = target_.name;
    evidence.attempts = out_.attempts;
    return evidence;
  }

  Status Run(Arm arm, Role role, Isolation isolation) {
    AttemptRequest request{.script = arm == Arm::kCpu ? candidate_.reference_script : candidate_.script,
                           .file_name = "repro_" + candidate_.composition.id.Text() + ".py",
                           .arm = arm,
                           .role = role,
                           .isolation = isolation};
    // A second opinion starts from nothing: what the first compiled, or was given, must not decide again.
    const bool is_first = Count(arm, role) == 0 && arm != Arm::kEager;
    if (is_first && IsCompiled() && SeedingOf(target_) == SeedCaches::kOn) request.caches = CodeCaches::kSeeded;
    if (arm == Arm::kEager) request.environment["TORCH_COMPILE_DISABLE"] = "1";
    request.timeout_millis = IsCompiled() ? settings_.compile_timeout_millis : settings_.timeout_millis;
    request.memory_bytes = settings_.memory_bytes;
    TRY_ASSIGN(out_.unfinished, gate_(request, out_.attempts));
    if (!out_.unfinished.empty()) return Fail(ErrorKind::kDevice, out_.unfinished);
    TRY_ASSIGN(AttemptResult result, runner_.Run(request));
    const std::string normalised = NormaliseOutput(result.output);
    Attempt attempt{.arm = arm, .role = role};
    attempt.number = 1 + Count(arm, role);
    attempt.isolation = Name(result.isolation);
    attempt.isolation_reason = result.isolation_reason;
    attempt.outcome = std::move(result.outcome);
    attempt.report = NormaliseReport(std::move(result.report));
    if (arm == Arm::kTarget) AddFallbacks(result.output, &attempt.report);
    attempt.script_sha256 = Sha256Hex(request.script);
    attempt.output_sha256 = Sha256Hex(normalised);
    attempt.tail = UntrustedText(DecisiveTail(normalised));
    attempt.output_capped = result.output_capped;
    out_.timing.Append(Json()
                           .Set("arm", Name(arm))
                           .Set("role", Name(role))
                           .Set("number", attempt.number)
                           .Set("duration_millis", result.duration_millis)
                           .Set("peak_bytes", result.peak_bytes)
                           .Set("device_counters", Name(result.device_use))  // sampled, so not evidence
                           .Set("survivors", result.survivors));
    out_.attempts.push_back(std::move(attempt));
    out_.logs.push_back({.path = {}, .bytes = std::move(result.output)});
    return {};
  }

  // Operators that the target itself said it ran on the CPU.
  void AddFallbacks(std::string_view output, HarnessReport* report) const {
    std::vector<std::string>& operators = report->fallback_operators;
    for (const Pattern& pattern : fallback_texts_)
      for (const PatternMatch& match : pattern.FindAll(output))
        if (match.groups.size() > 1) operators.emplace_back(match.groups[1]);
    std::ranges::sort(operators);
    operators.erase(std::ranges::unique(operators).begin(), operators.end());
  }

  // `deciding`: the target's verdict attempt that the judge reads.
  void NameLogs(int deciding) {
    const CandidateId& id = candidate_.composition.id;
    for (size_t i = 0; i < out_.attempts.size(); ++i) {
      Attempt& attempt = out_.attempts[i];
      const bool decides = attempt.arm == Arm::kTarget && attempt.role == Role::kVerdict && attempt.number == deciding;
      const std::string kind(attempt.role == Role::kProof ? Name(attempt.role) : Name(attempt.arm));
      attempt.log = decides ? paths::Log(id)
                            : "artifacts/output_" + id.Text() + "." + kind + std::to_string(attempt.number) + ".log";
      out_.logs[i].path = attempt.log;
    }
  }

  const RunnableScript& candidate_;
  const Judge& judge_;
  const TargetProfile& target_;
  const AttemptSettings& settings_;
  const std::vector<Pattern>& fallback_texts_;
  const AttemptGate& gate_;
  SandboxRunner& runner_;
  Attempts out_;
};

}  // namespace

bool LooksFailed(const Attempt& attempt) {
  const std::string& result = attempt.report.result_line;
  return attempt.outcome.kind != OutcomeKind::kExited || attempt.outcome.exit_status != 0 || attempt.report.exception ||
         !attempt.report.exit_sync_error.empty() || result == Name(Bucket::kConfirmed) ||
         result == Name(Bucket::kRelatedFailure);
}

bool EndedViolently(const Attempt& attempt) { return attempt.outcome.kind != OutcomeKind::kExited; }

Result<Attempts> RunAttempts(const RunnableScript& candidate, const Judge& judge, const AttemptSettings& settings,
                             const std::vector<Pattern>& fallback_texts, const AttemptGate& gate,
                             SandboxRunner& runner) {
  return CandidateRun(candidate, judge, settings, fallback_texts, gate, runner).RunAll();
}

}  // namespace xpu_align
