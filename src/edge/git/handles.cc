#include "edge/git/handles.h"

#include "text/untrusted_text.h"

namespace xpu_align {

void StartLibgit2() {
  static const int started = [] {
    const int count = git_libgit2_init();
    for (const int level :
         {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL})
      git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
    // Nothing of a repository is ever run, and its configuration is not obeyed beyond its format.
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECTS, size_t{30'000'000});
    return count;
  }();
  CHECK(started > 0);
}

Error GitError(const std::string& context) {
  const git_error* last = git_error_last();
  const std::string said = last != nullptr && last->message != nullptr ? last->message : "unknown error";
  const bool missing = last != nullptr && (last->klass == GIT_ERROR_ODB || last->klass == GIT_ERROR_REFERENCE) &&
                       (said.contains("not found") || said.contains("no match"));
  return {missing ? ErrorKind::kNotFound : ErrorKind::kGit, context + ": " + UntrustedText(said).ForLogLine()};
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
