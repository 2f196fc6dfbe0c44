#include "app/stage_commands.h"

#include <algorithm>
#include <ostream>

#include "app/fix_facts.h"
#include "app/recover_device.h"
#include "app/scan_history.h"
#include "app/upgrade_nightly.h"
#include "audit/records.h"
#include "compose/composer.h"
#include "filter/links.h"
#include "judge/judge.h"
#include "pipeline/audit.h"
#include "pipeline/collect.h"
#include "pipeline/compose.h"
#include "pipeline/execute.h"
#include "pipeline/filter.h"
#include "pipeline/filter_sample.h"
#include "pipeline/judge.h"
#include "pipeline/known_failures.h"
#include "pipeline/preflight.h"
#include "pipeline/report.h"
#include "pipeline/settle.h"

namespace xpu_align {
namespace {

// Whether any script of the run compiles: then the fork server imports the compiler once.
CompileUse PreloadFor(RunStore& store) {
  for (const std::string& name : store.List(paths::kCompositionsFolder)) {
    if (!name.ends_with(".json")) continue;
    const auto bytes = store.Read(std::string(paths::kCompositionsFolder) + "/" + name);
    const auto json = bytes ? ParseJson(*bytes) : std::unexpected(bytes.error());
    if (json && json->BoolOr("compiled", false) && !json->Has("refusal")) return CompileUse::kCompiled;
  }
  return CompileUse::kEager;
}

Status ClaimBuild(const World& world, RunStore& store, const InterpreterFacts& facts) {
  TRY_ASSIGN(auto claimed, ReadClaim(store));
  if (!claimed) return {};
  claimed->identity.torch_version = facts.torch_version;
  claimed->identity.build = world.plan.build_commit.empty() ? facts.git_version : world.plan.build_commit;
  return ClaimRun(store, *claimed);
}

// Nothing when the file system does not say.
std::optional<uint64_t> FreeBytes(const std::filesystem::path& folder) {
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  return error ? std::nullopt : std::optional<uint64_t>(space.available);
}

// A replay judges the window by the time of the recording.
int64_t TimeOfCollect(const World& world) {
  if (!world.replayer) return world.clock.NowSeconds();
  const Window& window = world.plan.window;
  return world.replayer->Scope().window_was_over ? window.EndSeconds() : window.BeginSeconds();
}

using TitleDecider = std::function<TitleDecision(Kind, const UntrustedText&)>;

// A recording holds all that a collect asks, so nothing that an earlier one fetched may shorten the questions.
Status ForgetDetails(RunStore& store) {
  for (const std::string& name : store.List(paths::kDetailsFolder))
    TRY(store.Remove(std::string(paths::kDetailsFolder) + "/" + name));
  return {};
}

Status CheckReplay(const World& world) {
  TRY(world.replayer->NothingMissing());
  const std::vector<std::string> left = world.replayer->NotAskedFor();
  if (!left.empty())
    world.progress.Note(std::to_string(left.size()) + " recorded exchanges were not asked for, the first is " + left[0]);
  return {};
}

// Beside the scan, and never a reason for it to fail.
Status WriteKnownFailures(const World& world, RunStore& store, RepositoryReader* scanned) {
  // A recording is of the scanned repository alone.
  if (world.recorder || world.replayer) return {};
  auto kernels = OpenXpuOps(world);
  if (!kernels && (kernels.error().kind == ErrorKind::kCancelled || kernels.error().kind == ErrorKind::kFileSystem))
    return std::unexpected(kernels.error());
  if (!kernels) world.progress.Warn("no known failures: " + kernels.error().message);
  if (!kernels || *kernels == nullptr) return {};
  TRY_ASSIGN(const Github issues, OpenGithubOf(world, kXpuOps));
  return CollectKnownFailures({kXpuOps, **kernels, scanned, *issues.source, store, world.progress});
}

Result<ExitCode> CollectFor(const World& world, RunStore& store, CollectRequest request,
                            const TitleDecider& decide_title, EarlierRuns* earlier = nullptr) {
  if (world.recorder || world.replayer) TRY(ForgetDetails(store));
  TRY_ASSIGN(const Github github, OpenGithub(world));
  TRY_ASSIGN(const auto repository, OpenRepository(world));
  if (!AsksWithToken(world)) {
    request.limits = "REST only, no token: links that only GitHub's timelines know are not seen";
    world.progress.Warn("no GITHUB_TOKEN: REST only, 60 requests an hour; a day of pytorch needs more, so give a token");
  }
  const CollectRules rules{
      .decide_title = decide_title,
      .links_in_text = [&world](const UntrustedText& text) { return LinksInText(text, world.plan.repository); }};
  const auto outcome = Collect(request, {*github.source, repository.get(), store, world.progress, earlier}, rules);
  // First: whatever failed, or was taken for incomplete, follows from what the recording does not hold.
  if (world.replayer) TRY(CheckReplay(world));
  TRY(outcome);
  if (request.references.empty()) TRY(WriteKnownFailures(world, store, repository.get()));
  return outcome->incomplete.empty() ? ExitCode::kComplete : ExitCode::kIncomplete;
}

void PrintStatistics(const FilterStatistics& statistics, std::ostream& out) {
  const auto table = [&out](const char* title, const std::map<std::string, size_t>& counts) {
    for (const auto& [rule, count] : counts) out << title << "\t" << rule << "\t" << count << "\n";
  };
  table("title", statistics.title_rules);
  table("title-protected", statistics.protections);
  table("deep", statistics.deep_reasons);
  table("deep-rule", statistics.deep_rules);
}

void PrintSample(const std::vector<LedgerRow>& rows, size_t of_each, std::ostream& out) {
  for (const SampledRejection& sample : SampleRejections(rows, of_each)) {
    out << sample.stage << ": " << sample.reason << " (" << sample.rows.size() << " of " << sample.of << ")\n";
    for (const LedgerRow* row : sample.rows) {
      out << "  " << row->id.Text() << "  " << row->title.ForLogLine(100) << "\n";
      if (!row->deep_reason.text.empty()) out << "    " << UntrustedText(row->deep_reason.text).ForLogLine(160) << "\n";
      out << "    " << UntrustedText(row->url).ForLogLine() << "\n";
    }
  }
}

bool IsFindingAt(FailOn fail_on, const LedgerRow& row) {
  if (fail_on == FailOn::kNever) return false;
  return row.bucket == Bucket::kConfirmed || (fail_on == FailOn::kRelatedFailure && row.IsFinding());
}

}  // namespace

Result<ExitCode> CollectCommand(const World& world, RunStore& store) {
  CollectRequest request{.repository = world.plan.repository,
                         .window = world.plan.window,
                         .events = world.plan.events,
                         .now = TimeOfCollect(world),
                         .gaps = TellGaps(world.history, world.plan, world.progress)};
  if (world.plan.catch_up) request.caught_up = world.plan.window;
  const auto earlier = EarlierRunsOf(world.recorder ? nullptr : world.history, world.plan);
  if (world.plan.max_candidates) request.max_candidates = world.plan.max_candidates;
  return CollectFor(world, store, request, [&world](Kind kind, const UntrustedText& title) {
    return world.rules.title.Decide(kind, title);
  }, earlier.get());
}

Result<ExitCode> CollectReferences(const World& world, RunStore& store, const std::vector<Reference>& references) {
  const CollectRequest request{.repository = world.plan.repository, .window = world.plan.window, .references = references};
  return CollectFor(world, store, request, [](Kind, const UntrustedText&) { return TitleDecision{}; });
}

Result<ExitCode> FilterCommand(const World& world, RunStore& store) {
  TRY_ASSIGN(const FilterStatistics statistics,
             RunFilter(store, {world.rules.title, world.rules.deep, MaterialIn}, world.progress));
  // As a stage of a run it follows collect, which has said so.
  if (world.plan.command == "filter" && statistics.title_passed.IsMany())
    world.progress.Note(statistics.title_passed.Words());
  if (world.plan.stats) PrintStatistics(statistics, world.out);
  if (world.plan.sample > 0) {
    TRY_ASSIGN(const auto rows, store.LoadLedger());
    PrintSample(rows, world.plan.sample, world.out);
  }
  return ExitCode::kComplete;
}

Result<ExitCode> ComposeCommand(const World& world, RunStore& store) {
  TRY_ASSIGN(const Composer composer, Composer::Make(world.rules.target, world.rules.cpu, world.rules.precheck));
  TRY(ComposeStage(store, composer, world.progress));
  return ExitCode::kComplete;
}

Result<ExitCode> PreflightCommand(const World& world, RunStore& store) {
  const Plan& plan = world.plan;
  PreflightSettings settings{.target = world.rules.target,
                             .isolation = plan.isolation,
                             .nightly_max_age_days = plan.nightly_max_age_days,
                             .free_bytes = FreeBytes(plan.run_directory)};
  settings.upgrade_command = UpgradeCommandLine(plan, world.rules.target);
  if (plan.upgrade_nightly) {
    TRY_ASSIGN(settings.upgrade, UpgradeNightly(world));
  }
  TRY_ASSIGN(const auto runner, OpenSandbox(world, PreloadFor(store)));
  TRY_ASSIGN(const InterpreterFacts facts, Preflight(settings, store, *runner, world.clock, world.progress));
  TRY(ClaimBuild(world, store, facts));
  return ExitCode::kComplete;
}

Result<ExitCode> ExecuteCommand(const World& world, RunStore& store) {
  TRY_ASSIGN(const auto runner, OpenSandbox(world, PreloadFor(store)));
  TRY_ASSIGN(const Judge judge, Judge::Make(world.rules.judge, world.rules.target));
  ExecuteSettings settings{.judge = judge};
  settings.isolation = world.plan.isolation;
  settings.budget_millis = world.plan.stage_budget.count() * 1000;
  settings.recover_device = DeviceRecovery(world);
  settings.attempts.timeout_millis = world.plan.timeout.count() * 1000;
  settings.attempts.compile_timeout_millis = world.plan.compile_timeout.count() * 1000;
  TRY_ASSIGN(const ExecuteSummary summary, Execute(settings, store, *runner, world.clock, world.progress));
  if (summary.stopped.empty()) return ExitCode::kComplete;
  world.progress.Warn(summary.stopped);
  return ExitCode::kIncomplete;
}

Result<ExitCode> JudgeCommand(const World& world, RunStore& store) {
  TRY_ASSIGN(const Judge judge, Judge::Make(world.rules.judge, world.rules.target));
  TRY(JudgeStage(store, judge, world.progress));
  return ExitCode::kComplete;
}

Result<ExitCode> SettleCommand(const World& world, RunStore& store) {
  TRY_ASSIGN(const Judge judge, Judge::Make(world.rules.judge, world.rules.target));
  // Without a clone the fix state is unknown; that is a fact about the run, not a failure of it.
  auto repository = OpenRepositoryForReading(world);
  if (!repository) world.progress.Note("fix state unknown: " + repository.error().message);
  TRY_ASSIGN(const SettleFacts facts,
             FactsFrom(world, store, repository ? repository->get() : nullptr));
  TRY(SettleStage(store, judge, facts, world.progress));
  return ExitCode::kComplete;
}

Result<ExitCode> ReportCommand(const World& world, RunStore& store) {
  const Plan& plan = world.plan;
  const ReportRequest request{.window = plan.window,
                              .run_name = plan.run_directory.filename().string(),
                              .repository = plan.repository,
                              .events = std::string(Name(plan.events)),
                              .source = std::string(Name(SourceOf(plan))),
                              .target = world.rules.target,
                              .continue_command = RunCommandLine(plan, plan.window)};
  TRY_ASSIGN(const ReportOutcome outcome,
             ReportStage(store, request, [&plan] { return Audit(plan.run_directory); }, world.progress));
  for (const AuditFinding& finding : outcome.findings) world.progress.Warn("audit: " + finding.check + ": " + finding.text);
  TRY(AppendStepSummary(world, outcome.summary));
  if (!outcome.findings.empty()) return ExitCode::kIncomplete;
  TRY_ASSIGN(const auto rows, store.LoadLedger());
  for (const LedgerRow& row : rows)
    if (IsFindingAt(plan.fail_on, row)) return ExitCode::kFindings;
  return ExitCode::kComplete;
}

Result<ExitCode> AuditCommand(const World& world) {
  TRY_ASSIGN(auto findings, AuditStage(world.plan.run_directory, world.progress));
  if (!findings.empty()) return ExitCode::kIncomplete;
  if (world.plan.fail_on == FailOn::kNever) return ExitCode::kComplete;
  // Read as an outsider, too: opening the directory as a run would write into it.
  TRY_ASSIGN(const AuditedRun run, ReadRun(world.plan.run_directory, &findings));
  const auto is_finding = [&world](const AuditedRow& row) {
    return row.bucket == Name(Bucket::kConfirmed) ||
           (world.plan.fail_on == FailOn::kRelatedFailure && row.bucket == Name(Bucket::kRelatedFailure));
  };
  return std::ranges::any_of(run.rows, is_finding) ? ExitCode::kFindings : ExitCode::kComplete;
}

}  // namespace xpu_align
