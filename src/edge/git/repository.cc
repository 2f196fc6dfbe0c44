#include "edge/git/repository.h"

#include "edge/git/clone.h"
#include "edge/git/diff_reader.h"

namespace xpu_align {
namespace {

// Trunk time is nearly, not wholly, in order: the walk ends after so many older commits in a row.
constexpr int kOlderInARow = 500;

TrunkCommit Described(const git_commit* commit) {
  TrunkCommit value;
  value.sha = ShaText(*git_commit_id(commit));
  for (unsigned i = 0; i < git_commit_parentcount(commit); ++i)
    value.parents.push_back(ShaText(*git_commit_parent_id(commit, i)));
  value.message = UntrustedText(git_commit_message(commit));
  value.author = UntrustedText(git_commit_author(commit)->name);
  value.authored_at = git_commit_author(commit)->when.time;
  value.committed_at = git_commit_time(commit);
  return value;
}

Result<Tree> TreeOf(const git_commit* commit) {
  auto tree = Made<Tree>([&](git_tree** out) { return git_commit_tree(out, commit); });
  if (!tree) return std::unexpected(GitError("tree"));
  return tree;
}

// A partial clone lacks file contents and can not fetch them here: half of every diff would be missing.
Status RefusePartialClone(git_repository* repository, const std::string& path) {
  const auto config = Made<Config>([&](git_config** out) { return git_repository_config_snapshot(out, repository); });
  if (!config) return std::unexpected(GitError("configuration of " + path));
  for (const char* setting : {R"(^remote\..*\.(promisor|partialclonefilter)$)", R"(^extensions\.partialclone$)"}) {
    const auto found = Made<ConfigIterator>(
        [&](git_config_iterator** out) { return git_config_iterator_glob_new(out, config.get(), setting); });
    git_config_entry* entry = nullptr;
    if (found && git_config_next(&entry, found.get()) == 0)
      return Fail(ErrorKind::kGit,
                  path + " is a partial clone (git clone --filter), which lacks file contents; give a whole one");
  }
  return {};
}

class GitRepository : public RepositoryReader {
 public:
  // Without `clone` the repository is the user's and is not changed.
  GitRepository(Repository repository, std::string trunk_branch, std::optional<CloneSettings> clone)
      : repository_(std::move(repository)), trunk_branch_(std::move(trunk_branch)), clone_(std::move(clone)) {}

  Status Update(std::span<const int64_t> pull_requests) override {
    if (!clone_) return {};
    TRY_ASSIGN(trunk_, Fetch(repository_.get(), *clone_, pull_requests));
    return {};
  }

  Result<std::string> TrunkSha() override {
    if (!trunk_.empty()) return trunk_;
    git_oid oid;
    for (const std::string& ref : {TrunkRef(trunk_branch_), "refs/remotes/origin/" + trunk_branch_})
      if (git_reference_name_to_id(&oid, repository_.get(), ref.c_str()) == 0) return trunk_ = ShaText(oid);
    return Fail(ErrorKind::kNotFound, "the repository has no branch " + trunk_branch_);
  }

  Result<std::string> Resolve(const std::string& revision) override {
    const auto object =
        Made<Object>([&](git_object** out) { return git_revparse_single(out, repository_.get(), revision.c_str()); });
    if (!object) return std::unexpected(GitError(UntrustedText(revision).ForLogLine(60)));
    const auto commit =
        Made<Object>([&](git_object** out) { return git_object_peel(out, object.get(), GIT_OBJECT_COMMIT); });
    if (!commit) return std::unexpected(GitError(UntrustedText(revision).ForLogLine(60)));
    return ShaText(*git_object_id(commit.get()));
  }

  Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window& window) override {
    TRY_ASSIGN(const std::string trunk, TrunkSha());
    TRY_ASSIGN(const git_oid start, OidOf(trunk));
    const auto walk = Made<Revwalk>([&](git_revwalk** out) { return git_revwalk_new(out, repository_.get()); });
    if (!walk || git_revwalk_sorting(walk.get(), GIT_SORT_TIME) != 0 || git_revwalk_push(walk.get(), &start) != 0)
      return std::unexpected(GitError("walking the trunk"));
    std::vector<TrunkCommit> found;
    bool reached_older = false;
    git_oid oid;
    int older = 0, code = 0;
    while (older < kOlderInARow && (code = git_revwalk_next(&oid, walk.get())) == 0) {
      TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), ShaText(oid)));
      const int64_t at = git_commit_time(commit.get());
      older = at < window.BeginSeconds() ? older + 1 : 0;
      reached_older = reached_older || older > 0;
      if (window.Contains(at)) found.push_back(Described(commit.get()));
    }
    if (code != 0 && code != GIT_ITEROVER) return std::unexpected(GitError("walking the trunk"));
    if (!reached_older && git_repository_is_shallow(repository_.get()) == 1)
      return Fail(ErrorKind::kGit,
                  "the clone is too shallow: its history begins inside the window; use a larger --depth");
    return found;
  }

  Result<TrunkCommit> CommitAt(const std::string& sha) override {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), sha));
    return Described(commit.get());
  }

  Result<RepositoryDiff> DiffOfCommit(const std::string& sha) override {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), sha));
    if (git_commit_parentcount(commit.get()) == 0) {
      if (git_repository_is_shallow(repository_.get()) == 1)
        return Fail(ErrorKind::kGit, "the clone ends at " + sha + "; use a larger --depth");
      TRY_ASSIGN(const Tree tree, TreeOf(commit.get()));
      return DiffTrees(repository_.get(), nullptr, tree.get());
    }
    return DiffAgainst(ShaText(*git_commit_parent_id(commit.get(), 0)), commit.get());
  }

  Result<RepositoryDiff> DiffOfPullRequest(const PullRequestRange& range) override {
    TRY_ASSIGN(const Commit head, CommitOf(repository_.get(), range.head));
    const std::string base = MergeBase(range.head);
    // A head that is itself on the trunk was merged as it is; its base is no longer to be seen there.
    if (!base.empty() && base != range.head) return DiffAgainst(base, head.get());
    if (range.parent_of_first_commit.empty())
      return Fail(ErrorKind::kGit, "the clone does not hold the base of " + range.head);
    return DiffAgainst(range.parent_of_first_commit, head.get());
  }

  Result<UntrustedText> FileAt(const std::string& sha, const UntrustedText& path) override {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), sha));
    return ReadFileAt(repository_.get(), commit.get(), path.ForMatching());
  }

  Answer IsAncestor(const std::string& ancestor, const std::string& descendant) override {
    const auto older = CommitOf(repository_.get(), ancestor), newer = CommitOf(repository_.get(), descendant);
    if (!older || !newer) return Answer::kUnknown;
    if (ancestor == descendant) return Answer::kYes;
    const int found =
        git_graph_descendant_of(repository_.get(), git_commit_id(newer->get()), git_commit_id(older->get()));
    if (found == 1) return Answer::kYes;
    return found == 0 && git_repository_is_shallow(repository_.get()) == 0 ? Answer::kNo : Answer::kUnknown;
  }

 private:
  Result<RepositoryDiff> DiffAgainst(const std::string& base_sha, git_commit* commit) {
    auto base = CommitOf(repository_.get(), base_sha);
    if (!base) return Fail(ErrorKind::kGit, "the clone does not hold " + base_sha + ", which the diff needs");
    TRY_ASSIGN(const Tree base_tree, TreeOf(base->get()));
    TRY_ASSIGN(const Tree tree, TreeOf(commit));
    TRY_ASSIGN(RepositoryDiff diff, DiffTrees(repository_.get(), base_tree.get(), tree.get()));
    diff.base_sha = base_sha;
    return diff;
  }

  // Empty when there is none in the clone.
  std::string MergeBase(const std::string& head) {
    const auto trunk = TrunkSha();
    const auto one = trunk ? OidOf(*trunk) : std::unexpected(trunk.error());
    const auto two = OidOf(head);
    git_oid base;
    if (!one || !two || git_merge_base(&base, repository_.get(), &*one, &*two) != 0) return {};
    return ShaText(base);
  }

  Repository repository_;
  std::string trunk_branch_;
  std::optional<CloneSettings> clone_;
  std::string trunk_;
};

}  // namespace

Result<std::unique_ptr<RepositoryReader>> OpenClone(CloneSettings settings) {
  TRY_ASSIGN(Repository repository, OpenOrCreate(settings));
  std::string trunk_branch = settings.trunk_branch;
  return std::make_unique<GitRepository>(std::move(repository), std::move(trunk_branch), std::move(settings));
}

Result<std::unique_ptr<RepositoryReader>> OpenReadOnly(const std::filesystem::path& git_directory,
                                                       std::string trunk_branch) {
  StartLibgit2();
  const std::string path = git_directory.string();
  auto repository = Made<Repository>([&](git_repository** out) {
    return git_repository_open_ext(out, path.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  });
  if (!repository) return std::unexpected(GitError("can not read the repository " + path));
  TRY(RefusePartialClone(repository.get(), path));
  return std::make_unique<GitRepository>(std::move(repository), std::move(trunk_branch), std::nullopt);
}

}  // namespace xpu_align
