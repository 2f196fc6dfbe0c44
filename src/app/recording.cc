#include "app/recording.h"

#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

std::unexpected<Error> Differs(const std::string& recorded, const std::string& asked) {
  return Fail(ErrorKind::kConfig, "the recording is of " + UntrustedText(recorded).ForLogLine(120) + ", asked for is " +
                                      asked + "; leave that out, or name another recording");
}

std::string TextOf(const Reference& reference) {
  if (reference.kind == Kind::kCommit) return "commit:" + reference.sha;
  return (reference.kind == Kind::kIssue ? "issue:" : "pr:") + std::to_string(reference.number) +
         (reference.sha.empty() ? "" : "@" + reference.sha);
}

std::vector<std::string> TextsOf(const std::vector<Reference>& references) {
  std::vector<std::string> texts;
  for (const Reference& reference : references) texts.push_back(TextOf(reference));
  return texts;
}

}  // namespace

Status AdoptRecording(const Invocation& invocation, const RecordingScope& scope, Plan* plan) {
  if (invocation.IsGiven("repository") && plan->repository != scope.repository)
    return Differs("repository " + scope.repository, plan->repository);
  if ((invocation.IsGiven("since") || invocation.IsGiven("until")) && plan->window != scope.window)
    return Differs("the window " + scope.window.Name(), plan->window.Name());
  if (invocation.IsGiven("event") && plan->events != scope.events)
    return Differs("items by " + std::string(Name(scope.events)), std::string(Name(plan->events)));
  if (!plan->use_clone && scope.has_clone) return Differs("a run with a clone", "--no-clone");
  const bool is_spot = plan->command == "spot";
  if (is_spot && scope.references.empty()) return Differs("the window " + scope.window.Name(), "a spot check");
  if ((plan->command == "run" || plan->command == "collect") && !scope.references.empty())
    return Differs("a spot check of " + scope.references[0], "a window");
  plan->repository = scope.repository;
  plan->window = scope.window;
  plan->events = scope.events;
  plan->use_clone = scope.has_clone;
  plan->run_directory = plan->run_directory.parent_path() / scope.window.Name();
  if (is_spot && plan->arguments.empty()) plan->arguments = scope.references;
  return {};
}

Status CheckReferences(const RecordingScope& scope, const std::vector<Reference>& references) {
  const std::vector<std::string> asked = TextsOf(references);
  if (asked == scope.references) return {};
  return Differs("a spot check of " + scope.references[0] + " (" + std::to_string(scope.references.size()) + " items)",
                 asked[0] + " (" + std::to_string(asked.size()) + " items)");
}

Result<std::unique_ptr<Recorder>> BeginRecording(const Plan& plan, const std::vector<Reference>& references, int64_t now) {
  if (plan.record.empty()) return nullptr;
  return Recorder::Begin(plan.record,
                         {.repository = plan.repository,
                          .window = plan.window,
                          .references = TextsOf(references),
                          .events = plan.events,
                          .window_was_over = now >= plan.window.EndSeconds(),
                          .api_url = plan.api_url,
                          .has_token = !plan.token.empty(),
                          .has_clone = plan.use_clone},
                         XPU_ALIGN_VERSION, plan.token);
}

Result<ExitCode> FinishRecording(Recorder* recorder, Result<ExitCode> result, const Plan& plan, Progress& progress) {
  if (!recorder || (!result && result.error().kind == ErrorKind::kCancelled)) return result;
  const auto finished = recorder->Finish();
  if (finished) {
    progress.Note(*finished + " in " + plan.record.string());
    return result;
  }
  if (result) return std::unexpected(finished.error());
  progress.Warn(finished.error().message);
  return result;
}

}  // namespace xpu_align
