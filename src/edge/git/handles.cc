#include "edge/git/handles.h"

#include <git2/sys/alloc.h>

#include <cstdlib>

#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

// A delta of a few bytes can ask for gigabytes; no object of ours is near this.
constexpr size_t kMaxAllocation = 256u << 20;

void* Allocate(size_t size, const char*, int) { return size > kMaxAllocation ? nullptr : std::malloc(size); }
void* Reallocate(void* block, size_t size, const char*, int) {
  return size > kMaxAllocation ? nullptr : std::realloc(block, size);
}
void Release(void* block) { std::free(block); }

}  // namespace

void StartLibgit2() {
  static const int started = [] {
    git_allocator allocator{Allocate, Reallocate, Release};
    git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &allocator);
    const int count = git_libgit2_init();
    for (const int level :
         {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL})
      git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    // Nothing of a repository is ever run, and its configuration is not obeyed beyond its format.
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECTS, size_t{12'000'000});
    return count;
  }();
  CHECK(started > 0);
}

Error GitError(const std::string& context) {
  const git_error* last = git_error_last();
  const std::string said = last != nullptr && last->message != nullptr ? last->message : "unknown error";
  const bool missing = last != nullptr && (last->klass == GIT_ERROR_ODB || last->klass == GIT_ERROR_REFERENCE) &&
                       (said.contains("not found") || said.contains("no match"));
  const bool broken = last != nullptr && (last->klass == GIT_ERROR_ODB || last->klass == GIT_ERROR_ZLIB ||
                                          last->klass == GIT_ERROR_OBJECT || last->klass == GIT_ERROR_TREE);
  const ErrorKind kind = missing ? ErrorKind::kNotFound : broken ? ErrorKind::kProtocol : ErrorKind::kGit;
  return {kind, context + ": " + UntrustedText(said).ForLogLine()};
}

Repository OpenAt(const std::string& path) {
  return Made<Repository>([&](git_repository** out) {
    return git_repository_open_ext(out, path.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  });
}

std::string ShaText(const git_oid& oid) {
  char text[GIT_OID_SHA1_HEXSIZE + 1] = {};
  git_oid_tostr(text, sizeof text, &oid);
  return text;
}

Result<git_oid> OidOf(const std::string& sha) {
  git_oid oid;
  if (sha.size() != GIT_OID_SHA1_HEXSIZE || git_oid_fromstr(&oid, sha.c_str()) != 0)
    return Fail(ErrorKind::kGit, "not a commit id: " + UntrustedText(sha).ForLogLine(60));
  return oid;
}

Result<Commit> CommitOf(git_repository* repository, const std::string& sha) {
  TRY_ASSIGN(const git_oid oid, OidOf(sha));
  auto commit = Made<Commit>([&](git_commit** out) { return git_commit_lookup(out, repository, &oid); });
  if (!commit) return std::unexpected(GitError("commit " + sha));
  return commit;
}

}  // namespace xpu_align
