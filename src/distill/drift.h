// Drift: what became of every fact between two sets of pins: same, moved, relocated, reformatted, reworded, changed,
// vanished, and which are new. Five stages, each over all facts before the next, nearest line first, each new fact used
// once. Called by the command; verify computes it again.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "distill/build.h"

namespace xpu_align::distill {

enum class DriftState { kSame, kMoved, kRelocated, kReformatted, kReworded, kChanged, kVanished, kNew };
std::string_view StateName(DriftState state);
// kUsage for a name that is none; "never" is the empty list.
Result<std::vector<DriftState>> StatesNamed(const std::string& list);

struct DriftedFact {
  DriftState state = DriftState::kSame;
  const Fact* before = nullptr;  // null when new
  const Fact* after = nullptr;   // null when vanished
};

struct AreaDrift {
  std::string area;
  std::vector<DriftedFact> facts;  // old facts in the order of the card, then new ones
  std::map<DriftState, int64_t> counts;
};

// Files of a repository that were renamed: old path -> new path, by "repo:path".
using Renames = std::map<std::string, std::string>;

// Both lists must outlive the result.
AreaDrift CompareFacts(const std::string& area, const std::vector<Fact>& before, const std::vector<Fact>& after,
                       const Renames& renames);

struct Drift {
  std::map<std::string, std::string> from, to;  // pins by repository
  std::vector<AreaFacts> before, after;
  std::vector<AreaDrift> areas;
  Renames renames;
  BuildFigures figures;
  std::vector<Finding> findings;  // of the readset at the new pins
};

// `pins`: repository -> the other commit. kGit when a pin is missing, kConfig when it is no full id of a commit.
Result<Drift> ComputeDrift(const Scope& scope, const Clones& clones, const std::map<std::string, std::string>& pins,
                           FactCache* cache);

Json DriftJson(const Drift& drift);
// What a person reads in a minute.
std::string DriftMarkdown(const Drift& drift);

}  // namespace xpu_align::distill
