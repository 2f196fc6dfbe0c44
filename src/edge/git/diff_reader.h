// Diffs and files of a repository as values: hunks as text, renames found, sizes limited. Leaves out patches over
// 256 KiB and files beyond 3,000. Used by repository.cc.
#pragma once
#include "edge/git/handles.h"
#include "ports/repository_reader.h"

namespace xpu_align {

// `base` null: everything in `tree` is new.
Result<RepositoryDiff> DiffTrees(git_repository* repository, git_tree* base, git_tree* tree);

// kNotFound when there is no file at `path`, kGit when it is over 4 MiB.
Result<UntrustedText> ReadFileAt(git_repository* repository, git_commit* commit, std::string_view path);

}  // namespace xpu_align
