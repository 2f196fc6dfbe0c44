// World: what the commands work on. Made by run.cc from a plan; the edges that cost something (network,
// clone, sandbox) are opened by the command that needs them.
#pragma once
#include <iosfwd>
#include <memory>

#include "app/exit_codes.h"
#include "app/plan.h"
#include "app/rule_set.h"
#include "edge/git/repository.h"
#include "edge/recording/recorder.h"
#include "edge/recording/replayer.h"
#include "pipeline/run_identity.h"
#include "ports/clock.h"
#include "ports/github_source.h"
#include "ports/history_store.h"
#include "ports/http.h"
#include "ports/progress.h"
#include "ports/run_store.h"
#include "ports/sandbox_runner.h"

namespace xpu_align {

// What a run measures about itself.
struct Meter {
  int64_t sandbox_millis = 0;  // wall time inside calls of the sandbox runner
};

struct World {
  const Plan& plan;
  const Environment& environment;
  const RuleSet& rules;
  Clock& clock;
  Progress& progress;
  std::ostream& out;  // results only
  Meter& meter;
  HistoryStore* history = nullptr;  // of commands that collect; null: it can not be used
  Recorder* recorder = nullptr;  // --record
  Replayer* replayer = nullptr;  // --replay: network, clone and token are not touched
};

// GitHub as the plan names it. `http` lives in the result.
struct Github {
  std::unique_ptr<HttpTransport> http;
  std::unique_ptr<GithubSource> source;
};
Result<Github> OpenGithub(const World& world);
// Of a recording: whether it was made with one. Without, GitHub is asked by REST only.
bool AsksWithToken(const World& world);

// The clone of a recording, the clone to write to and update, or the user's own, read-only; null with --no-clone.
Result<std::unique_ptr<RepositoryReader>> OpenRepository(const World& world);

// Where the clone of the plan's repository is kept.
std::filesystem::path CloneDirectory(const Plan& plan);

// The kernels' repository, which lists what is known to fail: its clone and its issues.
inline constexpr const char* kXpuOps = "intel/torch-xpu-ops";
Result<std::unique_ptr<RepositoryReader>> OpenXpuOps(const World& world);
Result<Github> OpenGithubOf(const World& world, const std::string& repository);

// kDevice when no interpreter is named or found.
Result<std::unique_ptr<SandboxRunner>> OpenSandbox(const World& world, CompileUse preload);

// Where data comes from: a recording is replayed, a stand-in on loopback is a demo; drafts of neither can be filed.
RunSource SourceOf(const Plan& plan);

}  // namespace xpu_align
