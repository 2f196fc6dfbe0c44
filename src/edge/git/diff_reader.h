// Diffs and files of a repository as values: hunks as text, renames found, sizes limited. Leaves out patches over
// 256 KiB and files beyond 3,000. One thread; another thread takes a reader with its own handle. Used by repository.cc
// and commit_stream.cc.
#pragma once
#include "edge/git/object_cache.h"
#include "ports/repository_reader.h"

namespace xpu_align {

class DiffReader {
 public:
  // `repository` outlives the reader.
  explicit DiffReader(git_repository* repository) : repository_(repository), objects_(repository) {}

  // `before` null: everything in `after` is new. A blob that is missing costs its file the patch, never others theirs.
  Result<RepositoryDiff> Between(git_tree* before, git_tree* after);
  // Against the first parent; a root commit against nothing.
  Result<RepositoryDiff> OfCommit(git_commit* commit);

 private:
  git_repository* repository_;
  ObjectCache objects_;
};

// Names of the regular files directly in `folder`, sorted; kNotFound when there is no such folder.
Result<std::vector<UntrustedText>> ListFilesIn(git_repository* repository, git_commit* commit, std::string_view folder);

// kNotFound when there is no regular file at `path`, kGit when it is over 4 MiB.
Result<UntrustedText> ReadFileAt(git_repository* repository, git_commit* commit, std::string_view path);

}  // namespace xpu_align
