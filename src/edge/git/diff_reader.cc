#include "edge/git/diff_reader.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxFiles = 3000;  // as many as GitHub itself lists
constexpr size_t kMaxPatchBytes = 256u << 10;
constexpr git_off_t kMaxDiffedBytes = 1 << 20;  // larger files are shown as binary
constexpr git_object_size_t kMaxFileBytes = 4u << 20;

std::string_view StatusName(git_delta_t status) {
  switch (status) {
    case GIT_DELTA_ADDED:
    case GIT_DELTA_COPIED:
      return "added";
    case GIT_DELTA_DELETED:
      return "removed";
    case GIT_DELTA_RENAMED:
      return "renamed";
    default:
      return "modified";
  }
}

// Hunks as `git diff` writes them; empty when it would be too long.
std::string HunksOf(git_patch* patch) {
  std::string text;
  const size_t hunks = git_patch_num_hunks(patch);
  for (size_t h = 0; h < hunks && text.size() <= kMaxPatchBytes; ++h) {
    const git_diff_hunk* hunk = nullptr;
    size_t lines = 0;
    if (git_patch_get_hunk(&hunk, &lines, patch, h) != 0) return {};
    text.append(hunk->header, hunk->header_len);
    for (size_t l = 0; l < lines && text.size() <= kMaxPatchBytes; ++l) {
      const git_diff_line* line = nullptr;
      if (git_patch_get_line_in_hunk(&line, patch, h, l) != 0) return {};
      if (line->origin == GIT_DIFF_LINE_CONTEXT || line->origin == GIT_DIFF_LINE_ADDITION ||
          line->origin == GIT_DIFF_LINE_DELETION)
        text += line->origin;
      text.append(line->content, line->content_len);
    }
  }
  return text.size() > kMaxPatchBytes ? std::string() : text;
}

ChangedFile FileOf(git_diff* diff, size_t index) {
  const git_diff_delta* delta = git_diff_get_delta(diff, index);
  ChangedFile file;
  const bool removed = delta->status == GIT_DELTA_DELETED;
  file.path = UntrustedText(removed ? delta->old_file.path : delta->new_file.path);
  file.status = StatusName(delta->status);
  if (delta->status == GIT_DELTA_RENAMED) file.previous_path = UntrustedText(delta->old_file.path);
  // A blob that is missing costs this file its patch, never the others theirs.
  const auto patch = Made<Patch>([&](git_patch** out) { return git_patch_from_diff(out, diff, index); });
  if (!patch) return file;
  size_t context = 0, additions = 0, deletions = 0;
  git_patch_line_stats(&context, &additions, &deletions, patch.get());
  file.additions = static_cast<int64_t>(additions);
  file.deletions = static_cast<int64_t>(deletions);
  file.patch = UntrustedText(HunksOf(patch.get()));
  return file;
}

}  // namespace

Result<RepositoryDiff> DiffTrees(git_repository* repository, git_tree* base, git_tree* tree) {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_IGNORE_FILEMODE;
  options.max_size = kMaxDiffedBytes;
  const auto diff =
      Made<Diff>([&](git_diff** out) { return git_diff_tree_to_tree(out, repository, base, tree, &options); });
  if (!diff) return std::unexpected(GitError("diff"));
  git_diff_find_options renames = GIT_DIFF_FIND_OPTIONS_INIT;
  renames.flags = GIT_DIFF_FIND_RENAMES;
  static_cast<void>(git_diff_find_similar(diff.get(), &renames));  // when it fails: added and removed
  RepositoryDiff result;
  const size_t count = git_diff_num_deltas(diff.get());
  for (size_t i = 0; i < count && i < kMaxFiles; ++i) result.files.push_back(FileOf(diff.get(), i));
  result.files_left_out = count - result.files.size();
  return result;
}

Result<UntrustedText> ReadFileAt(git_repository* repository, git_commit* commit, std::string_view path) {
  const auto tree = Made<Tree>([&](git_tree** out) { return git_commit_tree(out, commit); });
  if (!tree) return std::unexpected(GitError("tree"));
  const std::string name(path);
  const auto entry =
      Made<TreeEntry>([&](git_tree_entry** out) { return git_tree_entry_bypath(out, tree.get(), name.c_str()); });
  if (!entry || git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB)
    return Fail(ErrorKind::kNotFound, "no file " + UntrustedText(name).ForLogLine());
  const auto blob =
      Made<Blob>([&](git_blob** out) { return git_blob_lookup(out, repository, git_tree_entry_id(entry.get())); });
  if (!blob) return std::unexpected(GitError("file"));
  const git_object_size_t size = git_blob_rawsize(blob.get());
  if (size > kMaxFileBytes) return Fail(ErrorKind::kGit, UntrustedText(name).ForLogLine() + " is larger than 4 MiB");
  return UntrustedText(std::string(static_cast<const char*>(git_blob_rawcontent(blob.get())), size));
}

}  // namespace xpu_align
