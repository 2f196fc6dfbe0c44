#include "pipeline/attempts.h"

#include <algorithm>

#include "digest/sha256.h"
#include "pipeline/normalise.h"
#include "ports/run_store.h"

namespace xpu_align {
namespace {

bool SameBehaviour(const Attempt& a, const Attempt& b) {
  const auto type = [](const Attempt& attempt) {
    return attempt.report.exception ? attempt.report.exception->type : "";
  };
  return a.outcome.kind == b.outcome.kind && a.outcome.exit_status == b.outcome.exit_status &&
         a.outcome.signal == b.outcome.signal && type(a) == type(b) && a.report.result_line == b.report.result_line;
}

class CandidateRun {
 public:
  CandidateRun(const RunnableScript& candidate, const TargetProfile& target, const AttemptSettings& settings,
               const std::vector<Pattern>& fallback_texts, SandboxRunner& runner)
      : candidate_(candidate), target_(target), settings_(settings), fallback_texts_(fallback_texts), runner_(runner) {}

  Result<Attempts> RunAll() {
    const bool compiled = candidate_.compile_use == CompileUse::kCompiled;
    TRY(Run(Arm::kTarget, Role::kVerdict, settings_.isolation));
    size_t deciding = 0;
    if (LooksFailed(out_.attempts[0])) {
      TRY_ASSIGN(deciding, Repeat());
      if (!target_.is_reference && !candidate_.reference_script.empty())
        TRY(Run(Arm::kCpu, Role::kVerdict, settings_.isolation));
      if (compiled) TRY(Run(Arm::kEager, Role::kVerdict, Isolation::kProcess));
    }
    if (!compiled && !target_.is_reference) TRY(Run(Arm::kTarget, Role::kProof, settings_.isolation));
    NameLogs(deciding);
    return std::move(out_);
  }

 private:
  // A second opinion from a fresh process; a third when the first two disagree. The index of the attempt
  // that stands for the majority, the fresh one where there is a choice.
  Result<size_t> Repeat() {
    TRY(Run(Arm::kTarget, Role::kVerdict, Isolation::kProcess));
    if (SameBehaviour(out_.attempts[0], out_.attempts[1])) return 1;
    TRY(Run(Arm::kTarget, Role::kVerdict, Isolation::kProcess));
    return SameBehaviour(out_.attempts[0], out_.attempts[2]) && !SameBehaviour(out_.attempts[1], out_.attempts[2]) ? 0
                                                                                                                   : 2;
  }

  Status Run(Arm arm, Role role, Isolation isolation) {
    AttemptRequest request{.script = arm == Arm::kCpu ? candidate_.reference_script : candidate_.script,
                           .file_name = "repro_" + candidate_.id.Text() + ".py",
                           .arm = arm,
                           .role = role,
                           .isolation = isolation};
    if (arm == Arm::kEager) request.environment["TORCH_COMPILE_DISABLE"] = "1";
    request.timeout_millis =
        candidate_.compile_use == CompileUse::kCompiled ? settings_.compile_timeout_millis : settings_.timeout_millis;
    request.memory_bytes = settings_.memory_bytes;
    TRY_ASSIGN(AttemptResult result, runner_.Run(request));
    const std::string normalised = NormaliseOutput(result.output);
    Attempt attempt{.arm = arm, .role = role};
    attempt.number = 1 + static_cast<int>(std::ranges::count_if(out_.attempts, [&](const Attempt& other) {
                       return other.arm == arm && other.role == role;
                     }));
    attempt.isolation = Name(result.isolation);
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

  void NameLogs(size_t deciding) {
    for (size_t i = 0; i < out_.attempts.size(); ++i) {
      Attempt& attempt = out_.attempts[i];
      const std::string kind(attempt.role == Role::kProof ? Name(attempt.role) : Name(attempt.arm));
      attempt.log = i == deciding ? paths::Log(candidate_.id)
                                  : "artifacts/output_" + candidate_.id.Text() + "." + kind +
                                        std::to_string(attempt.number) + ".log";
      out_.logs[i].path = attempt.log;
    }
  }

  const RunnableScript& candidate_;
  const TargetProfile& target_;
  const AttemptSettings& settings_;
  const std::vector<Pattern>& fallback_texts_;
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

Result<Attempts> RunAttempts(const RunnableScript& candidate, const TargetProfile& target, const AttemptSettings& settings,
                             const std::vector<Pattern>& fallback_texts, SandboxRunner& runner) {
  return CandidateRun(candidate, target, settings, fallback_texts, runner).RunAll();
}

}  // namespace xpu_align
