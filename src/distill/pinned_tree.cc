#include "distill/pinned_tree.h"

#include <algorithm>
#include <numeric>

namespace xpu_align::distill {
namespace {

std::string_view FolderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

Result<const std::vector<PinnedEntry>*> PinnedTree::Folder(const std::string& folder) {
  if (const auto known = folders_.find(folder); known != folders_.end()) return &known->second;
  std::vector<PinnedEntry> entries;
  if (!trees_.contains(folder)) TRY(Folder(std::string(FolderOf(folder))));  // makes its subfolders known
  if (const auto tree = trees_.find(folder); tree != trees_.end()) {
    TRY_ASSIGN(const std::vector<FolderEntry> listed, objects_.Folder(tree->second));
    for (const FolderEntry& entry : listed) {
      std::string path = folder.empty() ? entry.name : folder + "/" + entry.name;
      if (entry.kind == EntryKind::kFolder) trees_[path] = entry.id;
      entries.push_back({std::move(path), entry.kind, entry.mode, entry.id});
    }
  }
  return &folders_.emplace(folder, std::move(entries)).first->second;
}

Status PinnedTree::Walk(const std::string& folder, const PathGlob& glob, std::vector<PinnedEntry>* out) {
  TRY_ASSIGN(const auto* entries, Folder(folder));
  for (const PinnedEntry& entry : *entries) {
    if (entry.kind == EntryKind::kFolder) {
      if (glob.MayMatchBelow(entry.path)) TRY(Walk(entry.path, glob, out));
    } else if (glob.Matches(entry.path) || (entry.kind == EntryKind::kSubmodule && glob.MayMatchBelow(entry.path))) {
      out->push_back(entry);
    }
  }
  return {};
}

Result<std::vector<PinnedEntry>> PinnedTree::Matching(const PathGlob& glob) {
  std::vector<PinnedEntry> out;
  if (glob.IsLiteral()) {
    TRY_ASSIGN(const PinnedEntry* entry, At(glob.Text()));
    if (entry && entry->kind != EntryKind::kFolder) out.push_back(*entry);
    if (entry) return out;
  }
  TRY(Walk("", glob, &out));
  std::ranges::sort(out, {}, &PinnedEntry::path);
  return out;
}

Result<const PinnedEntry*> PinnedTree::At(std::string_view path) {
  TRY_ASSIGN(const auto* entries, Folder(std::string(FolderOf(path))));
  const auto found = std::ranges::find(*entries, path, &PinnedEntry::path);
  return found == entries->end() ? nullptr : &*found;
}

Result<std::vector<PinnedEntry>> PinnedTree::InFolder(std::string_view folder) {
  TRY_ASSIGN(const auto* entries, Folder(std::string(folder)));
  return *entries;
}

Result<std::vector<std::string>> PinnedTree::Nearest(const PathGlob& glob) {
  // The deepest folder of the pattern that exists, and what lies in and one level below it.
  std::string folder(FolderOf(std::string_view(glob.Text()).substr(0, glob.LiteralPrefix())));
  const std::vector<PinnedEntry>* entries = nullptr;
  while (true) {
    TRY_ASSIGN(entries, Folder(folder));
    if (!entries->empty() || folder.empty()) break;
    folder = FolderOf(folder);
  }
  std::vector<std::string> paths;
  for (const PinnedEntry& entry : std::vector<PinnedEntry>(*entries)) {
    if (entry.kind == EntryKind::kFile) paths.push_back(entry.path);
    if (entry.kind != EntryKind::kFolder) continue;
    TRY_ASSIGN(const auto* below, Folder(entry.path));
    for (const PinnedEntry& one : *below)
      if (one.kind == EntryKind::kFile) paths.push_back(one.path);
  }
  std::vector<std::pair<size_t, std::string>> ranked;
  for (std::string& path : paths) {
    const size_t distance = EditDistance(path, glob.Text());
    ranked.emplace_back(distance, std::move(path));
  }
  std::ranges::sort(ranked);
  std::vector<std::string> nearest;
  for (size_t i = 0; i < ranked.size() && i < 3; ++i) nearest.push_back(ranked[i].second);
  return nearest;
}

}  // namespace xpu_align::distill
