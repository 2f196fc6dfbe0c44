#include "app/spot.h"

#include "app/stage_commands.h"
#include "edge/store/durable_file.h"
#include "model/details.h"
#include "pipeline/candidate_file.h"

namespace xpu_align {
namespace {

// Between approval and run the head of a pull request may have moved to other code.
Status CheckHeads(RunStore& store, const std::vector<Reference>& references) {
  for (const Reference& reference : references) {
    if (reference.kind != Kind::kPullRequest || reference.sha.empty()) continue;
    TRY_ASSIGN(const auto details, ReadCandidateFile(store, paths::Details(reference.Id()), DetailsFromJson));
    if (details && details->sha != reference.sha)
      return Fail(ErrorKind::kConfig, reference.Id().Text() + " was named at " + reference.sha + ", its head is now " +
                                          details->sha + "; look at the change and name the new head");
  }
  return {};
}

}  // namespace

Result<std::vector<Reference>> SpotReferences(const Plan& plan, const Environment& environment) {
  std::vector<Reference> references;
  for (const std::string& argument : plan.arguments) {
    TRY_ASSIGN(Reference reference, ParseReference(argument, plan.repository));
    references.push_back(std::move(reference));
  }
  if (!references.empty()) return references;
  const auto event_path = environment.find("GITHUB_EVENT_PATH");
  if (event_path == environment.end())
    return Fail(ErrorKind::kUsage, "spot needs a reference, for example issue:197888, or GITHUB_EVENT_PATH");
  auto bytes = ReadFile(event_path->second);
  auto event = bytes ? ParseJson(*bytes) : std::unexpected(bytes.error());
  if (!event) return Fail(event.error(), "GITHUB_EVENT_PATH");
  return ReferencesInEvent(*event, plan.repository);
}

Result<ExitCode> SpotCommand(const World& world, RunStore& store, const std::vector<Reference>& references) {
  TRY_ASSIGN(ExitCode code, CollectReferences(world, store, references));
  TRY(CheckHeads(store, references));
  TRY_ASSIGN(const ExitCode rest, StagesAfterCollect(world, store));
  return Worse(code, rest);
}

}  // namespace xpu_align
