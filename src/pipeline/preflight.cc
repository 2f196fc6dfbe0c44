#include "pipeline/preflight.h"

#include <vector>

#include "model/schema.h"
#include "model/window.h"
#include "pipeline/isolation_choice.h"
#include "text/pattern.h"
#include "text/utf8.h"

namespace xpu_align {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;
constexpr uint64_t kDiskNeeded = uint64_t{1} << 30;  // evidence and logs of a night, with room
constexpr const char* kCollectEnvScript = "from torch.utils import collect_env\ncollect_env.main()\n";

class Stage {
 public:
  Stage(const PreflightSettings& settings, RunStore& store, SandboxRunner& runner, Clock& clock, Progress& progress)
      : settings_(settings), store_(store), runner_(runner), clock_(clock), progress_(progress) {}

  Result<InterpreterFacts> Run() {
    progress_.StageStarted("preflight", 0);
    const Status ready = CheckAll();
    TRY(store_.Write(paths::kEnvironment, WriteJson(Environment())));
    if (!ready) return std::unexpected(ready.error());
    progress_.StageFinished("torch " + UntrustedText(facts_.torch_version).ForLogLine() + ", sandbox " + level_);
    return facts_;
  }

 private:
  Status CheckAll() {
    TRY(CheckDisk());
    const auto level = runner_.SelfTest();
    Note({"sandbox self-test", level.has_value(), level ? *level : level.error().message,
          level ? "" : "`xpu-align doctor` names what is missing"});
    if (!level) return std::unexpected(level.error());
    level_ = *level;
    const auto facts = runner_.Probe();
    const std::string interpreter_remedy =
        "create one in the workspace (python -m venv .venv), install torch for the target into it, or name one with "
        "--python";
    Note({"interpreter runs", facts.has_value(), facts ? "python " + facts->python_version : facts.error().message,
          facts ? "" : interpreter_remedy});
    if (!facts) return Fail(facts.error().kind, facts.error().message + "; " + interpreter_remedy);
    facts_ = *facts;
    TRY(Require("torch imports", !facts_.torch_version.empty(), "torch",
                "reinstall torch for the target into this interpreter's environment"));
    TRY(Require("device available", facts_.device_available, "device",
                "check the driver and the permissions of the device nodes, or choose another --target"));
    CheckAge();
    TRY(DecideIsolation());
    return CollectEnvironment();
  }

  // Said before an hour of scripts, not after it. That the folders can be made, writing environment.json shows.
  Status CheckDisk() {
    if (!settings_.free_bytes) return {};
    const bool enough = *settings_.free_bytes >= kDiskNeeded;
    const std::string free = std::to_string(*settings_.free_bytes >> 20) + " MiB free";
    const std::string remedy = "make room, or choose another --workspace; " + std::to_string(kDiskNeeded >> 20) + " MiB are needed";
    Note({"disk space", enough, free, enough ? "" : remedy});
    if (enough) return {};
    return Fail(ErrorKind::kFileSystem, "preflight: only " + free + "; " + remedy);
  }

  Status Require(const std::string& name, bool passed, const char* remedy_key, const char* default_remedy) {
    const std::string remedy = settings_.target.other["remedies"].StringOr(remedy_key, default_remedy);
    const std::string detail = passed ? "" : facts_.import_error.ForLogLine();
    Note({name, passed, detail, passed ? "" : remedy});
    if (passed) return {};
    return Fail(ErrorKind::kDevice,
                "preflight: not so: " + name + (detail.empty() ? "" : " (" + detail + ")") + "; " + remedy);
  }

  // Nightly versions carry their date: 2.15.0.dev20261129+xpu.
  void CheckAge() {
    static const Pattern pattern = Pattern::Constant(R"(\.dev(\d{4})(\d\d)(\d\d))");
    const auto match = pattern.Find(facts_.torch_version);
    if (!match) return;
    const auto part = [&](size_t group) { return std::string(match->groups[group]); };
    const auto date = ParseTimestamp(part(1) + "-" + part(2) + "-" + part(3) + "T00:00:00Z");
    if (!date) return;
    const int64_t age = (clock_.NowSeconds() - *date) / kSecondsPerDay;
    const bool fresh = age <= settings_.nightly_max_age_days;
    Note({"nightly is fresh", fresh, std::to_string(age) + " days old",
          fresh ? "" : settings_.upgrade_command.empty() ? "upgrade torch in this environment" : settings_.upgrade_command});
  }

  Status DecideIsolation() {
    if (settings_.isolation) {
      isolation_ = *settings_.isolation;
      return {};
    }
    TRY_ASSIGN(const IsolationChoice choice, ChooseIsolation(settings_.target, settings_.timeout_millis, runner_));
    isolation_ = choice.isolation;
    const bool passed = choice.isolation == Isolation::kForkServer;
    Note({"fork server self-test", passed, choice.reason, passed ? "" : "each script gets a fresh interpreter, which is slower"});
    return {};
  }

  Status CollectEnvironment() {
    TRY_ASSIGN(const AttemptResult result, runner_.Run({.script = kCollectEnvScript, .file_name = "collect_env.py"}));
    const bool passed = result.outcome.kind == OutcomeKind::kExited && result.outcome.exit_status == 0;
    Note({"collect_env", passed, "", passed ? "" : "run python -m torch.utils.collect_env by hand and see"});
    return store_.Write(paths::kCollectEnv, ValidUtf8(result.output));
  }

  void Note(PreflightCheck check) {
    const std::string text = check.name + (check.detail.empty() ? "" : ": " + check.detail);
    if (check.passed) {
      progress_.Step(text);
    } else {
      progress_.Warn(text + (check.remedy.empty() ? "" : "; " + check.remedy));
    }
    checks_.push_back(std::move(check));
  }

  Json Environment() const {
    Json checks = Json::EmptyArray();
    for (const PreflightCheck& check : checks_)
      checks.Append(Json()
                        .Set("name", check.name)
                        .Set("passed", check.passed)
                        .SetIfAny("detail", check.detail)
                        .SetIfAny("remedy", check.remedy));
    return Json()
        .Set("schema", SchemaOf("environment"))
        .Set("target", settings_.target.name)
        .Set("torch_version", facts_.torch_version)
        .Set("git_version", facts_.git_version)
        .Set("python_version", facts_.python_version)
        .Set("device_name", facts_.device_name)
        .Set("device_available", facts_.device_available)
        .Set("isolation", Name(isolation_))
        .Set("sandbox_level", level_)
        .SetIfAny("upgrade", settings_.upgrade)
        .Set("checks", checks);
  }

  const PreflightSettings& settings_;
  RunStore& store_;
  SandboxRunner& runner_;
  Clock& clock_;
  Progress& progress_;
  InterpreterFacts facts_;
  std::string level_;
  Isolation isolation_ = Isolation::kProcess;
  std::vector<PreflightCheck> checks_;
};

}  // namespace

Result<InterpreterFacts> Preflight(const PreflightSettings& settings, RunStore& store, SandboxRunner& runner,
                                   Clock& clock, Progress& progress) {
  return Stage(settings, store, runner, clock, progress).Run();
}

}  // namespace xpu_align
