// RepositoryReader: the git history of the scanned repository, read only; no work tree ever exists. Messages,
// paths and contents are untrusted. Implemented by edge/git; used by collect and settle.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/details.h"
#include "model/window.h"

namespace xpu_align {

struct TrunkCommit {
  std::string sha;
  std::vector<std::string> parents;
  UntrustedText message;                      // whole
  UntrustedText author;                       // name; addresses are not kept
  int64_t authored_at = 0, committed_at = 0;  // seconds since the epoch
};

// How the base of a diff was found.
enum class BaseSource {
  kParent,         // of a commit: its first parent
  kGhstackBase,    // the branch gh/<user>/<n>/base of a ghstack pull request
  kMergeBase,      // with the trunk
  kParentOfFirst,  // parent of the pull request's first own commit
};
inline std::string_view Name(BaseSource source) {
  switch (source) {
    case BaseSource::kParent:
      return "parent";
    case BaseSource::kGhstackBase:
      return "ghstack-base";
    case BaseSource::kMergeBase:
      return "merge-base";
    case BaseSource::kParentOfFirst:
      return "parent-of-first-commit";
  }
  return "";
}
inline std::optional<BaseSource> BaseSourceNamed(std::string_view name) {
  for (const BaseSource source :
       {BaseSource::kParent, BaseSource::kGhstackBase, BaseSource::kMergeBase, BaseSource::kParentOfFirst})
    if (Name(source) == name) return source;
  return std::nullopt;
}

struct RepositoryDiff {
  std::string base_sha;  // what the files are compared with; empty for a root commit
  BaseSource base_source = BaseSource::kParent;
  std::vector<ChangedFile> files;
  size_t files_left_out = 0;  // beyond the limit of 3,000
};

enum class Answer { kYes, kNo, kUnknown };

// Of a pull request, as far as GitHub told it; each may be empty.
struct PullRequestRange {
  std::string head;
  std::string parent_of_first_commit;  // decides when the clone is too shallow for a merge base
  int64_t number = 0;                  // 0: what a shallow clone lacks of it is not fetched
  int64_t own_commits = 0;             // 0: not known
};

// Called with the place of a commit in the list and its diff; an error ends the call.
using DiffSink = std::function<Status(size_t, Result<RepositoryDiff>)>;

class RepositoryReader {
 public:
  virtual ~RepositoryReader() = default;

  // Brings the trunk, nightly and release branches, the heads of these pull requests and the base branches of
  // those made by ghstack up to date; all else in the repository stays as it is. A head that the server does not have
  // is no error. A repository that was opened read-only is left alone, with success. kNetwork and others when the
  // server does not answer, kFileSystem when the disk has no room.
  virtual Status Update(std::span<const int64_t> pull_requests) = 0;

  // The trunk of this run: what the server advertised at Update. kNotFound when there is none.
  virtual Result<std::string> TrunkSha() = 0;
  // Full sha of a ref or of an abbreviated sha; kNotFound.
  virtual Result<std::string> Resolve(const std::string& revision) = 0;
  // Commits that the trunk reaches with committer time in the window, newest first. A shallow clone that ends inside
  // the window is deepened, within bounds; where it still does: kGit, because older ones could be missing.
  virtual Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window& window) = 0;
  // One commit, of any branch; kNotFound when the clone does not have it.
  virtual Result<TrunkCommit> CommitAt(const std::string& sha) = 0;
  // Against the first parent. kNotFound when the commit, kGit when its parent is not there.
  virtual Result<RepositoryDiff> DiffOfCommit(const std::string& sha) = 0;
  // The same for many, in this order. Implementations may read ahead with several threads.
  virtual Status DiffsOfCommits(std::span<const std::string> shas, const DiffSink& sink) {
    for (size_t i = 0; i < shas.size(); ++i) TRY(sink(i, DiffOfCommit(shas[i])));
    return {};
  }
  // Against the first to be had: ghstack's base branch, the merge base with the trunk, the parent of the first own commit
  // (a shallow clone of ours fetches it, for a bounded number of them). kNotFound when the head itself is not there.
  virtual Result<RepositoryDiff> DiffOfPullRequest(const PullRequestRange& range) = 0;
  // Names of the regular files directly in a folder ("" is the root), sorted; links and folders are left out.
  virtual Result<std::vector<UntrustedText>> FilesIn(const std::string& sha, const UntrustedText& folder) = 0;
  // Whole regular file at a commit, never a link; kNotFound when it is not there, kGit when it is over 4 MiB.
  virtual Result<UntrustedText> FileAt(const std::string& sha, const UntrustedText& path) = 0;
  // Is `ancestor` in the history of `descendant`? Unknown when the clone can not tell.
  virtual Answer IsAncestor(const std::string& ancestor, const std::string& descendant) = 0;
};

}  // namespace xpu_align
