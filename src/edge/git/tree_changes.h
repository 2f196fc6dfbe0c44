// The entries in which two trees differ. Equal subtrees are not opened, which libgit2's own tree diff does. Refuses
// trees nested too deep or with too many differing entries (git bombs). Used by the diff reader.
#pragma once
#include <string>
#include <vector>

#include "edge/git/object_cache.h"

namespace xpu_align {

struct TreeSide {
  git_oid id = {};
  git_filemode_t mode = GIT_FILEMODE_UNREADABLE;  // unreadable: not on this side

  bool There() const { return mode != GIT_FILEMODE_UNREADABLE; }
  bool IsSubmodule() const { return mode == GIT_FILEMODE_COMMIT; }
};

// Never a folder. When both sides are there, both are files, links or submodules alike.
struct TreeChange {
  std::string path;           // as it is in the tree: any bytes but NUL
  std::string previous_path;  // of a rename
  TreeSide before, after;
};

// `before` null: everything in `after` is new. In the order of git: by path. A change of the executable bit alone is
// no change.
Result<std::vector<TreeChange>> ChangesBetween(ObjectCache& objects, git_tree* before, git_tree* after);

}  // namespace xpu_align
