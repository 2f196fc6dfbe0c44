#include "edge/git/object_cache.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxBytes = 16u << 20;
constexpr size_t kMaxObjectBytes = 1u << 20;
constexpr size_t kBytesPerTreeEntry = 64;  // name, id and libgit2's own record of them

}  // namespace

git_object* ObjectCache::Find(const git_oid& id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  newest_first_.splice(newest_first_.begin(), newest_first_, found->second);
  return found->second->object.get();
}

void ObjectCache::Keep(const git_oid& id, git_object* object, size_t size) {
  if (size > kMaxObjectBytes) return;
  git_object* shared = nullptr;
  if (git_object_dup(&shared, object) != 0) return;
  newest_first_.push_front({id, Object(shared), size});
  by_id_[id] = newest_first_.begin();
  bytes_ += size;
  while (bytes_ > kMaxBytes) {
    bytes_ -= newest_first_.back().size;
    by_id_.erase(newest_first_.back().id);
    newest_first_.pop_back();
  }
}

Tree ObjectCache::TreeAt(const git_oid& id) {
  if (git_object* known = Find(id); known != nullptr && git_object_type(known) == GIT_OBJECT_TREE)
    return Made<Tree>([&](git_tree** out) { return git_tree_dup(out, reinterpret_cast<git_tree*>(known)); });
  Tree tree = Made<Tree>([&](git_tree** out) { return git_tree_lookup(out, repository_, &id); });
  if (tree) Keep(id, reinterpret_cast<git_object*>(tree.get()), git_tree_entrycount(tree.get()) * kBytesPerTreeEntry);
  return tree;
}

Blob ObjectCache::BlobAt(const git_oid& id) {
  if (git_object* known = Find(id); known != nullptr && git_object_type(known) == GIT_OBJECT_BLOB)
    return Made<Blob>([&](git_blob** out) { return git_blob_dup(out, reinterpret_cast<git_blob*>(known)); });
  Blob blob = Made<Blob>([&](git_blob** out) { return git_blob_lookup(out, repository_, &id); });
  if (blob) Keep(id, reinterpret_cast<git_object*>(blob.get()), git_blob_rawsize(blob.get()));
  return blob;
}

}  // namespace xpu_align
