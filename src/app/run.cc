#include "app/run.h"

#include <unistd.h>

#include <ostream>

#include "app/distill_commands.h"
#include "app/doctor.h"
#include "app/explain.h"
#include "app/history_command.h"
#include "app/interruptible_store.h"
#include "app/options.h"
#include "app/recording.h"
#include "app/scan_history.h"
#include "app/spot.h"
#include "app/stage_commands.h"
#include "app/stream_progress.h"
#include "app/system_clock.h"
#include "edge/sandbox/launcher.h"
#include "edge/store/run_directory.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

std::string Get(const Environment& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

ProgressStyle StyleFor(const Invocation& invocation, const Environment& environment) {
  if (invocation.Flag("json")) return ProgressStyle::kJson;
  if (Get(environment, "GITHUB_ACTIONS") == "true") return ProgressStyle::kActions;
  return ::isatty(STDERR_FILENO) ? ProgressStyle::kTerminal : ProgressStyle::kPlain;
}

// Commands that read one existing directory take what it says for window and target, unless told otherwise.
Status AdoptDirectory(const Invocation& invocation, RunStore& store, Plan* plan) {
  TRY_ASSIGN(const auto claimed, ReadClaim(store));
  if (claimed && !invocation.IsGiven("target")) plan->target = claimed->identity.target;
  if (claimed && !invocation.IsGiven("repository")) plan->repository = claimed->identity.repository;
  const auto events = claimed ? EventsNamed(claimed->identity.events) : std::nullopt;
  if (events && !invocation.IsGiven("event")) plan->events = *events;
  const std::string name = claimed ? claimed->identity.window : plan->run_directory.filename().string();
  if (const auto window = Window::Named(name); window && !invocation.IsGiven("since")) plan->window = *window;
  return {};
}

Status MoveAside(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory, error)) return {};
  for (int number = 1;; ++number) {
    const fs::path aside = directory.string() + ".old" + std::to_string(number);
    if (fs::exists(aside, error)) continue;
    fs::rename(directory, aside, error);
    if (error) return Fail(ErrorKind::kFileSystem, "can not move " + directory.string() + " aside: " + error.message());
    return {};
  }
}

// A folder that no scan was collected into: a stage has nothing to do there and must not leave its files behind.
Status CheckHoldsScan(const fs::path& directory) {
  std::error_code error;
  if (fs::exists(directory / paths::kRawCandidates, error) || fs::exists(directory / paths::kLedger, error)) return {};
  return Fail(ErrorKind::kFileSystem, "there is neither " + std::string(paths::kRawCandidates) + " nor " +
                                          std::string(paths::kLedger) + " in " + directory.string() +
                                          "; run collect first, or name another directory");
}

bool MakesDirectory(const std::string& command) { return command == "run" || command == "collect" || command == "spot"; }

Result<ExitCode> Dispatch(const Invocation& invocation, Plan plan, const Environment& environment,
                          const RunStoreFactory& open_run_directory, Clock& clock, Progress& progress, std::ostream& out) {
  const std::string& command = plan.command;
  Meter meter;
  if (command == "doctor") {
    TRY_ASSIGN(const RuleSet rules, LoadRules(plan.target, plan.rules_file));
    return DoctorCommand({plan, environment, rules, clock, progress, out, meter});
  }
  if (command == "distill") return DistillCommand(invocation, plan, progress, out);
  if (command == "history") return HistoryCommand(plan, clock, progress, out);
  std::unique_ptr<Replayer> replayer;
  if (!plan.replay.empty()) {
    TRY_ASSIGN(replayer, Replayer::Open(plan.replay));
    TRY(AdoptRecording(invocation, replayer->Scope(), &plan));
  }
  // A replay neither knows nor becomes history.
  const bool is_scan = (command == "run" || command == "collect") && !replayer;
  std::unique_ptr<HistoryStore> history;
  if (is_scan && plan.catch_up) {
    history = OpenHistoryOrWarn(plan, progress);
    CatchUpWindow(history.get(), &plan, progress);
  }
  std::vector<Reference> references;
  if (command == "spot") {
    TRY_ASSIGN(references, SpotReferences(plan, environment));
    if (replayer) TRY(CheckReferences(replayer->Scope(), references));
    if (references.empty()) {
      out << "nothing to check: neither the command line nor the event names an item of " << plan.repository << "\n";
      return ExitCode::kComplete;
    }
    plan.run_directory = plan.run_directory.parent_path() / ("spot-" + references[0].Id().Text());
  } else if (command == "explain") {
    if (!invocation.Value("run").empty()) plan.run_directory = fs::absolute(invocation.Value("run")).lexically_normal();
  } else if (plan.arguments.size() > 1) {
    return Fail(ErrorKind::kUsage, command + " takes one run directory");
  } else if (plan.arguments.size() == 1) {
    plan.run_directory = fs::absolute(plan.arguments[0]).lexically_normal();
  }
  std::error_code error;
  if (!MakesDirectory(command) && !fs::is_directory(plan.run_directory, error))
    return Fail(ErrorKind::kUsage, "there is no run directory " + plan.run_directory.string() +
                                       "; name one, or start with `xpu-align run` or `xpu-align collect`");
  if (plan.run_directory.filename().empty()) plan.run_directory = plan.run_directory.parent_path();
  if (command == "audit") {
    TRY_ASSIGN(const RuleSet rules, LoadRules(plan.target, plan.rules_file));
    return AuditCommand({plan, environment, rules, clock, progress, out, meter});
  }
  if (!MakesDirectory(command) && command != "preflight") TRY(CheckHoldsScan(plan.run_directory));
  if (plan.fresh) TRY(MoveAside(plan.run_directory));
  TRY_ASSIGN(auto opened, open_run_directory ? open_run_directory(plan.run_directory) : OpenRunDirectory(plan.run_directory));
  const auto store = StopAtNextRow(std::move(opened));
  if (!MakesDirectory(command)) TRY(AdoptDirectory(invocation, *store, &plan));
  TRY_ASSIGN(const RuleSet rules, LoadRules(plan.target, plan.rules_file));
  if (MakesDirectory(command)) TRY(CheckSource(*store, SourceOf(plan)));
  TRY_ASSIGN(const auto recorder, BeginRecording(plan, references, clock.NowSeconds()));
  if (is_scan && !plan.catch_up) history = OpenHistoryOrWarn(plan, progress);
  const World world{plan, environment, rules, clock, progress, out, meter, history.get(), recorder.get(), replayer.get()};
  if (rules.own) progress.Note(rules.own->Summary());
  if (command == "explain") {
    TRY_ASSIGN(const auto claimed, ReadClaim(*store));
    if (claimed && claimed->identity.rules_sha256 != rules.sha256)
      progress.Warn("this run was made with other rules than the ones that explain it now");
    return ExplainCommand(world, *store);
  }
  const std::string scope = command == "spot" ? plan.run_directory.filename().string() : plan.window.Name();
  TRY(ClaimRun(*store, {.identity = {.repository = plan.repository,
                                     .window = scope.starts_with("spot-") ? scope : plan.window.Name(),
                                     .events = std::string(Name(plan.events)),
                                     .target = plan.target,
                                     .rules_sha256 = rules.sha256},
                        .source = SourceOf(plan),
                        .own_rules = rules.own ? rules.own->ForManifest() : Json()}));
  if (command == "spot")
    return FinishRecording(recorder.get(), SpotCommand(world, *store, references), plan, progress);
  using StageFunction = Result<ExitCode> (*)(const World&, RunStore&);
  constexpr std::pair<const char*, StageFunction> kStages[] = {
      {"run", RunCommand},           {"collect", CollectCommand}, {"filter", FilterCommand}, {"compose", ComposeCommand},
      {"preflight", PreflightCommand}, {"execute", ExecuteCommand}, {"judge", JudgeCommand},   {"settle", SettleCommand},
      {"report", ReportCommand}};
  for (const auto& [name, stage] : kStages) {
    if (name != command) continue;
    auto code = FinishRecording(recorder.get(), stage(world, *store), plan, progress);
    if (history) EnterRun(*history, plan, *store, clock, progress);
    if (command == "report") UpdateEntry(plan, *store, clock, progress);
    return code;
  }
  CHECK(false);
}

}  // namespace

int Run(const std::vector<std::string>& arguments, const Environment& environment, std::ostream& out, std::ostream& err,
        const RunStoreFactory& open_run_directory) {
  // A copy of this binary, started by itself: see edge/sandbox/launcher.h.
  if (sandbox::IsLaunch(arguments)) return sandbox::Launch();
  if (arguments.size() == 1 && arguments[0] == "--version") {
    out << "xpu-align " << XPU_ALIGN_VERSION << "\n";
    return 0;
  }
  const auto fail = [&err, &environment](const Error& error) {
    if (Get(environment, "GITHUB_ACTIONS") == "true")
      err << "::error::" << UntrustedText(error.message).ForWorkflowCommand() << std::endl;
    err << "xpu-align: " << UntrustedText(error.message).ForLogLine(2000) << std::endl;
    return static_cast<int>(ExitCodeOf(error.kind));
  };
  const auto parsed = ParseCommandLine(arguments, environment);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) {
    out << parsed->help->text;
    return 0;
  }
  CatchStopSignals();
  const auto clock = MakeSystemClock(Get(environment, "SOURCE_DATE_EPOCH"));
  const auto progress = MakeStreamProgress(err, StyleFor(parsed->invocation, environment), *clock);
  auto plan = MakePlan(parsed->invocation, environment, clock->NowSeconds());
  if (!plan) return fail(plan.error());
  const auto code =
      Dispatch(parsed->invocation, std::move(*plan), environment, open_run_directory, *clock, *progress, out);
  if (!code) return fail(code.error());
  return static_cast<int>(*code);
}

}  // namespace xpu_align
