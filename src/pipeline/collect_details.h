// Completes the details of one candidate: where it landed, links that its texts state, files, patches and tests;
// and writes artifacts/details/<id>.json. Used by collect.cc.
#pragma once
#include <set>

#include "pipeline/collect_sources.h"

namespace xpu_align {

class DetailsWriter {
 public:
  DetailsWriter(const CollectPorts& ports, const CollectRules& rules, const std::map<int64_t, std::string>& landed)
      : ports_(ports), rules_(rules), landed_(landed) {}

  // Whether test files of what is written from now on are exported for compose.
  enum class Material { kExported, kLeftOut };
  void SetMaterial(Material material) { material_ = material; }
  // Of the diffs written in this run: how many from the clone, by REST, and none at all.
  const std::map<std::string, int64_t>& DiffSources() const { return diff_sources_; }

  // Details of this version are already there; their links count as seen.
  bool IsCurrent(const Candidate& candidate);
  Status WriteItem(FetchedItem item, int64_t number);
  // `diff`: from the clone; an error: REST is asked.
  Status WriteCommit(const TrunkCommit& commit, const Candidate& candidate, const Result<RepositoryDiff>& diff);
  // A candidate whose details are written links to this one, by more than a mention.
  bool IsLinked(const Candidate& candidate) const;

  // "ID: what is missing" of written details that are not whole.
  const std::vector<std::string>& Incomplete() const { return incomplete_; }

 private:
  Status Finish(Details details);
  void Remember(const Details& details);
  // False when the clone can not give the diff.
  bool DiffFromClone(const Result<RepositoryDiff>& diff, const std::string& sha, Details* details);
  // Refused for good: the failure of this item. Failed: noted in it, unless the next would fail, too.
  Status DiffFromRest(Result<FileListing> listing, Details* details);

  const CollectPorts& ports_;
  const CollectRules& rules_;
  const std::map<int64_t, std::string>& landed_;
  std::set<std::string> linked_;
  std::vector<std::string> incomplete_;
  int diffs_missed_in_a_row_ = 0;
  Material material_ = Material::kExported;
  std::string material_sha_;  // of the details at hand; empty: nothing to export
  std::map<std::string, int64_t> diff_sources_;
};

}  // namespace xpu_align
