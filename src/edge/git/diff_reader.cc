#include "edge/git/diff_reader.h"

#include <algorithm>
#include <string_view>

#include "edge/git/changed_middle.h"
#include "edge/git/renames.h"
#include "edge/git/tree_changes.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxFiles = 3000;  // as many as GitHub itself lists
constexpr size_t kMaxPatchBytes = 256u << 10;
constexpr git_object_size_t kMaxDiffedBytes = 1 << 20;  // larger files are shown as binary
constexpr git_object_size_t kMaxFileBytes = 4u << 20;
constexpr size_t kLookedAtForNul = 8000;  // git's own rule of what is binary

std::string_view StatusOf(const TreeChange& change) {
  if (!change.before.There()) return "added";
  if (!change.after.There()) return "removed";
  return change.previous_path.empty() ? "modified" : "renamed";
}

std::string_view TextOf(const Blob& blob) {
  if (!blob) return {};
  return {static_cast<const char*>(git_blob_rawcontent(blob.get())), git_blob_rawsize(blob.get())};
}

bool IsBinary(std::string_view text) {
  return text.size() > kMaxDiffedBytes || text.substr(0, kLookedAtForNul).find('\0') != std::string_view::npos;
}

// Hunks as `git diff` writes them; over the limit the text is dropped and the lines are still counted.
struct Hunks {
  ChangedMiddle middle;
  std::string text;
  int64_t additions = 0, deletions = 0;
  bool too_long = false;

  void Append(std::string_view piece) {
    if (too_long) return;
    text += piece;
    if (text.size() > kMaxPatchBytes) {
      too_long = true;
      text = std::string();
    }
  }
};

std::string Range(size_t first, size_t lines) {
  return std::to_string(first) + (lines == 1 ? "" : "," + std::to_string(lines));
}

int OnHunk(const git_diff_delta*, const git_diff_hunk* hunk, void* payload) {
  auto* hunks = static_cast<Hunks*>(payload);
  const size_t above = hunks->middle.head_lines;
  const std::string_view header(hunk->header, hunk->header_len);
  const size_t end = header.find(" @@");
  if (end == std::string_view::npos) return -1;
  hunks->Append("@@ -" + Range(hunk->old_start + above, hunk->old_lines) + " +" +
                Range(hunk->new_start + above, hunk->new_lines));
  // " @@ def f():" or nothing, when the function began above the middle.
  const std::string_view rest = header.substr(end);
  const std::string_view function =
      rest.size() > sizeof(" @@\n") - 1 ? std::string_view() : LastFunctionLine(hunks->middle.head);
  if (function.empty())
    hunks->Append(rest);
  else
    hunks->Append(" @@ " + std::string(function) + "\n");
  return 0;
}

int OnLine(const git_diff_delta*, const git_diff_hunk*, const git_diff_line* line, void* payload) {
  auto* hunks = static_cast<Hunks*>(payload);
  const char origin = line->origin;
  hunks->additions += origin == GIT_DIFF_LINE_ADDITION;
  hunks->deletions += origin == GIT_DIFF_LINE_DELETION;
  if (origin == GIT_DIFF_LINE_CONTEXT || origin == GIT_DIFF_LINE_ADDITION || origin == GIT_DIFF_LINE_DELETION)
    hunks->Append({&origin, 1});
  hunks->Append({line->content, line->content_len});
  return 0;
}

// A submodule is the commit that it is pinned to.
Hunks SubmoduleHunks(const TreeChange& change) {
  Hunks hunks;
  const bool before = change.before.There(), after = change.after.There();
  hunks.text = std::string("@@ -") + (before ? "1" : "0,0") + " +" + (after ? "1" : "0,0") + " @@\n";
  if (before) hunks.text += "-Subproject commit " + ShaText(change.before.id) + "\n";
  if (after) hunks.text += "+Subproject commit " + ShaText(change.after.id) + "\n";
  hunks.deletions = before;
  hunks.additions = after;
  return hunks;
}

// A file that came or went needs no comparison.
Hunks WholeFileHunks(std::string_view text, char origin) {
  Hunks hunks;
  if (text.empty()) return hunks;
  const size_t lines = std::ranges::count(text, '\n') + (text.ends_with('\n') ? 0 : 1);
  (origin == '+' ? hunks.additions : hunks.deletions) = static_cast<int64_t>(lines);
  if (text.size() + lines > kMaxPatchBytes) return hunks;
  hunks.text.reserve(text.size() + lines + 64);
  hunks.text = origin == '+' ? "@@ -0,0 +" + Range(1, lines) : "@@ -" + Range(1, lines) + " +0,0";
  hunks.text += " @@\n";
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    hunks.text += origin;
    hunks.text += text.substr(at, end - at);
    at = end;
  }
  if (!text.ends_with('\n')) hunks.text += "\n\\ No newline at end of file\n";
  return hunks;
}

Hunks HunksOf(ObjectCache& objects, const TreeChange& change) {
  if ((change.before.There() ? change.before : change.after).IsSubmodule()) return SubmoduleHunks(change);
  if (git_oid_equal(&change.before.id, &change.after.id) != 0) return {};
  Blob before, after;
  if (change.before.There() && !(before = objects.BlobAt(change.before.id))) return {};
  if (change.after.There() && !(after = objects.BlobAt(change.after.id))) return {};
  if (IsBinary(TextOf(before)) || IsBinary(TextOf(after))) return {};
  if (!before || !after) return WholeFileHunks(TextOf(before ? before : after), before ? '-' : '+');
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_FORCE_TEXT;
  Hunks hunks{.middle = MiddleOf(TextOf(before), TextOf(after))};
  const auto& [old_part, new_part, head, head_lines] = hunks.middle;
  // The paths are empty: with one, libgit2 would look for attribute files.
  if (git_diff_buffers(old_part.data(), old_part.size(), "", new_part.data(), new_part.size(), "", &options, nullptr,
                       nullptr, OnHunk, OnLine, &hunks) != 0)
    return {};
  return hunks;
}

ChangedFile FileOf(ObjectCache& objects, TreeChange change) {
  Hunks hunks = HunksOf(objects, change);
  ChangedFile file;
  file.status = StatusOf(change);
  file.path = UntrustedText(std::move(change.path));
  file.previous_path = UntrustedText(std::move(change.previous_path));
  file.additions = hunks.additions;
  file.deletions = hunks.deletions;
  file.patch = UntrustedText(std::move(hunks.text));
  return file;
}

}  // namespace

Result<RepositoryDiff> DiffReader::Between(git_tree* before, git_tree* after) {
  TRY_ASSIGN(std::vector<TreeChange> changes, ChangesBetween(objects_, before, after));
  JoinRenames(objects_, &changes);
  RepositoryDiff diff;
  const size_t shown = std::min(changes.size(), kMaxFiles);
  diff.files_left_out = changes.size() - shown;
  diff.files.reserve(shown);
  for (size_t i = 0; i < shown; ++i) diff.files.push_back(FileOf(objects_, std::move(changes[i])));
  return diff;
}

Result<RepositoryDiff> DiffReader::OfCommit(git_commit* commit) {
  const Tree after = objects_.TreeAt(*git_commit_tree_id(commit));
  if (!after) return std::unexpected(GitError("tree"));
  if (git_commit_parentcount(commit) == 0) return Between(nullptr, after.get());
  const git_oid& parent_id = *git_commit_parent_id(commit, 0);
  const auto parent = Made<Commit>([&](git_commit** out) { return git_commit_lookup(out, repository_, &parent_id); });
  if (!parent)
    return Fail(ErrorKind::kGit, "the clone does not hold " + ShaText(parent_id) + ", which the diff needs");
  const Tree before = objects_.TreeAt(*git_commit_tree_id(parent.get()));
  if (!before) return std::unexpected(GitError("tree"));
  TRY_ASSIGN(RepositoryDiff diff, Between(before.get(), after.get()));
  diff.base_sha = ShaText(parent_id);
  return diff;
}

Result<std::vector<UntrustedText>> ListFilesIn(git_repository* repository, git_commit* commit, std::string_view folder) {
  Tree tree = Made<Tree>([&](git_tree** out) { return git_commit_tree(out, commit); });
  if (!tree) return std::unexpected(GitError("tree"));
  if (!folder.empty()) {
    const std::string name(folder);
    const auto entry =
        Made<TreeEntry>([&](git_tree_entry** out) { return git_tree_entry_bypath(out, tree.get(), name.c_str()); });
    if (!entry || git_tree_entry_type(entry.get()) != GIT_OBJECT_TREE)
      return Fail(ErrorKind::kNotFound, "no folder " + UntrustedText(name).ForLogLine());
    tree = Made<Tree>(
        [&](git_tree** out) { return git_tree_lookup(out, repository, git_tree_entry_id(entry.get())); });
    if (!tree) return std::unexpected(GitError("tree"));
  }
  std::vector<UntrustedText> names;
  for (size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(tree.get(), i);
    const git_filemode_t mode = git_tree_entry_filemode(entry);
    if (mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE)
      names.emplace_back(git_tree_entry_name(entry));
  }
  std::ranges::sort(names);
  return names;
}

Result<UntrustedText> ReadFileAt(git_repository* repository, git_commit* commit, std::string_view path) {
  const auto tree = Made<Tree>([&](git_tree** out) { return git_commit_tree(out, commit); });
  if (!tree) return std::unexpected(GitError("tree"));
  const std::string name(path);
  const auto entry =
      Made<TreeEntry>([&](git_tree_entry** out) { return git_tree_entry_bypath(out, tree.get(), name.c_str()); });
  if (!entry || git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB ||
      git_tree_entry_filemode(entry.get()) == GIT_FILEMODE_LINK)
    return Fail(ErrorKind::kNotFound, "no regular file " + UntrustedText(name).ForLogLine());
  const auto blob =
      Made<Blob>([&](git_blob** out) { return git_blob_lookup(out, repository, git_tree_entry_id(entry.get())); });
  if (!blob) return std::unexpected(GitError("file"));
  const git_object_size_t size = git_blob_rawsize(blob.get());
  if (size > kMaxFileBytes) return Fail(ErrorKind::kGit, UntrustedText(name).ForLogLine() + " is larger than 4 MiB");
  return UntrustedText(std::string(TextOf(blob)));
}

}  // namespace xpu_align
