// PinnedTree: the folders of one commit, read as far as patterns need them and kept. Follows no link and enters no
// submodule. Used by ground.cc and verify.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "distill/path_glob.h"
#include "ports/git_objects.h"

namespace xpu_align::distill {

struct PinnedEntry {
  std::string path;
  EntryKind kind = EntryKind::kFile;
  uint32_t mode = 0;
  std::string id;
};

class PinnedTree {
 public:
  PinnedTree(GitObjects& objects, std::string root_tree) : objects_(objects) { trees_[""] = std::move(root_tree); }

  // Files, links and submodules whose path matches, and submodules that a matching path would lie in; in byte order.
  Result<std::vector<PinnedEntry>> Matching(const PathGlob& glob);
  // Null when there is nothing at that path; kNotFound only for a tree that is missing in the clone.
  Result<const PinnedEntry*> At(std::string_view path);
  // What lies directly in a folder; empty when there is no such folder.
  Result<std::vector<PinnedEntry>> InFolder(std::string_view folder);
  // Up to three paths that look like the pattern, nearest first.
  Result<std::vector<std::string>> Nearest(const PathGlob& glob);

 private:
  Result<const std::vector<PinnedEntry>*> Folder(const std::string& folder);
  Status Walk(const std::string& folder, const PathGlob& glob, std::vector<PinnedEntry>* out);

  GitObjects& objects_;
  std::map<std::string, std::string, std::less<>> trees_;  // folder -> id
  std::map<std::string, std::vector<PinnedEntry>, std::less<>> folders_;
};

}  // namespace xpu_align::distill
