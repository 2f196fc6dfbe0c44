// libgit2's objects as owners, its one initialisation, and its last error as ours. Used by the other files of
// edge/git, the only folder that sees libgit2.
#pragma once
#include <git2.h>

#include <memory>
#include <string>

#include "text/error.h"

namespace xpu_align {

template <auto kFree>
struct GitCleanup {
  template <typename T>
  void operator()(T* handle) const {
    kFree(handle);
  }
};
template <typename T, auto kFree>
using GitHandle = std::unique_ptr<T, GitCleanup<kFree>>;

using Repository = GitHandle<git_repository, git_repository_free>;
using Remote = GitHandle<git_remote, git_remote_free>;
using Object = GitHandle<git_object, git_object_free>;
using Commit = GitHandle<git_commit, git_commit_free>;
using Tree = GitHandle<git_tree, git_tree_free>;
using TreeEntry = GitHandle<git_tree_entry, git_tree_entry_free>;
using Blob = GitHandle<git_blob, git_blob_free>;
using Config = GitHandle<git_config, git_config_free>;
using ConfigIterator = GitHandle<git_config_iterator, git_config_iterator_free>;
using Revwalk = GitHandle<git_revwalk, git_revwalk_free>;
using ReferenceIterator = GitHandle<git_reference_iterator, git_reference_iterator_free>;

// Calls `make(&raw)`; null when libgit2 fails, with its error kept for GitError.
template <typename Handle, typename Make>
Handle Made(Make make) {
  typename Handle::pointer raw = nullptr;
  return make(&raw) == 0 ? Handle(raw) : Handle();
}

// Once a process: no system or user configuration, no hash check on reading (the indexer checks what is
// fetched), limits on what one pack and one object may hold.
void StartLibgit2();

// `context: what libgit2 said`. Kind: kNotFound for missing objects and names, kProtocol for broken objects, else kGit.
Error GitError(const std::string& context);

// The repository at `path` and no other above it; null with libgit2's error. (git_repository_open_bare would not know
// where a shallow history ends.)
Repository OpenAt(const std::string& path);

std::string ShaText(const git_oid& oid);
// kGit when `sha` is not 40 hex digits.
Result<git_oid> OidOf(const std::string& sha);
// kNotFound when there is no such commit.
Result<Commit> CommitOf(git_repository* repository, const std::string& sha);

}  // namespace xpu_align
