#include "edge/git/tree_changes.h"

#include <algorithm>

namespace xpu_align {
namespace {

constexpr size_t kMaxDepth = 64;
constexpr size_t kMaxChanges = 100'000;  // twice what the first commit of a large project brings
constexpr size_t kMaxPathBytes = 4096;

enum class Shape { kFolder, kFile, kLink, kSubmodule };

Shape ShapeOf(git_filemode_t mode) {
  if (mode == GIT_FILEMODE_TREE) return Shape::kFolder;
  if (mode == GIT_FILEMODE_LINK) return Shape::kLink;
  return mode == GIT_FILEMODE_COMMIT ? Shape::kSubmodule : Shape::kFile;
}

// The order of entries in a tree: a folder counts as if its name ended in '/'.
int Compare(const git_tree_entry* a, const git_tree_entry* b) {
  const std::string_view one = git_tree_entry_name(a), two = git_tree_entry_name(b);
  const size_t shared = std::min(one.size(), two.size());
  if (const int order = one.substr(0, shared).compare(two.substr(0, shared)); order != 0) return order;
  const auto next = [shared](std::string_view name, const git_tree_entry* entry) -> unsigned char {
    if (name.size() > shared) return static_cast<unsigned char>(name[shared]);
    return git_tree_entry_filemode(entry) == GIT_FILEMODE_TREE ? '/' : '\0';
  };
  return next(one, a) - next(two, b);
}

class Comparison {
 public:
  explicit Comparison(ObjectCache& objects) : objects_(objects) {}

  Status Compare(git_tree* before, git_tree* after) {
    const size_t old_count = before != nullptr ? git_tree_entrycount(before) : 0;
    const size_t new_count = after != nullptr ? git_tree_entrycount(after) : 0;
    for (size_t i = 0, j = 0; i < old_count || j < new_count;) {
      const git_tree_entry* one = i < old_count ? git_tree_entry_byindex(before, i) : nullptr;
      const git_tree_entry* two = j < new_count ? git_tree_entry_byindex(after, j) : nullptr;
      const int order = one == nullptr ? 1 : two == nullptr ? -1 : xpu_align::Compare(one, two);
      if (order <= 0) ++i;
      if (order >= 0) ++j;
      if (order == 0 && git_oid_equal(git_tree_entry_id(one), git_tree_entry_id(two)) != 0 &&
          ShapeOf(git_tree_entry_filemode(one)) == ShapeOf(git_tree_entry_filemode(two)))
        continue;
      TRY(Differ(order <= 0 ? one : nullptr, order >= 0 ? two : nullptr));
    }
    return {};
  }

  std::vector<TreeChange> changes;

 private:
  Status Differ(const git_tree_entry* one, const git_tree_entry* two) {
    const Shape old_shape = one != nullptr ? ShapeOf(git_tree_entry_filemode(one)) : Shape::kFile;
    const Shape new_shape = two != nullptr ? ShapeOf(git_tree_entry_filemode(two)) : old_shape;
    if (one != nullptr && two != nullptr && old_shape != new_shape) {  // a file became a link: one goes, one comes
      TRY(Differ(one, nullptr));
      return Differ(nullptr, two);
    }
    const size_t folder = path_.size();
    const std::string_view name = git_tree_entry_name(one != nullptr ? one : two);
    if (folder + name.size() > kMaxPathBytes) return Fail(ErrorKind::kGit, "a path is longer than 4096 bytes");
    path_ += name;
    TRY(new_shape == Shape::kFolder ? Descend(one, two) : Add(one, two));
    path_.resize(folder);
    return {};
  }

  Status Descend(const git_tree_entry* one, const git_tree_entry* two) {
    if (++depth_ > kMaxDepth) return Fail(ErrorKind::kGit, "folders are nested deeper than 64");
    Tree before, after;
    if (one != nullptr && !(before = objects_.TreeAt(*git_tree_entry_id(one)))) return std::unexpected(GitError("tree"));
    if (two != nullptr && !(after = objects_.TreeAt(*git_tree_entry_id(two)))) return std::unexpected(GitError("tree"));
    path_ += '/';
    TRY(Compare(before.get(), after.get()));
    --depth_;
    return {};
  }

  Status Add(const git_tree_entry* one, const git_tree_entry* two) {
    if (changes.size() == kMaxChanges) return Fail(ErrorKind::kGit, "more than 100000 files differ");
    TreeChange change{.path = path_};
    if (one != nullptr) change.before = {*git_tree_entry_id(one), git_tree_entry_filemode(one)};
    if (two != nullptr) change.after = {*git_tree_entry_id(two), git_tree_entry_filemode(two)};
    changes.push_back(std::move(change));
    return {};
  }

  ObjectCache& objects_;
  std::string path_;
  size_t depth_ = 0;
};

}  // namespace

Result<std::vector<TreeChange>> ChangesBetween(ObjectCache& objects, git_tree* before, git_tree* after) {
  Comparison comparison(objects);
  TRY(comparison.Compare(before, after));
  return std::move(comparison.changes);
}

}  // namespace xpu_align
