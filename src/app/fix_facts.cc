#include "app/fix_facts.h"

#include <algorithm>
#include <fstream>

#include "edge/recording/recorded_repository.h"
#include "filter/chain_state.h"
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

// A row alone is in no chain; its own commit says the same of it. Nor do ledgers of other origin always tell.
ChainState StateOfRow(const LedgerRow& row, const std::vector<Details>& chain) {
  if (row.chain && !row.chain->state.empty()) return {row.chain->state, row.chain->commit};
  std::vector<TrunkEvent> events;
  for (const Details& member : chain) events.push_back({&member, ""});
  return StateOf(events);
}

std::string TrunkCommitOf(const Details& member) {
  return member.id.kind() == Kind::kCommit ? member.sha : member.landed_sha;
}

FixState StateIn(Answer is_in_build) {
  if (is_in_build == Answer::kUnknown) return FixState::kUnknown;
  return is_in_build == Answer::kYes ? FixState::kInBuild : FixState::kNotInBuild;
}

// The fix that a build from before its revert still has; empty when the build has none of the chain's.
std::string RevertedFixIn(const std::string& build, const std::vector<Details>& chain, RepositoryReader& repository) {
  for (const Details& member : chain)
    if (const std::string commit = TrunkCommitOf(member);
        !commit.empty() && !TakesBack(member) && repository.IsAncestor(commit, build) == Answer::kYes)
      return commit;
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

// The member whose files say what the fix changes: the one that landed as `commit`, else the first that is no revert.
const Details* FixingMember(const std::vector<Details>& chain, const std::string& commit) {
  const Details* first = nullptr;
  for (const Details& member : chain) {
    if (member.files.empty() || TakesBack(member)) continue;
    if (!commit.empty() && TrunkCommitOf(member) == commit) return &member;
    if (!first) first = &member;
  }
  return first;
}

// Nothing of the chain is on the trunk.
void TellUnlanded(const std::vector<Details>& chain, FixFacts* facts) {
  const auto pull_request = std::ranges::find(chain, Kind::kPullRequest, [](const Details& d) { return d.id.kind(); });
  if (pull_request == chain.end()) {
    facts->state = FixState::kNoFix;
    return;
  }
  facts->state = FixState::kNotInBuild;
  facts->landing = pull_request->state == "open" ? FixLanding::kOpen : FixLanding::kClosedUnmerged;
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

FixFacts FactsOfChain(const LedgerRow& row, const std::vector<Details>& chain, const std::string& build,
                      const DeepFilter& classes, RepositoryReader& repository) {
  const ChainState trunk = StateOfRow(row, chain);
  FixFacts facts;
  if (trunk.state == "landed") {
    facts.commit = trunk.commit;
    facts.landing = FixLanding::kTrunk;
    if (!build.empty()) facts.state = StateIn(repository.IsAncestor(trunk.commit, build));
  } else {
    TellUnlanded(chain, &facts);
    if (trunk.state == "reverted") {
      const Answer has_revert = build.empty() ? Answer::kUnknown : repository.IsAncestor(trunk.commit, build);
      if (has_revert == Answer::kUnknown) facts.state = FixState::kUnknown;
      if (has_revert == Answer::kNo) facts.commit = RevertedFixIn(build, chain, repository);
      if (!facts.commit.empty()) facts.state = FixState::kInBuild;
    }
  }
  if (const Details* fix = FixingMember(chain, facts.commit)) {
    facts.reach = ReachOf(fix->files, classes);
    for (const ChangedFile& file : fix->files) facts.files.push_back(file.path.ForJson());
  }
  return facts;
}

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
  facts.fix = [trunk, repository, &classes](const LedgerRow& row, const std::vector<Details>& chain) -> Result<FixFacts> {
    return FactsOfChain(row, chain, trunk, classes, *repository);
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
