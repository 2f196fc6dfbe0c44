#include "edge/git/git_objects.h"

#include <algorithm>
#include <string_view>

#include "edge/git/handles.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

using Odb = GitHandle<git_odb, git_odb_free>;
using OdbObject = GitHandle<git_odb_object, git_odb_object_free>;
using Diff = GitHandle<git_diff, git_diff_free>;

constexpr uint16_t kSimilarity = 60;
constexpr size_t kRenameCandidates = 4000;

EntryKind KindOfMode(git_filemode_t mode) {
  switch (mode) {
    case GIT_FILEMODE_TREE:
      return EntryKind::kFolder;
    case GIT_FILEMODE_LINK:
      return EntryKind::kSymlink;
    case GIT_FILEMODE_COMMIT:
      return EntryKind::kSubmodule;
    default:
      return EntryKind::kFile;
  }
}

// No operator of git's revision language gets through.
bool IsPlainName(std::string_view name) {
  if (name.empty() || name.size() > 200 || name.contains("..")) return false;
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '/' || c == '-';
  });
}

class ClonedObjects : public GitObjects {
 public:
  ClonedObjects(Repository repository, Odb odb) : repository_(std::move(repository)), odb_(std::move(odb)) {}

  bool IsShallow() override { return git_repository_is_shallow(repository_.get()) == 1; }

  ObjectKind KindOf(const std::string& id) override {
    const auto oid = OidOf(id);
    size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    if (!oid || git_odb_read_header(&size, &type, odb_.get(), &*oid) != 0) return ObjectKind::kMissing;
    switch (type) {
      case GIT_OBJECT_COMMIT:
        return ObjectKind::kCommit;
      case GIT_OBJECT_TREE:
        return ObjectKind::kTree;
      case GIT_OBJECT_BLOB:
        return ObjectKind::kBlob;
      case GIT_OBJECT_TAG:
        return ObjectKind::kTag;
      default:
        return ObjectKind::kMissing;
    }
  }

  std::optional<std::string> CommitNamed(const std::string& revision) override {
    if (!IsPlainName(revision)) return std::nullopt;
    for (const std::string& name :
         {"refs/tags/" + revision, "refs/heads/" + revision, "refs/remotes/origin/" + revision, revision}) {
      const auto object =
          Made<Object>([&](git_object** out) { return git_revparse_single(out, repository_.get(), name.c_str()); });
      if (!object) continue;
      const auto commit =
          Made<Object>([&](git_object** out) { return git_object_peel(out, object.get(), GIT_OBJECT_COMMIT); });
      if (commit) return ShaText(*git_object_id(commit.get()));
    }
    return std::nullopt;
  }

  std::vector<NamedCommit> Tags() override {
    std::vector<NamedCommit> tags;
    git_strarray names = {};
    if (git_tag_list(&names, repository_.get()) != 0) return tags;
    for (size_t i = 0; i < names.count; ++i) {
      const auto id = CommitNamed(names.strings[i]);
      const auto commit = id ? CommitAt(*id) : Fail(ErrorKind::kNotFound, "");
      if (commit) tags.push_back({names.strings[i], *id, commit->committed_at});
    }
    git_strarray_dispose(&names);
    std::ranges::sort(tags, [](const NamedCommit& a, const NamedCommit& b) {
      return std::tie(b.committed_at, a.name) < std::tie(a.committed_at, b.name);
    });
    return tags;
  }

  Result<PinnedCommit> CommitAt(const std::string& id) override {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), id));
    return PinnedCommit{ShaText(*git_commit_tree_id(commit.get())), git_commit_time(commit.get())};
  }

  Result<std::vector<FolderEntry>> Folder(const std::string& tree_id) override {
    TRY_ASSIGN(const git_oid oid, OidOf(tree_id));
    const auto tree = Made<Tree>([&](git_tree** out) { return git_tree_lookup(out, repository_.get(), &oid); });
    if (!tree) return std::unexpected(GitError("tree " + tree_id));
    std::vector<FolderEntry> entries;
    const size_t count = git_tree_entrycount(tree.get());
    entries.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree.get(), i);
      const git_filemode_t mode = git_tree_entry_filemode_raw(entry);
      entries.push_back({git_tree_entry_name(entry), KindOfMode(git_tree_entry_filemode(entry)),
                         static_cast<uint32_t>(mode), ShaText(*git_tree_entry_id(entry))});
    }
    std::ranges::sort(entries, {}, &FolderEntry::name);
    return entries;
  }

  Result<std::string> Blob(const std::string& id) override {
    TRY_ASSIGN(const git_oid oid, OidOf(id));
    const auto object = Made<OdbObject>([&](git_odb_object** out) { return git_odb_read(out, odb_.get(), &oid); });
    if (!object) return std::unexpected(GitError("blob " + id));
    if (git_odb_object_type(object.get()) != GIT_OBJECT_BLOB) return Fail(ErrorKind::kGit, id + " is no blob");
    return std::string(static_cast<const char*>(git_odb_object_data(object.get())), git_odb_object_size(object.get()));
  }

  Result<std::vector<RenamedFile>> Renames(const std::string& from_commit, const std::string& to_commit) override {
    TRY_ASSIGN(const Tree from, TreeOf(from_commit));
    TRY_ASSIGN(const Tree to, TreeOf(to_commit));
    const auto diff = Made<Diff>(
        [&](git_diff** out) { return git_diff_tree_to_tree(out, repository_.get(), from.get(), to.get(), nullptr); });
    git_diff_find_options options = GIT_DIFF_FIND_OPTIONS_INIT;
    options.flags = GIT_DIFF_FIND_RENAMES;
    options.rename_threshold = kSimilarity;
    options.rename_limit = kRenameCandidates;
    if (!diff || git_diff_find_similar(diff.get(), &options) != 0)
      return std::unexpected(GitError("comparing two commits"));
    std::vector<RenamedFile> renames;
    for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
      const git_diff_delta* delta = git_diff_get_delta(diff.get(), i);
      if (delta->status == GIT_DELTA_RENAMED) renames.push_back({delta->old_file.path, delta->new_file.path});
    }
    return renames;
  }

 private:
  Result<Tree> TreeOf(const std::string& commit_id) {
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), commit_id));
    auto tree = Made<Tree>([&](git_tree** out) { return git_commit_tree(out, commit.get()); });
    if (!tree) return std::unexpected(GitError("tree of " + commit_id));
    return tree;
  }

  Repository repository_;
  Odb odb_;
};

// libgit2 reads the format from the configuration; a version that it does not know makes opening fail.
Status RefuseOtherFormats(git_repository* repository, const std::string& path) {
  const auto config = Made<Config>([&](git_config** out) { return git_repository_config_snapshot(out, repository); });
  const char* format = nullptr;
  if (config && git_config_get_string(&format, config.get(), "extensions.objectformat") == 0 &&
      std::string_view(format) != "sha1")
    return Fail(ErrorKind::kGit, path + " is a repository with object format " + UntrustedText(format).ForLogLine(20) +
                                     "; only sha1 can be read; clone it again in the sha1 format");
  return {};
}

}  // namespace

Result<std::unique_ptr<GitObjects>> OpenObjects(const std::filesystem::path& clone) {
  StartLibgit2();
  const std::string path = clone.string();
  auto repository = Made<Repository>([&](git_repository** out) {
    return git_repository_open_ext(out, path.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  });
  if (!repository) {
    const Error error = GitError("can not read the repository " + path);
    if (error.message.contains("objectformat") || error.message.contains("object format"))
      return Fail(ErrorKind::kGit, path + " has an object format other than sha1, which can not be read");
    return Fail(ErrorKind::kGit,
                error.message + "; --repo takes ID=DIR, DIR a clone made by git (an unpacked source tree has no pin)");
  }
  TRY(RefuseOtherFormats(repository.get(), path));
  auto odb = Made<Odb>([&](git_odb** out) { return git_repository_odb(out, repository.get()); });
  if (!odb) return std::unexpected(GitError("objects of " + path));
  return std::make_unique<ClonedObjects>(std::move(repository), std::move(odb));
}

}  // namespace xpu_align
