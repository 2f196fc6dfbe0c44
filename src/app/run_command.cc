#include <algorithm>
#include <map>
#include <ostream>

#include "app/stage_commands.h"

namespace xpu_align {
namespace {

using StageFunction = Result<ExitCode> (*)(const World&, RunStore&);

// Collected before, and wholly: nothing new is to be had for a window that is over.
bool IsCollected(RunStore& store) {
  const auto bytes = store.Read(paths::kCollection);
  const auto json = bytes ? ParseJson(*bytes) : std::unexpected(bytes.error());
  if (!json) return false;
  return std::ranges::all_of(json->ArrayOf("sources"), [](const Json& source) { return source.BoolOr("complete", false); });
}

void PrintResult(const World& world, const std::vector<LedgerRow>& rows) {
  std::map<std::string_view, int> buckets;
  int done = 0;
  for (const LedgerRow& row : rows)
    if (row.bucket) ++done, ++buckets[Name(*row.bucket)];
  world.out << "report: " << (world.plan.run_directory / paths::kFullScan).string() << "\n";
  world.out << "candidates: " << rows.size() << ", tested or blocked: " << done << "\n";
  for (const Bucket bucket : AllBuckets())
    if (const auto found = buckets.find(Name(bucket)); found != buckets.end())
      world.out << "  " << found->first << ": " << found->second << "\n";
  const bool has_findings = std::ranges::any_of(rows, &LedgerRow::IsFinding);
  if (has_findings)
    world.out << "drafts: " << (world.plan.run_directory / paths::kIssueDrafts).string()
              << " (nothing has been filed; read them before you do)\n";
}

}  // namespace

Result<ExitCode> StagesAfterCollect(const World& world, RunStore& store) {
  ExitCode code = ExitCode::kComplete;
  constexpr StageFunction kStages[] = {FilterCommand, ComposeCommand, PreflightCommand, ExecuteCommand,
                                       JudgeCommand,  SettleCommand,  ReportCommand};
  std::optional<Error> device_error;
  for (const StageFunction stage : kStages) {
    auto result = stage(world, store);
    // A device that is gone stops the device work, not the report about what was done.
    if (!result && result.error().kind == ErrorKind::kDevice && stage == ExecuteCommand) {
      world.progress.Warn(result.error().message);
      device_error = result.error();
      continue;
    }
    TRY(result);
    code = Worse(code, *result);
  }
  TRY_ASSIGN(const auto rows, store.LoadLedger());
  PrintResult(world, rows);
  if (device_error) return std::unexpected<Error>(*device_error);
  return code;
}

Result<ExitCode> RunCommand(const World& world, RunStore& store) {
  const int64_t begin = world.clock.MonotonicMillis();
  TRY(OpenSandbox(world, CompileUse::kEager));  // an interpreter that is not there is said before hours of fetching
  ExitCode code = ExitCode::kComplete;
  if (IsCollected(store) && !world.recorder) {
    world.progress.Note("collected before; going on from there");
  } else {
    TRY_ASSIGN(code, CollectCommand(world, store));
  }
  TRY_ASSIGN(const ExitCode rest, StagesAfterCollect(world, store));
  const int64_t overhead = world.clock.MonotonicMillis() - begin - world.meter.sandbox_millis;
  world.out << "overhead: " << overhead / 1000 << "." << overhead / 100 % 10 << " s (wall time outside the sandbox)\n";
  return Worse(code, rest);
}

}  // namespace xpu_align
