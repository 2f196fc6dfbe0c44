#include "pipeline/execute.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "digest/sha256.h"
#include "model/schema.h"
#include "pipeline/canaries.h"
#include "pipeline/stage_pace.h"
#include "pipeline/strikes.h"

namespace xpu_align {
namespace {

constexpr int64_t kLongMillis = 30'000;  // a candidate that is named in the end
constexpr size_t kMaxNamed = 5;
constexpr int kMaxHangs = 2;  // a hung kernel can wedge the machine; the second ends the night's device work

class Stage {
 public:
  Stage(const ExecuteSettings& settings, RunStore& store, SandboxRunner& runner, Clock& clock, Progress& progress)
      : settings_(settings),
        target_(settings.judge.Target()),
        attempt_settings_(settings.attempts),
        store_(store),
        runner_(runner),
        clock_(clock),
        progress_(progress),
        pace_(clock, settings.budget_millis) {}

  Result<ExecuteSummary> Run() {
    TRY(ReadEnvironment());
    for (const std::string& text : target_.fallback_texts) {
      TRY_ASSIGN(Pattern pattern, Pattern::Compile(text));
      fallback_texts_.push_back(std::move(pattern));
    }
    TRY(SelectRows());
    progress_.StageStarted("execute", pending_.size());
    const Status done = RunRows();
    TRY(WriteTiming());
    NameLongOnes();
    if (!done) return std::unexpected(done.error());
    TRY(store_.CompactLedger());
    if (summary_.stopped.empty()) summary_.stopped = ended_early_;
    progress_.StageFinished(std::to_string(summary_.ran) + " run, " + std::to_string(summary_.resumed) + " resumed, " +
                            std::to_string(summary_.held) + " held");
    if (!incident_.empty())
      return Fail(ErrorKind::kDevice,
                  incident_ + "; " + std::to_string(summary_.held) + " candidates wait for a healthy device");
    return summary_;
  }

 private:
  struct Pending {
    LedgerRow row;
    RunnableScript runnable;
    Turn turn = Turn::kFirst;

    CompileUse Use() const { return runnable.composition.compile_use; }
  };

  Status ReadEnvironment() {
    const auto bytes = store_.Read(paths::kEnvironment);
    if (!bytes && bytes.error().kind == ErrorKind::kNotFound)
      return Fail(ErrorKind::kConfig, "nothing is known about interpreter and sandbox; run `xpu-align preflight` on this directory first");
    TRY_ASSIGN(const std::string text, bytes);
    TRY_ASSIGN(const Json environment, ParseJson(text));
    TRY(CheckSchema(environment, "environment"));
    torch_version_ = environment.StringOr("torch_version");
    sandbox_level_ = environment.StringOr("sandbox_level");
    const bool may_fork = environment.StringOr("isolation") == Name(Isolation::kForkServer);
    attempt_settings_.isolation = settings_.isolation.value_or(may_fork ? Isolation::kForkServer : Isolation::kProcess);
    canary_settings_ = {target_.is_reference ? attempt_settings_.isolation : Isolation::kProcess,
                        attempt_settings_.timeout_millis, attempt_settings_.compile_timeout_millis,
                        SeedingOf(target_), settings_.recover_device};
    return {};
  }

  Status SelectRows() {
    TRY_ASSIGN(const std::vector<LedgerRow> rows, store_.LoadLedger());
    for (const LedgerRow& row : rows) {
      if (!row.IsPendingActionable() || row.deep_status != DeepStatus::kPass) continue;
      if (row.chain && row.chain->leader != row.id.Text()) continue;
      if (!store_.Exists(paths::Composition(row.id)) || !store_.Exists(paths::Script(row.id))) continue;
      TRY_ASSIGN(const std::string text, store_.Read(paths::Composition(row.id)));
      TRY_ASSIGN(const Json json, ParseJson(text));
      TRY_ASSIGN(Composition composition, CompositionFromJson(json));
      if (composition.refusal) continue;
      Pending pending{row, {.composition = std::move(composition)}};
      TRY_ASSIGN(pending.runnable.script, store_.Read(paths::Script(row.id)));
      if (store_.Exists(paths::ReferenceScript(row.id))) {
        TRY_ASSIGN(pending.runnable.reference_script, store_.Read(paths::ReferenceScript(row.id)));
      }
      TRY_ASSIGN(const bool has_evidence, Resume(pending));
      if (!has_evidence) pending_.push_back(std::move(pending));
    }
    std::ranges::stable_sort(pending_, {}, &Pending::turn);
    return {};
  }

  // True when there is evidence for this very script and build. A kill between evidence and ledger is
  // mended here.
  Result<bool> Resume(Pending& pending) {
    const std::string path = paths::Evidence(pending.row.id);
    if (!store_.Exists(path)) return false;
    TRY_ASSIGN(const std::string bytes, store_.Read(path));
    const auto json = ParseJson(bytes);
    const auto evidence = json ? EvidenceFromJson(*json) : Result<Evidence>(std::unexpected(json.error()));
    if (evidence) pending.turn = TurnOf(*evidence);
    if (!evidence || !evidence->incident.empty() || evidence->attempts.empty() ||
        evidence->attempts[0].script_sha256 != Sha256Hex(pending.runnable.script) ||
        evidence->target != target_.name || evidence->torch_version != torch_version_)
      return false;
    if (const std::string hash = Sha256Hex(bytes); pending.row.evidence_sha256 != hash || !pending.row.hold.empty()) {
      LedgerRow row = pending.row;
      row.evidence_sha256 = hash;
      row.hold.clear();
      TRY(store_.Append(row, Durability::kNow));
    }
    ++summary_.resumed;
    return true;
  }

  Status RunRows() {
    if (pending_.empty()) return {};
    TRY(CheckDevice(CanariesOf(target_, CompilerToAsk())));
    if (device_trouble_.empty()) TRY(CheckDetector());
    for (at_ = 0; at_ < pending_.size(); ++at_) {
      const Pending& pending = pending_[at_];
      TRY(clock_.SleepMillis(0));  // a signal asked to stop?
      TellWhatIsLeft();
      const std::string& obstacle = !device_trouble_.empty()               ? device_trouble_
                                    : !summary_.stopped.empty()            ? summary_.stopped
                                    : pending.Use() == CompileUse::kCompiled ? compiler_trouble_
                                                                           : kNone;
      TRY(obstacle.empty() ? RunRow(pending) : Hold(pending.row, obstacle));
      progress_.Step(pending.row.id.Text());
    }
    return {};
  }

  void TellWhatIsLeft() {
    const auto left = std::span(pending_).subspan(at_);
    const auto compiled =
        static_cast<size_t>(std::ranges::count(left, CompileUse::kCompiled, [](const Pending& p) { return p.Use(); }));
    progress_.Left(pace_.Left(left.size() - compiled, compiled));
  }

  CompileUse CompilerToAsk() const {
    const bool any_compiled = std::ranges::any_of(
        pending_, [](const Pending& pending) { return pending.Use() == CompileUse::kCompiled; });
    return any_compiled && compiler_trouble_.empty() ? CompileUse::kCompiled : CompileUse::kEager;
  }

  // Runs the canaries and notes what does not work.
  Status CheckDevice(const std::vector<Canary>& canaries) {
    progress_.Working("canaries", 0);
    TRY_ASSIGN(const std::vector<CanaryResult> results, RunCanaries(canaries, canary_settings_, runner_, clock_));
    for (const CanaryResult& result : results) Remember(result);
    const CanaryResult* failed = FailedCanary(results);
    if (!failed) return {};
    const std::string trouble = "the canary '" + failed->name + "' fails: " + failed->detail;
    (failed->name == "compiled" ? compiler_trouble_ : device_trouble_) = trouble;
    incident_ = trouble;
    progress_.Warn(trouble);
    return {};
  }

  Status CheckDetector() {
    if (target_.is_reference) return {};
    TRY_ASSIGN(const CanaryResult control, RunFallbackControl(target_, canary_settings_, runner_));
    Remember(control);
    if (!control.passed)
      progress_.Warn("device proofs of this run can not be trusted: " + control.detail +
                     "; compare `fallback_control` in the target's profile with this torch");
    return {};
  }

  // The last answer of each canary stands.
  void Remember(const CanaryResult& result) {
    const auto known = std::ranges::find(canaries_, result.name, &CanaryResult::name);
    if (known == canaries_.end()) {
      canaries_.push_back(result);
    } else {
      *known = result;
    }
  }

  // Stands before each attempt. What a crash or a hang left of the device is seen before the next script meets it.
  Result<std::string> ObstacleTo(const AttemptRequest& next, std::span<const Attempt> so_far) {
    if (!pace_.HasTimeFor(next.timeout_millis)) {
      out_of_time_ = "the stage budget of " + std::to_string(settings_.budget_millis / 1000) +
                     " s has no room for an attempt of up to " + std::to_string(next.timeout_millis / 1000) + " s";
      return out_of_time_;
    }
    if (!target_.is_reference && !so_far.empty() && so_far.back().arm != Arm::kCpu && EndedViolently(so_far.back())) {
      TRY(CheckDevice(HealthCanariesOf(target_, CompileUse::kEager)));
      if (!device_trouble_.empty()) return device_trouble_;
    }
    progress_.Working(pending_[at_].row.id.Text() + " " + std::string(Name(next.arm)) + " " + std::string(Name(next.role)),
                      next.timeout_millis);
    return std::string();
  }

  Status RunRow(const Pending& pending) {
    Evidence evidence{.id = pending.row.id};
    evidence.target = target_.name;
    evidence.torch_version = torch_version_;
    evidence.sandbox_level = sandbox_level_;
    evidence.canaries = canaries_;
    const int64_t begin = clock_.MonotonicMillis();
    out_of_time_.clear();
    const AttemptGate gate = [this](const AttemptRequest& next, std::span<const Attempt> so_far) {
      return ObstacleTo(next, so_far);
    };
    TRY_ASSIGN(Attempts attempts,
               RunAttempts(pending.runnable, settings_.judge, attempt_settings_, fallback_texts_, gate, runner_));
    if (!attempts.unfinished.empty() && device_trouble_.empty() && out_of_time_.empty())
      device_trouble_ = incident_ = attempts.unfinished;
    for (const AttemptLog& log : attempts.logs) TRY(store_.Write(log.path, log.bytes));
    if (!attempts.timing.IsNull()) timing_.Set(pending.row.id.Text(), attempts.timing);
    evidence.attempts = std::move(attempts.attempts);
    NoteIsolation(evidence);
    if (device_trouble_.empty() && out_of_time_.empty() && std::ranges::any_of(evidence.attempts, EndedViolently)) {
      CountHang(evidence);
      // No script can harm the CPU, nor the compiler of another process.
      TRY(CheckDevice(HealthCanariesOf(target_, target_.is_reference ? CompileUse::kEager : CompilerToAsk())));
    }
    const int64_t taken = clock_.MonotonicMillis() - begin;
    if (taken >= kLongMillis) long_ones_.emplace_back(taken, pending.row.id.Text());
    evidence.incident = device_trouble_.empty() ? out_of_time_ : device_trouble_;
    // Nothing was begun: there is nothing to tell, and its turn stays.
    if (!out_of_time_.empty() && evidence.attempts.empty()) return HoldForTime(pending.row);
    const std::string bytes = WriteJson(ToJson(evidence));
    TRY(store_.Write(paths::Evidence(pending.row.id), bytes));
    if (!device_trouble_.empty()) return Hold(pending.row, device_trouble_);
    if (!out_of_time_.empty()) return HoldForTime(pending.row);
    pace_.Measured(pending.Use(), taken);
    LedgerRow row = pending.row;
    row.evidence_sha256 = Sha256Hex(bytes);
    row.hold.clear();
    ++summary_.ran;
    return store_.Append(row, Durability::kNow);
  }

  // Others with shorter limits may still fit, so the stage goes on.
  Status HoldForTime(const LedgerRow& row) {
    if (ended_early_.empty()) progress_.Warn(out_of_time_ + "; what does not fit waits for the next run");
    ended_early_ = out_of_time_;
    return Hold(row, out_of_time_);
  }

  // Where the time went.
  void NameLongOnes() {
    std::ranges::sort(long_ones_, std::greater());
    std::string text;
    for (size_t i = 0; i < std::min(kMaxNamed, long_ones_.size()); ++i)
      text += (i ? ", " : "") + long_ones_[i].second + " " + std::to_string(long_ones_[i].first / 1000) + " s";
    if (!text.empty()) progress_.Note("took longest: " + text);
  }

  // Slower, and said once; every attempt's evidence says it again.
  void NoteIsolation(const Evidence& evidence) {
    if (isolation_noted_) return;
    for (const Attempt& attempt : evidence.attempts) {
      if (attempt.isolation_reason.empty()) continue;
      progress_.Note("a fresh process for each script: " + attempt.isolation_reason);
      isolation_noted_ = true;
      return;
    }
  }

  // On the reference target a script that hangs only hangs itself.
  void CountHang(const Evidence& evidence) {
    if (target_.is_reference) return;
    if (HungOnTarget(evidence) && ++hangs_ == kMaxHangs) {
      summary_.stopped = "a second candidate hung on the device; device work ended for this run";
      progress_.Warn(summary_.stopped);
    }
  }

  Status Hold(LedgerRow row, const std::string& why) {
    row.hold = why;
    ++summary_.held;
    return store_.Append(row, Durability::kNow);
  }

  // Other members, and what an interrupted run has measured, stay.
  Status WriteTiming() {
    Json timing = Json::EmptyObject();
    if (store_.Exists(paths::kTiming)) {
      TRY_ASSIGN(const std::string text, store_.Read(paths::kTiming));
      if (auto json = ParseJson(text); json && json->IsObject()) timing = std::move(*json);
    }
    Json execute = timing["execute"].IsObject() ? timing["execute"] : Json::EmptyObject();
    if (const auto* measured = timing_.AsObject())
      for (const auto& [id, attempts] : *measured) execute.Set(id, attempts);
    timing.Set("schema", SchemaOf("timing")).Set("execute", execute);
    return store_.Write(paths::kTiming, WriteJson(timing));
  }

  inline static const std::string kNone;

  const ExecuteSettings& settings_;
  const TargetProfile& target_;
  AttemptSettings attempt_settings_;
  RunStore& store_;
  SandboxRunner& runner_;
  Clock& clock_;
  Progress& progress_;
  CanarySettings canary_settings_;
  std::string torch_version_, sandbox_level_;
  std::vector<Pattern> fallback_texts_;
  std::vector<Pending> pending_;
  std::vector<CanaryResult> canaries_;
  StagePace pace_;
  size_t at_ = 0;  // of pending_: whose turn it is
  std::string device_trouble_, compiler_trouble_, incident_;
  std::string out_of_time_;  // of the candidate at hand
  std::string ended_early_;  // the budget's last word
  std::vector<std::pair<int64_t, std::string>> long_ones_;  // milliseconds, id
  int hangs_ = 0;
  bool isolation_noted_ = false;
  Json timing_;
  ExecuteSummary summary_;
};

}  // namespace

Result<ExecuteSummary> Execute(const ExecuteSettings& settings, RunStore& store, SandboxRunner& runner, Clock& clock,
                               Progress& progress) {
  return Stage(settings, store, runner, clock, progress).Run();
}

}  // namespace xpu_align
