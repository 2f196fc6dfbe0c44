// The trees and blobs read last, by id: each version of a file is the new side of one commit and the old side of the
// next. Holds at most 16 MiB, and nothing over 1 MiB. One thread. Used by the diff reader.
#pragma once
#include <cstring>
#include <list>
#include <unordered_map>

#include "edge/git/handles.h"

namespace xpu_align {

class ObjectCache {
 public:
  explicit ObjectCache(git_repository* repository) : repository_(repository) {}

  // Null, with libgit2's error kept, when it is not there, broken or of another type.
  Tree TreeAt(const git_oid& id);
  Blob BlobAt(const git_oid& id);

 private:
  struct OidHash {
    size_t operator()(const git_oid& id) const {
      size_t value = 0;
      std::memcpy(&value, id.id, sizeof value);  // the id is a hash already
      return value;
    }
  };
  struct OidEqual {
    bool operator()(const git_oid& a, const git_oid& b) const { return git_oid_equal(&a, &b) != 0; }
  };
  struct Entry {
    git_oid id;
    Object object;
    size_t size;
  };

  git_object* Find(const git_oid& id);
  void Keep(const git_oid& id, git_object* object, size_t size);

  git_repository* repository_;
  std::list<Entry> newest_first_;
  std::unordered_map<git_oid, std::list<Entry>::iterator, OidHash, OidEqual> by_id_;
  size_t bytes_ = 0;
};

}  // namespace xpu_align
