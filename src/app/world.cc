#include "app/world.h"

#include "app/metered_runner.h"
#include "app/system_clock.h"
#include "digest/sha256.h"
#include "edge/github/github.h"
#include "edge/http/http_client.h"
#include "edge/recording/recorded_http.h"
#include "edge/recording/recorded_repository.h"
#include "edge/sandbox/runner.h"
#include "rules/embedded.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

HttpSettings HttpOf(const World& world) {
  const auto variable = [&world](const char* name) {
    const auto found = world.environment.find(name);
    return found == world.environment.end() ? std::string() : found->second;
  };
  HttpSettings settings{.user_agent = std::string("xpu-align/") + XPU_ALIGN_VERSION};
  settings.ca_file = variable("CURL_CA_BUNDLE");
  if (settings.ca_file.empty()) settings.ca_file = variable("SSL_CERT_FILE");
  settings.ca_directory = variable("SSL_CERT_DIR");
  return settings;
}

std::filesystem::path CloneDirectoryOf(const Plan& plan, std::string name) {
  name[name.find('/')] = '+';
  return plan.cache_dir / "clones" / (name + ".git");
}

CloneSettings CloneOf(const World& world, const std::string& repository, const std::string& url) {
  CloneSettings settings{.directory = CloneDirectoryOf(world.plan, repository),
                         .url = url,
                         .http = HttpOf(world),
                         .stop_requested = StopRequested,
                         .progress = &world.progress};
  if (url.starts_with("https://") && !world.plan.token.empty()) settings.token = BearerToken(world.plan.token);
  return settings;
}

// With a token more is asked by GraphQL: the replay must ask as the recorded run did.
Result<Github> ReplayedGithub(const World& world) {
  const RecordingScope& scope = world.replayer->Scope();
  Github github{.http = ReplayHttp(*world.replayer)};
  GithubSettings settings{.api_url = scope.api_url, .repository = scope.repository};
  if (AsksWithToken(world)) settings.token = BearerToken("replayed");
  TRY_ASSIGN(github.source, MakeGithubSource(std::move(settings), *github.http, world.replayer->VirtualClock()));
  return github;
}

Result<std::unique_ptr<RepositoryReader>> OpenLiveRepository(const World& world) {
  const Plan& plan = world.plan;
  if (!plan.git_dir.empty()) return OpenReadOnly(plan.git_dir, "main");
  CloneSettings settings = CloneOf(world, plan.repository, plan.clone_url);
  settings.depth = plan.depth;
  // Of the whole history of pytorch; a recorded day's repository is small.
  if (SourceOf(plan) == RunSource::kLive) settings.space_needed = plan.depth > 0 ? 1'000'000'000 : 4'000'000'000;
  return OpenClone(std::move(settings));
}

}  // namespace

bool AsksWithToken(const World& world) {
  return world.replayer ? world.replayer->Scope().has_token : !world.plan.token.empty();
}

Result<Github> OpenGithub(const World& world) {
  return world.replayer ? ReplayedGithub(world) : OpenGithubOf(world, world.plan.repository);
}

Result<Github> OpenGithubOf(const World& world, const std::string& repository) {
  Github github{.http = MakeCurlHttp(HttpOf(world))};
  if (world.recorder) github.http = RecordHttp(std::move(github.http), *world.recorder, world.clock);
  GithubSettings settings{.api_url = world.plan.api_url, .repository = repository};
  if (AsksWithToken(world)) settings.token = BearerToken(world.plan.token);
  TRY_ASSIGN(github.source, MakeGithubSource(std::move(settings), *github.http, world.clock));
  return github;
}

Result<std::unique_ptr<RepositoryReader>> OpenRepository(const World& world) {
  if (!world.plan.use_clone) return nullptr;
  if (world.replayer) return ReplayRepository(*world.replayer);
  TRY_ASSIGN(auto repository, OpenLiveRepository(world));
  return world.recorder ? RecordRepository(std::move(repository), *world.recorder) : std::move(repository);
}

Result<std::unique_ptr<RepositoryReader>> OpenXpuOps(const World& world) {
  if (world.plan.xpu_ops_url.empty()) return nullptr;
  CloneSettings settings = CloneOf(world, kXpuOps, world.plan.xpu_ops_url);
  if (SourceOf(world.plan) == RunSource::kLive) settings.space_needed = 200'000'000;
  return OpenClone(std::move(settings));
}

namespace {

// Named after the run, so that two on one machine do not meet; removed with the runner.
std::string SeedFile(const Plan& plan) {
  return plan.cache_dir / "seeds" / (Sha256Hex(plan.run_directory.string()).substr(0, 16) + ".tar");
}

}  // namespace

std::filesystem::path CloneDirectory(const Plan& plan) { return CloneDirectoryOf(plan, plan.repository); }

Result<std::unique_ptr<SandboxRunner>> OpenSandbox(const World& world, CompileUse preload) {
  const Plan& plan = world.plan;
  if (plan.python.empty())
    return Fail(ErrorKind::kDevice, "no interpreter: neither .venv/bin/python nor .conda*/bin/python is in " +
                                        plan.workspace.string() +
                                        "; create one with `python -m venv .venv` and install the nightly of the target, or "
                                        "name one with --python");
  sandbox::RunnerSettings settings{.interpreter = {plan.python, plan.python_root},
                                   .target = world.rules.target,
                                   .user = plan.sandbox_uid,
                                   .preload = preload,
                                   .seed_file = SeedFile(plan),
                                   .stop_requested = [&progress = world.progress] {
                                     progress.Tick();  // a script that runs for minutes is seen to run
                                     return StopRequested();
                                   }};
  for (const rules::EmbeddedFile& file : rules::EmbeddedFiles())
    if (file.path.starts_with("harness/"))
      settings.harness.emplace(file.path.substr(sizeof("harness/") - 1), file.content);
  auto runner = sandbox::MakeSandboxRunner(std::move(settings));
  // An interpreter that is not there is the device side of a night, not a typing mistake.
  if (!runner && runner.error().kind == ErrorKind::kConfig) return Fail(ErrorKind::kDevice, runner.error().message);
  if (!runner) return runner;
  return MeterRunner(std::move(*runner), world.clock, &world.meter);
}

RunSource SourceOf(const Plan& plan) {
  if (!plan.replay.empty()) return RunSource::kReplayed;
  static const Pattern kLoopback = Pattern::Constant(R"(^https?://(127\.[0-9.]+|localhost|\[::1\])(:|/|$))");
  return kLoopback.FoundIn(plan.api_url) ? RunSource::kDemo : RunSource::kLive;
}

}  // namespace xpu_align
