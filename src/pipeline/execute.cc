#include "pipeline/execute.h"

#include <algorithm>
#include <optional>

#include "digest/sha256.h"
#include "model/schema.h"
#include "pipeline/canaries.h"

namespace xpu_align {
namespace {

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
        progress_(progress) {}

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
    if (!done) return std::unexpected(done.error());
    TRY(store_.CompactLedger());
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
                        attempt_settings_.timeout_millis, attempt_settings_.compile_timeout_millis};
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
    return {};
  }

  // True when there is evidence for this very script and build. A kill between evidence and ledger is
  // mended here.
  Result<bool> Resume(const Pending& pending) {
    const std::string path = paths::Evidence(pending.row.id);
    if (!store_.Exists(path)) return false;
    TRY_ASSIGN(const std::string bytes, store_.Read(path));
    const auto json = ParseJson(bytes);
    const auto evidence = json ? EvidenceFromJson(*json) : Result<Evidence>(std::unexpected(json.error()));
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
    TRY(CheckDevice(CompilerToAsk()));
    for (const Pending& pending : pending_) {
      TRY(clock_.SleepMillis(0));  // a signal asked to stop?
      progress_.Step(pending.row.id.Text());
      const bool compiled = pending.runnable.composition.compile_use == CompileUse::kCompiled;
      const std::string& obstacle = !device_trouble_.empty()    ? device_trouble_
                                    : !summary_.stopped.empty() ? summary_.stopped
                                    : compiled                  ? compiler_trouble_
                                                                : kNone;
      TRY(obstacle.empty() ? RunRow(pending) : Hold(pending.row, obstacle));
    }
    return {};
  }

  CompileUse CompilerToAsk() const {
    const bool any_compiled = std::ranges::any_of(
        pending_, [](const Pending& pending) { return pending.runnable.composition.compile_use == CompileUse::kCompiled; });
    return any_compiled && compiler_trouble_.empty() ? CompileUse::kCompiled : CompileUse::kEager;
  }

  // Runs the canaries and notes what does not work.
  Status CheckDevice(CompileUse compile_use) {
    const auto canaries = CanariesOf(target_, compile_use);
    TRY_ASSIGN(canaries_, RunCanaries(canaries, canary_settings_, runner_, clock_));
    const CanaryResult* failed = FailedCanary(canaries_);
    if (!failed) return {};
    const std::string trouble = "the canary '" + failed->name + "' fails: " + failed->detail;
    (failed->name == "compiled" ? compiler_trouble_ : device_trouble_) = trouble;
    incident_ = trouble;
    progress_.Warn(trouble);
    return {};
  }

  Status RunRow(const Pending& pending) {
    Evidence evidence{.id = pending.row.id};
    evidence.target = target_.name;
    evidence.torch_version = torch_version_;
    evidence.sandbox_level = sandbox_level_;
    evidence.canaries = canaries_;
    auto attempts = RunAttempts(pending.runnable, settings_.judge, attempt_settings_, fallback_texts_, runner_);
    if (!attempts && attempts.error().kind != ErrorKind::kDevice) return std::unexpected(attempts.error());
    if (!attempts) {
      device_trouble_ = incident_ = attempts.error().message;
      attempts = Attempts{};
    }
    for (const AttemptLog& log : attempts->logs) TRY(store_.Write(log.path, log.bytes));
    if (!attempts->timing.IsNull()) timing_.Set(pending.row.id.Text(), attempts->timing);
    evidence.attempts = std::move(attempts->attempts);
    NoteIsolation(evidence);
    if (device_trouble_.empty() && std::ranges::any_of(evidence.attempts, EndedViolently)) {
      CountHang(evidence);
      // No script can harm the CPU, nor the compiler of another process.
      TRY(CheckDevice(target_.is_reference ? CompileUse::kEager : CompilerToAsk()));
    }
    evidence.incident = device_trouble_;
    const std::string bytes = WriteJson(ToJson(evidence));
    TRY(store_.Write(paths::Evidence(pending.row.id), bytes));
    if (!device_trouble_.empty()) return Hold(pending.row, device_trouble_);
    LedgerRow row = pending.row;
    row.evidence_sha256 = Sha256Hex(bytes);
    row.hold.clear();
    ++summary_.ran;
    return store_.Append(row, Durability::kNow);
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
    const bool hung = std::ranges::any_of(evidence.attempts, [](const Attempt& attempt) {
      return attempt.arm == Arm::kTarget && attempt.outcome.kind == OutcomeKind::kTimedOut;
    });
    if (hung && ++hangs_ == kMaxHangs) {
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
  std::string device_trouble_, compiler_trouble_, incident_;
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
