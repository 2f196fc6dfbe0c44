// Build: constructs every file of an output folder from a scope and its grounded readset. Pure: same scope and same
// objects, same bytes; no time, no path of this machine, no name of a host. Called by the command and again by verify.
#pragma once
#include <map>
#include <string>
#include <vector>

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
  std::vector<Fact> facts;       // numbered, in the order of the card
  std::vector<std::string> open; // what was seen and is no fact: kinds left out by the budget, checks without text
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

// kGit when a blob is not in its clone. `cache` may be null.
Result<Built> Build(const Scope& scope, const Grounded& grounded, const Clones& clones, Admission admission,
                    FactCache* cache);

// The facts of every area of the readset, without any output.
Result<std::vector<AreaFacts>> FactsOf(const Scope& scope, const Readset& readset, const Clones& clones,
                                       FactCache* cache, BuildFigures* figures);

}  // namespace xpu_align::distill
