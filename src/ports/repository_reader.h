// RepositoryReader: the git history of the scanned repository, read only; no work tree ever exists. Messages,
// paths and contents are untrusted. Implemented by edge/git; used by collect and settle.
#pragma once
#include <cstdint>
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

struct RepositoryDiff {
  std::string base_sha;  // what the files are compared with; empty for a root commit
  std::vector<ChangedFile> files;
  size_t files_left_out = 0;  // beyond the limit of 3,000
};

enum class Answer { kYes, kNo, kUnknown };

// Of a pull request, as far as GitHub told it; each may be empty.
struct PullRequestRange {
  std::string head;
  std::string parent_of_first_commit;  // decides when the clone is too shallow for a merge base
};

class RepositoryReader {
 public:
  virtual ~RepositoryReader() = default;

  // Brings the trunk, nightly and release branches and the heads of these pull requests up to date; all
  // else in the repository stays as it is. A head that the server does not have is no error. A repository that
  // was opened read-only is left alone, with success. kNetwork and others when the server does not answer.
  virtual Status Update(std::span<const int64_t> pull_requests) = 0;

  // The trunk of this run: what the server advertised at Update. kNotFound when there is none.
  virtual Result<std::string> TrunkSha() = 0;
  // Full sha of a ref or of an abbreviated sha; kNotFound.
  virtual Result<std::string> Resolve(const std::string& revision) = 0;
  // Commits that the trunk reaches with committer time in the window, newest first. In a shallow clone
  // that ends inside the window: kGit, because older ones could be missing.
  virtual Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window& window) = 0;
  // One commit, of any branch; kNotFound when the clone does not have it.
  virtual Result<TrunkCommit> CommitAt(const std::string& sha) = 0;
  // Against the first parent. kNotFound when the commit, kGit when its parent is not there.
  virtual Result<RepositoryDiff> DiffOfCommit(const std::string& sha) = 0;
  // Against the merge base with the trunk, else against the parent of the first own commit.
  virtual Result<RepositoryDiff> DiffOfPullRequest(const PullRequestRange& range) = 0;
  // Whole file at a commit; kNotFound when it is not there, kGit when it is over 4 MiB.
  virtual Result<UntrustedText> FileAt(const std::string& sha, const UntrustedText& path) = 0;
  // Is `ancestor` in the history of `descendant`? Unknown when the clone can not tell.
  virtual Answer IsAncestor(const std::string& ancestor, const std::string& descendant) = 0;
};

}  // namespace xpu_align
