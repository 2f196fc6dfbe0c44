// Build: constructs every file of an output folder from a scope and its grounded readset. Pure: same scope and same
// objects, same bytes; no time, no path of this machine, no name of a host. Called by the command and again by verify.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "distill/extract.h"
#include "distill/readset.h"

namespace xpu_align::distill {

// Path in the output folder -> content.
using Outputs = std::map<std::string, std::string, std::less<>>;

// Facts by blob, kept between runs: what was lexed once is not lexed again. Owned by the caller.
class FactCache {
 public:
  virtual ~FactCache() = default;
  virtual std::optional<std::string> Load(const std::string& key) = 0;
  virtual void Store(const std::string& key, const std::string& facts) = 0;
};

struct AreaFacts {
  std::string area;
  std::vector<Fact> facts;         // numbered, in the order of the card
  CrudeCount expected, extracted;  // over all kinds, also those that the area leaves out
};

struct BuildFigures {
  size_t files_lexed = 0, files_from_cache = 0, facts = 0;
};

struct Built {
  Outputs outputs;
  std::vector<AreaFacts> areas;
  std::vector<Finding> findings;  // of grounding and of the budget of facts; admission as a warning or a finding
  BuildFigures figures;
};

enum class Admission { kReported, kStrict };  // strict: a refused author is a finding

// `cache` may be null.
Built Build(const Scope& scope, const Grounded& grounded, Admission admission, FactCache* cache);

// The facts of every area, without any output; D106 for an area over its budget of facts.
std::vector<AreaFacts> FactsOf(const Scope& scope, const Grounded& grounded, FactCache* cache, BuildFigures* figures,
                               std::vector<Finding>* findings);

}  // namespace xpu_align::distill
