#include "app/fix_facts.h"

#include <algorithm>
#include <fstream>

#include "edge/recording/recorded_repository.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

// Of a build: the trunk commit that it contains. A nightly is a commit of the branch `nightly` whose subject
// names the trunk commit (pytorch's tools/nightly.py takes the first 40 hex digits). Empty: unknown.
std::string TrunkOfBuild(const std::string& build, RepositoryReader& repository) {
  if (!IsFullSha(build)) return "";
  const auto trunk = repository.TrunkSha();
  if (trunk && repository.IsAncestor(build, *trunk) == Answer::kYes) return build;
  const auto commit = repository.CommitAt(build);
  if (!commit) return "";
  static const Pattern kShaInSubject = Pattern::Constant(R"(^[^\n]*?\b([0-9a-f]{40})\b)");
  const auto match = kShaInSubject.Find(commit->message.ForMatching());
  return match ? std::string(match->groups[1]) : "";
}

// The last trunk commit that resolves a member of the chain; a commit of the chain is one itself.
std::string FixCommitOf(const std::vector<Details>& chain) {
  for (const Details& member : chain)
    if (member.id.kind() == Kind::kPullRequest && !member.landed_sha.empty()) return member.landed_sha;
  for (const Details& member : chain)
    if (member.id.kind() == Kind::kCommit) return member.sha;
  return "";
}

FixReach ReachOf(const std::vector<ChangedFile>& files, const DeepFilter& classes) {
  bool shared = false, twin = false;
  for (const ChangedFile& file : files) {
    const PathClass path_class = classes.ClassOf(file.path);
    shared = shared || path_class == PathClass::kShared || path_class == PathClass::kUnknown;
    twin = twin || path_class == PathClass::kTwin;
  }
  if (shared) return FixReach::kShared;
  return twin ? FixReach::kTwinOnly : FixReach::kUnknown;
}

FixFacts FactsOfChain(const std::vector<Details>& chain, const std::string& build, const DeepFilter& classes,
                      RepositoryReader& repository) {
  FixFacts facts;
  facts.commit = FixCommitOf(chain);
  const auto pull_request = std::find_if(chain.begin(), chain.end(),
                                         [](const Details& d) { return d.id.kind() == Kind::kPullRequest; });
  if (facts.commit.empty()) {
    if (pull_request == chain.end()) {
      facts.state = FixState::kNoFix;
      return facts;
    }
    facts.state = FixState::kNotInBuild;
    facts.landing = pull_request->state == "open" ? FixLanding::kOpen : FixLanding::kClosedUnmerged;
  } else {
    facts.landing = FixLanding::kTrunk;
    if (!build.empty()) {
      const Answer answer = repository.IsAncestor(facts.commit, build);
      if (answer != Answer::kUnknown) facts.state = answer == Answer::kYes ? FixState::kInBuild : FixState::kNotInBuild;
    }
  }
  for (const Details& member : chain)
    if (!member.files.empty()) {
      facts.reach = ReachOf(member.files, classes);
      for (const ChangedFile& file : member.files) facts.files.push_back(file.path.ForJson());
      break;
    }
  return facts;
}

Result<std::unique_ptr<RepositoryReader>> OpenCloneAsItIs(const Plan& plan) {
  if (!plan.git_dir.empty()) return OpenReadOnly(plan.git_dir, "main");
  const auto directory = CloneDirectory(plan);
  std::error_code error;
  if (!std::filesystem::exists(directory / "HEAD", error))
    return Fail(ErrorKind::kNotFound, "there is no clone in " + directory.string());
  return OpenReadOnly(directory, "main");
}

}  // namespace

Result<std::unique_ptr<RepositoryReader>> OpenRepositoryForReading(const World& world) {
  if (!world.plan.use_clone) return Fail(ErrorKind::kNotFound, "--no-clone was given");
  if (world.replayer) return ReplayRepository(*world.replayer);
  TRY_ASSIGN(auto repository, OpenCloneAsItIs(world.plan));
  return world.recorder ? RecordRepository(std::move(repository), *world.recorder) : std::move(repository);
}

Result<SettleFacts> FactsFrom(const World& world, RunStore& store, RepositoryReader* repository) {
  SettleFacts facts;
  if (!repository) return facts;
  std::string build = world.plan.build_commit;
  if (build.empty()) {
    const auto bytes = store.Read(paths::kEnvironment);
    const auto environment = bytes ? ParseJson(*bytes) : std::unexpected(bytes.error());
    if (environment) build = environment->StringOr("git_version");
  }
  const std::string trunk = TrunkOfBuild(build, *repository);
  if (!build.empty() && trunk.empty())
    world.progress.Note("fix state unknown: the build's commit '" + UntrustedText(build).ForLogLine(40) +
                        "' is not in the clone; name the trunk commit with --build-commit");
  const DeepFilter& classes = world.rules.deep;
  facts.fix = [trunk, repository, &classes](const LedgerRow&, const std::vector<Details>& chain) -> Result<FixFacts> {
    return FactsOfChain(chain, trunk, classes, *repository);
  };
  return facts;
}

Status AppendStepSummary(const World& world, const std::string& markdown) {
  const auto file = world.environment.find("GITHUB_STEP_SUMMARY");
  if (file == world.environment.end() || file->second.empty()) return {};
  std::ofstream out(file->second, std::ios::app);
  out << markdown << "\n";
  // The summary is a convenience: the run's result stands without it.
  if (!out.flush()) world.progress.Warn("the step summary could not be written to " + file->second);
  return {};
}

}  // namespace xpu_align
