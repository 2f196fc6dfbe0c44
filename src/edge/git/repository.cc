#include "edge/git/repository.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "edge/git/clone.h"
#include "edge/git/commit_stream.h"
#include "edge/git/diff_reader.h"
#include "edge/git/fetch.h"

namespace xpu_align {
namespace {

// Trunk time is nearly, not wholly, in order: the walk ends after so many older commits in a row.
constexpr int kOlderInARow = 500;
constexpr int kDeepenings = 4, kDeepenFactor = 4, kMaxDepth = 20'000;  // of a shallow clone, in one run
constexpr int kHeadFetches = 20, kMaxOwnCommits = 250;                 // of pull requests without a base, in one run
constexpr unsigned kThreads = 2;

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

// An object that is missing or broken although the history names it.
bool IsDamage(const Error& error) {
  return error.kind == ErrorKind::kNotFound || error.kind == ErrorKind::kProtocol;
}

class GitRepository : public RepositoryReader {
 public:
  // Without `clone` the repository is the user's and is not changed.
  GitRepository(Repository repository, std::string trunk_branch, std::optional<CloneSettings> clone)
      : repository_(std::move(repository)),
        reader_(std::make_unique<DiffReader>(repository_.get())),
        trunk_branch_(std::move(trunk_branch)), clone_(std::move(clone)) {}

  Status Update(std::span<const int64_t> pull_requests) override {
    if (!clone_) return {};
    const bool begun = git_repository_is_empty(repository_.get()) == 0;
    pull_requests_.assign(pull_requests.begin(), pull_requests.end());
    // A depth would cut the history that a whole clone has.
    if (depth_ == 0 && (!begun || IsShallow())) depth_ = clone_->depth;
    return FetchNow();
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
    for (int deepened = 0;; ++deepened) {
      TRY_ASSIGN(TrunkWalk walk, WalkTrunk(window));
      if (walk.reached_older || !IsShallow()) return std::move(walk.commits);
      const bool can_deepen = clone_ && depth_ > 0 && depth_ < kMaxDepth && deepened < kDeepenings;
      if (!can_deepen)
        return Fail(ErrorKind::kGit,
                    "the clone is too shallow: its history begins inside the window; use a larger --depth");
      depth_ = std::min(depth_ * kDeepenFactor, kMaxDepth);
      if (clone_->progress != nullptr)
        clone_->progress->Note("the clone's history begins inside the window; fetching " + std::to_string(depth_) + " commits");
      const std::string trunk = trunk_;
      TRY(FetchNow());
      trunk_ = trunk;  // one trunk a run, though it may have moved meanwhile
    }
  }

  Result<TrunkCommit> CommitAt(const std::string& sha) override {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), sha));
    return Described(commit.get());
  }

  Result<RepositoryDiff> DiffOfCommit(const std::string& sha) override {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), sha));
    if (git_commit_parentcount(commit.get()) == 0 && IsShallow())
      return Fail(ErrorKind::kGit, "the clone ends at " + sha + "; use a larger --depth");
    return Checked(reader_->OfCommit(commit.get()));
  }

  Status DiffsOfCommits(std::span<const std::string> shas, const DiffSink& sink) override {
    if (IsShallow()) return RepositoryReader::DiffsOfCommits(shas, sink);
    const auto checked = [&](size_t at, Result<RepositoryDiff> diff) { return sink(at, Checked(std::move(diff))); };
    return StreamDiffs({git_repository_path(repository_.get()), kThreads}, shas, checked);
  }

  Result<RepositoryDiff> DiffOfPullRequest(const PullRequestRange& range) override {
    TRY(CommitOf(repository_.get(), range.head));  // not fetched here: what landed says more, and costs no request
    if (const std::string base = GhstackBase(range.head); !base.empty())
      if (auto diff = DiffAgainst(base, range.head, BaseSource::kGhstackBase)) return diff;
    // A head that is itself on the trunk was merged as it is; its base is no longer to be seen there.
    if (const std::string base = MergeBase(range.head); !base.empty() && base != range.head)
      return DiffAgainst(base, range.head, BaseSource::kMergeBase);
    if (range.parent_of_first_commit.empty())
      return Fail(ErrorKind::kGit, "the clone does not hold the base of " + range.head);
    if (!CommitOf(repository_.get(), range.parent_of_first_commit)) static_cast<void>(FetchHeadOf(range));
    return DiffAgainst(range.parent_of_first_commit, range.head, BaseSource::kParentOfFirst);
  }

  Result<UntrustedText> FileAt(const std::string& sha, const UntrustedText& path) override {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), sha));
    return ReadFileAt(repository_.get(), commit.get(), path.ForMatching());
  }

  Result<std::vector<UntrustedText>> FilesIn(const std::string& sha, const UntrustedText& folder) override {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), sha));
    return ListFilesIn(repository_.get(), commit.get(), folder.ForMatching());
  }

  Answer IsAncestor(const std::string& ancestor, const std::string& descendant) override {
    const auto older = CommitOf(repository_.get(), ancestor), newer = CommitOf(repository_.get(), descendant);
    if (!older || !newer) return Answer::kUnknown;
    if (ancestor == descendant) return Answer::kYes;
    const int found =
        git_graph_descendant_of(repository_.get(), git_commit_id(newer->get()), git_commit_id(older->get()));
    if (found == 1) return Answer::kYes;
    return found == 0 && !IsShallow() ? Answer::kNo : Answer::kUnknown;
  }

 private:
  struct TrunkWalk {
    std::vector<TrunkCommit> commits;
    bool reached_older = false;
  };

  bool IsShallow() const { return git_repository_is_shallow(repository_.get()) == 1; }

  Status FetchNow() {
    TRY_ASSIGN(Fetched fetched, Fetch(repository_.get(), *clone_, pull_requests_, depth_));
    trunk_ = std::move(fetched.trunk);
    ghstack_bases_ = std::move(fetched.ghstack_bases);
    return Reopen();
  }

  // libgit2 remembers commits at the old edge of a shallow history as commits without parents.
  Status Reopen() {
    const std::string path = clone_->directory.string();
    Repository fresh = OpenAt(path);
    if (!fresh) return std::unexpected(GitError(path));
    reader_ = std::make_unique<DiffReader>(fresh.get());
    repository_ = std::move(fresh);
    return {};
  }

  Result<TrunkWalk> WalkTrunk(const Window& window) {
    TRY_ASSIGN(const std::string trunk, TrunkSha());
    TRY_ASSIGN(const git_oid start, OidOf(trunk));
    const auto walk = Made<Revwalk>([&](git_revwalk** out) { return git_revwalk_new(out, repository_.get()); });
    if (!walk || git_revwalk_sorting(walk.get(), GIT_SORT_TIME) != 0 || git_revwalk_push(walk.get(), &start) != 0)
      return std::unexpected(GitError("walking the trunk"));
    TrunkWalk found;
    git_oid oid;
    int older = 0, code = 0;
    while (older < kOlderInARow && (code = git_revwalk_next(&oid, walk.get())) == 0) {
      TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), ShaText(oid)));
      const int64_t at = git_commit_time(commit.get());
      older = at < window.BeginSeconds() ? older + 1 : 0;
      found.reached_older = found.reached_older || older > 0;
      if (window.Contains(at)) found.commits.push_back(Described(commit.get()));
    }
    if (code != 0 && code != GIT_ITEROVER) return std::unexpected(GitError("walking the trunk"));
    return found;
  }

  // Own commits and the one below them. False when it is not ours to fetch, or it did not come.
  bool FetchHeadOf(const PullRequestRange& range) {
    if (!clone_ || !IsShallow() || range.number <= 0 || range.own_commits <= 0 || range.own_commits > kMaxOwnCommits) return false;
    if (++head_fetches_ > kHeadFetches) return false;
    const int depth = static_cast<int>(range.own_commits) + 1;
    return FetchHead(repository_.get(), *clone_, range.number, depth) && Reopen();
  }

  // An object of our own clone that should be there and is not readable: the next run begins the clone anew.
  Result<RepositoryDiff> Checked(Result<RepositoryDiff> diff) {
    if (!diff && clone_ && !IsShallow() && IsDamage(diff.error())) MarkDamaged(clone_->directory);
    return diff;
  }

  Result<RepositoryDiff> DiffAgainst(const std::string& base_sha, const std::string& head, BaseSource source) {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), head));
    auto base = CommitOf(repository_.get(), base_sha);
    if (!base) return Fail(ErrorKind::kGit, "the clone does not hold " + base_sha + ", which the diff needs");
    TRY_ASSIGN(const Tree base_tree, TreeOf(base->get()));
    TRY_ASSIGN(const Tree tree, TreeOf(commit.get()));
    TRY_ASSIGN(RepositoryDiff diff, Checked(reader_->Between(base_tree.get(), tree.get())));
    diff.base_sha = base_sha;
    diff.base_source = source;
    return diff;
  }

  // From this run's advertisement; in a repository of the user's from its own branches. Empty: none.
  std::string GhstackBase(const std::string& head) {
    if (!clone_ && !std::exchange(looked_for_ghstack_, true)) LookForGhstack();
    const auto known = ghstack_bases_.find(head);
    return known == ghstack_bases_.end() ? std::string() : known->second;
  }

  void LookForGhstack() {
    const auto branches = Made<ReferenceIterator>([&](git_reference_iterator** out) {
      return git_reference_iterator_glob_new(out, repository_.get(), "refs/*/gh/*/head");
    });
    const char* name = nullptr;
    git_oid head, base_id;
    while (branches && git_reference_next_name(&name, branches.get()) == 0) {
      const std::string base = std::string(name).substr(0, std::string_view(name).rfind('/')) + "/base";
      if (git_reference_name_to_id(&head, repository_.get(), name) == 0 &&
          git_reference_name_to_id(&base_id, repository_.get(), base.c_str()) == 0)
        ghstack_bases_.emplace(ShaText(head), ShaText(base_id));
    }
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
  std::unique_ptr<DiffReader> reader_;
  std::string trunk_branch_;
  std::optional<CloneSettings> clone_;
  std::string trunk_;
  int depth_ = 0;  // of this run's fetches; 0: all
  int head_fetches_ = 0;
  std::vector<int64_t> pull_requests_;
  std::map<std::string, std::string> ghstack_bases_;  // head -> base
  bool looked_for_ghstack_ = false;
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
  TRY(RefuseUnreadable(git_directory));
  Repository repository = OpenAt(path);
  if (!repository) return std::unexpected(GitError("can not read the repository " + path));
  return std::make_unique<GitRepository>(std::move(repository), std::move(trunk_branch), std::nullopt);
}

}  // namespace xpu_align
