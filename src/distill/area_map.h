// AreaMap: a changed path to its area, its class, its counterpart, where a fix belongs, who owns it; and a diff to the
// facts that it touches. Reads no repository: scope and cards are enough. Serves the scan; called by `distill map`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "distill/build.h"

namespace xpu_align::distill {

struct MappedPath {
  std::string path, area;
  std::string path_class = "unknown";  // shared, twin, exclusive; unknown passes every filter
  std::string counterpart;             // of a twin: pattern of its file
  std::string implement_in, owner;
};

// The most specific pattern decides, then the order of areas; `repo` is where the path lies.
MappedPath MapPath(const Scope& scope, std::string_view repo, const std::string& path);
Json ToJson(const MappedPath& mapped);

// Lines of the old side that a unified diff removes, or between which it inserts.
std::vector<LineRange> ChangedLines(std::string_view patch);

struct ChangedPath {
  std::string path, patch;
};
struct ChangedCandidate {
  std::string id;
  std::vector<ChangedPath> files;
};

// artifacts/facts_touched.json: candidates whose changes overlap cited lines, `changed` and `vanished` facts of shared
// files, and the gaps of XPU. `outputs`: what build (and drift) wrote.
Json FactsTouched(const Scope& scope, std::string_view repo, const std::vector<ChangedCandidate>& candidates,
                  const Outputs& outputs);

}  // namespace xpu_align::distill
