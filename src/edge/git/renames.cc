#include "edge/git/renames.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace xpu_align {
namespace {

constexpr size_t kMaxCompared = 200;
constexpr size_t kMaxFileBytes = 1u << 20;
constexpr size_t kPieceBytes = 64;   // a longer line counts as several
constexpr uint64_t kMinPercent = 50;

// How many bytes of a file lie in pieces with this hash; sorted by hash.
struct Piece {
  uint64_t hash;
  uint64_t bytes;
};
struct Content {
  size_t change;  // index
  uint64_t size = 0;
  std::vector<Piece> pieces;
};

bool IsFile(const TreeSide& side) { return side.mode == GIT_FILEMODE_BLOB || side.mode == GIT_FILEMODE_BLOB_EXECUTABLE; }
bool IsRemoved(const TreeChange& change) { return IsFile(change.before) && !change.after.There(); }
bool IsAdded(const TreeChange& change) { return IsFile(change.after) && !change.before.There(); }

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::vector<Piece> PiecesOf(std::string_view text) {
  std::vector<Piece> pieces;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at, kPieceBytes);
    const size_t end = rest.find('\n');
    const std::string_view piece = rest.substr(0, end == std::string_view::npos ? rest.size() : end + 1);
    pieces.push_back({std::hash<std::string_view>()(piece), piece.size()});
    at += piece.size();
  }
  std::ranges::sort(pieces, {}, &Piece::hash);
  size_t kept = 0;
  for (const Piece& piece : pieces) {
    if (kept > 0 && pieces[kept - 1].hash == piece.hash)
      pieces[kept - 1].bytes += piece.bytes;
    else
      pieces[kept++] = piece;
  }
  pieces.resize(kept);
  return pieces;
}

// Of the larger file, the part that the other has too.
uint64_t PercentAlike(const Content& one, const Content& two) {
  uint64_t shared = 0;
  for (size_t i = 0, j = 0; i < one.pieces.size() && j < two.pieces.size();) {
    if (one.pieces[i].hash == two.pieces[j].hash)
      shared += std::min(one.pieces[i++].bytes, two.pieces[j++].bytes);
    else
      one.pieces[i].hash < two.pieces[j].hash ? ++i : ++j;
  }
  return shared * 100 / std::max(one.size, two.size);
}

class Joiner {
 public:
  Joiner(ObjectCache& objects, std::vector<TreeChange>* changes) : objects_(objects), changes_(*changes) {}

  void Join() {
    for (size_t i = 0; i < changes_.size(); ++i) {
      if (IsRemoved(changes_[i])) removed_.push_back(i);
      if (IsAdded(changes_[i])) added_.push_back(i);
    }
    if (removed_.empty() || added_.empty()) return;
    taken_.assign(changes_.size(), false);
    JoinEqual();
    JoinAlike();
    size_t kept = 0;
    for (size_t i = 0; i < changes_.size(); ++i)
      if (!taken_[i] && kept++ != i) changes_[kept - 1] = std::move(changes_[i]);
    changes_.resize(kept);
  }

 private:
  void Rename(size_t from, size_t to) {
    changes_[to].previous_path = changes_[from].path;
    changes_[to].before = changes_[from].before;
    taken_[from] = true;
  }

  void JoinEqual() {
    std::multimap<std::string_view, size_t> by_id;  // the removed files
    const auto key = [](const git_oid& id) {
      return std::string_view(reinterpret_cast<const char*>(id.id), GIT_OID_SHA1_SIZE);
    };
    for (const size_t i : removed_) by_id.emplace(key(changes_[i].before.id), i);
    for (const size_t to : added_) {
      const auto [begin, end] = by_id.equal_range(key(changes_[to].after.id));
      auto best = end;
      for (auto it = begin; it != end; ++it)
        if (best == end || BaseName(changes_[it->second].path) == BaseName(changes_[to].path)) best = it;
      if (best == end) continue;
      Rename(best->second, to);
      by_id.erase(best);
    }
  }

  std::vector<Content> ContentsOf(const std::vector<size_t>& indices, TreeSide TreeChange::*side) {
    std::vector<Content> contents;
    for (const size_t i : indices) {
      if (taken_[i] || !changes_[i].previous_path.empty()) continue;
      const Blob blob = objects_.BlobAt((changes_[i].*side).id);
      if (!blob) continue;
      const uint64_t size = git_blob_rawsize(blob.get());
      if (size == 0 || size > kMaxFileBytes) continue;
      contents.push_back({i, size, PiecesOf({static_cast<const char*>(git_blob_rawcontent(blob.get())), size})});
    }
    return contents;
  }

  void JoinAlike() {
    const auto open = [this](size_t i) { return !taken_[i] && changes_[i].previous_path.empty(); };
    const auto removed = std::ranges::count_if(removed_, open), added = std::ranges::count_if(added_, open);
    if (removed == 0 || added == 0 || removed > ssize_t{kMaxCompared} || added > ssize_t{kMaxCompared}) return;
    const std::vector<Content> before = ContentsOf(removed_, &TreeChange::before);
    const std::vector<Content> after = ContentsOf(added_, &TreeChange::after);
    struct Pair {
      uint64_t percent;
      bool same_name;
      size_t from, to;
    };
    std::vector<Pair> pairs;
    for (const Content& from : before)
      for (const Content& to : after) {
        if (std::min(from.size, to.size) * 100 < std::max(from.size, to.size) * kMinPercent) continue;
        const uint64_t percent = PercentAlike(from, to);
        const bool same_name = BaseName(changes_[from.change].path) == BaseName(changes_[to.change].path);
        if (percent >= kMinPercent) pairs.push_back({percent, same_name, from.change, to.change});
      }
    std::ranges::stable_sort(pairs, [](const Pair& a, const Pair& b) {
      return a.percent != b.percent ? a.percent > b.percent : a.same_name && !b.same_name;
    });
    for (const Pair& pair : pairs)
      if (open(pair.from) && open(pair.to)) Rename(pair.from, pair.to);
  }

  ObjectCache& objects_;
  std::vector<TreeChange>& changes_;
  std::vector<size_t> removed_, added_;  // indices
  std::vector<bool> taken_;              // became the old side of a rename
};

}  // namespace

void JoinRenames(ObjectCache& objects, std::vector<TreeChange>* changes) { Joiner(objects, changes).Join(); }

}  // namespace xpu_align
