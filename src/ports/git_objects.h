// GitObjects: a local clone as a store of objects, read only: commits, folders, blobs, names of refs. Refuses to fetch
// what is missing (a lazy fetch never happens) and to guess: an id is whole or it is not found. Paths and contents
// are untrusted. Implemented by edge/git; used by distill.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/error.h"

namespace xpu_align {

enum class ObjectKind { kMissing, kCommit, kTree, kBlob, kTag };
enum class EntryKind { kFile, kFolder, kSymlink, kSubmodule };

struct FolderEntry {
  std::string name;  // last part of the path
  EntryKind kind = EntryKind::kFile;
  uint32_t mode = 0;
  std::string id;
};

struct PinnedCommit {
  std::string tree;
  int64_t committed_at = 0;  // seconds since the epoch
};

struct NamedCommit {
  std::string name;    // of the tag, without refs/tags/
  std::string commit;  // what it peels to
  int64_t committed_at = 0;
};

struct RenamedFile {
  std::string from, to;
};

class GitObjects {
 public:
  virtual ~GitObjects() = default;

  virtual bool IsShallow() = 0;
  // Of a whole id; kMissing also for text that is no id.
  virtual ObjectKind KindOf(const std::string& id) = 0;
  // The commit that a whole or short id, a tag or a branch names; null when it names none or several.
  virtual std::optional<std::string> CommitNamed(const std::string& revision) = 0;
  // Ids of commits beneath the name of a tag, newest commit first.
  virtual std::vector<NamedCommit> Tags() = 0;
  // kNotFound when the commit or its tree is not there.
  virtual Result<PinnedCommit> CommitAt(const std::string& id) = 0;
  // Entries of one tree, sorted by the bytes of their names. kNotFound.
  virtual Result<std::vector<FolderEntry>> Folder(const std::string& tree_id) = 0;
  // Whole content. kNotFound when the object is not in the clone, kGit when it can not be read.
  virtual Result<std::string> Blob(const std::string& id) = 0;
  // Files that `to` holds in place of files that `from` held, at 60 % of equal content. kGit.
  virtual Result<std::vector<RenamedFile>> Renames(const std::string& from_commit, const std::string& to_commit) = 0;
};

}  // namespace xpu_align
