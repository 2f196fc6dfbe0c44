#include "app/distill_commands.h"

#include <algorithm>
#include <ostream>

#include "app/distill_map.h"
#include "app/distill_world.h"
#include "distill/drift.h"
#include "distill/missing_pin.h"
#include "distill/review_note.h"
#include "distill/verify.h"
#include "edge/store/output_folder.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

using namespace distill;

ExitCode Print(const std::vector<Finding>& findings, std::ostream& out) {
  ExitCode code = ExitCode::kComplete;
  for (const Finding& finding : findings) {
    out << FindingLine(finding) << "\n";
    if (finding.severity == Severity::kFinding) code = ExitCode::kFindings;
  }
  return code;
}

// Of what was asked for, not of what was built from it.
bool ConcernsScope(const Finding& finding) {
  return finding.check <= CheckId::kBudget || (finding.check >= CheckId::kOwner && finding.check <= CheckId::kLicence);
}

Result<ExitCode> ScopeCommand(const DistillWorld& world, std::ostream& out) {
  const Scope& scope = world.scope;
  out << "scope " << scope.id << ": " << scope.title << "\n";
  for (const ScopeRepository& repository : scope.repositories)
    out << "  " << repository.id << " " << repository.slug << " " << repository.pin << " " << repository.label << "\n";
  for (const ScopeArea& area : scope.areas) out << "  area " << area.id << ": " << area.title << "\n";
  out << "  " << scope.owners.size() << " owners respected, " << scope.exclusions.size() << " exclusions, "
      << scope.interfaces.size() << " interfaces\n  admission " << AdmissionText(scope.policy) << "\n";
  // Pins are looked at as far as clones are given.
  for (const ScopeRepository& repository : scope.repositories)
    if (world.clones.contains(repository.id)) {
      TRY(PinIn(repository, world.clones));
      out << "  pin of " << repository.id << " is in the clone\n";
    }
  return ExitCode::kComplete;
}

Result<ExitCode> ReadCommand(const DistillWorld& world, std::ostream& out) {
  TRY_ASSIGN(const Grounded grounded, GroundReadset(world.scope, world.clones));
  TRY(WriteFolder(world.folder, {{"readset.json", WriteJson(ToJson(grounded.readset))}}));
  int64_t files = 0, lines = 0;
  for (const AreaReadset& area : grounded.readset.areas) {
    files += static_cast<int64_t>(area.files.size()), lines += area.lines;
    out << area.area << ": " << area.files.size() << " files, " << area.lines << " lines, " << area.skipped.size()
        << " left out\n";
  }
  const ExitCode code = Print(grounded.findings, out);
  out << "read " << files << " files, " << lines << " lines in " << grounded.readset.areas.size() << " areas into "
      << (world.folder / "readset.json").string() << "\n";
  return code;
}

Result<ExitCode> BuildCommand(const DistillWorld& world, std::ostream& out) {
  TRY_ASSIGN(const Grounded grounded, GroundReadset(world.scope, world.clones));
  FileFactCache cache(world.cache_folder);
  const Built built = Build(world.scope, grounded, world.admission, &cache);
  TRY(WriteFolder(world.folder, built.outputs));
  const ExitCode code = Print(built.findings, out);
  out << "admission " << AdmissionText(world.scope.policy) << "\nbuilt " << built.figures.facts << " facts of "
      << built.areas.size() << " areas; lexed " << built.figures.files_lexed << " files, "
      << built.figures.files_from_cache << " were known; read " << (world.folder / "review-note.md").string() << "\n";
  return code;
}

Result<ExitCode> VerifyCommand(const DistillWorld& world, std::ostream& out) {
  auto outputs = ReadFolder(world.folder);
  if (!outputs) return Fail(ErrorKind::kFileSystem, outputs.error().message + "; run `xpu-align distill build` first");
  TRY_ASSIGN(const Verified verified, Verify(world.scope, world.clones, *outputs, world.admission));
  const ExitCode code = Print(verified.findings, out);
  out << "checked " << verified.figures.files << " files, " << verified.figures.facts << " facts, "
      << verified.figures.citations << " citations: "
      << (code == ExitCode::kComplete                             ? "everything resolves"
          : std::ranges::all_of(verified.findings, ConcernsScope) ? "everything resolves; the scope has findings"
                                                                  : "do not use this output")
      << "\n";
  return code;
}

Result<ExitCode> DriftCommand(const DistillWorld& world, std::ostream& out) {
  if (world.other_pins.empty())
    return Fail(ErrorKind::kUsage, "distill drift compares with --pin ID=SHA; give at least one");
  FileFactCache cache(world.cache_folder);
  TRY_ASSIGN(const Drift drift, ComputeDrift(world.scope, world.clones, world.other_pins, &cache));
  TRY(WriteFolder(world.folder, {{"drift.json", WriteJson(DriftJson(drift))}, {"drift.md", DriftMarkdown(drift)}}));
  std::map<DriftState, int64_t> counts;
  ExitCode code = Print(drift.findings, out);
  for (const AreaDrift& area : drift.areas)
    for (const auto& [state, count] : area.counts) {
      counts[state] += count;
      if (std::ranges::find(world.fail_on, state) != world.fail_on.end()) code = ExitCode::kFindings;
    }
  for (const auto& [state, count] : counts) out << StateName(state) << " " << count << ", ";
  out << "lexed " << drift.figures.files_lexed << " files, " << drift.figures.files_from_cache << " were known; read "
      << (world.folder / "drift.md").string() << "\n";
  return code;
}

}  // namespace

Result<ExitCode> DistillCommand(const Invocation& invocation, const Plan& plan, Progress& progress, std::ostream& out) {
  using Command = Result<ExitCode> (*)(const DistillWorld&, std::ostream&);
  constexpr std::pair<std::string_view, Command> kCommands[] = {{"scope", ScopeCommand},
                                                                {"read", ReadCommand},
                                                                {"build", BuildCommand},
                                                                {"verify", VerifyCommand},
                                                                {"drift", DriftCommand}};
  const std::string action = invocation.arguments.empty() ? "" : invocation.arguments[0];
  const auto* found = std::ranges::find(kCommands, action, [](const auto& entry) { return entry.first; });
  if (found != std::end(kCommands) || action == "map") {
    if (invocation.arguments.size() > 1)
      return Fail(ErrorKind::kUsage,
                  "distill " + action + " takes options only, not '" + invocation.arguments[1] + "'");
    TRY_ASSIGN(OpenedScope opened, OpenScope(invocation, plan));
    if (!opened.world) {
      Print(opened.findings, out);
      return ExitCode::kConfig;
    }
    for (const std::string& note : opened.notes) progress.Note(note);
    return action == "map" ? MapCommand(invocation, *opened.world, out) : found->second(*opened.world, out);
  }
  return Fail(ErrorKind::kUsage, "distill takes one of scope, read, build, verify, drift, map, not '" + action + "'");
}

}  // namespace xpu_align
