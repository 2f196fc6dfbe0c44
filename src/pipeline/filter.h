// Filter: the stage that decides which candidates are worth a script. Fills title columns that collect left,
// deep columns and chains; revives title-rejected candidates that a passing one belongs to. No network. Reads
// raw candidates, ledger and details; writes ledger rows. A candidate without readable details stays pending;
// one that GitHub refuses passes, so that judge gives it its bucket. Called by app.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compose/composer.h"
#include "filter/deep_filter.h"
#include "filter/title_filter.h"
#include "pipeline/volume.h"
#include "ports/progress.h"
#include "ports/run_store.h"

namespace xpu_align {

struct FilterRules {
  const TitleFilter& title;
  const DeepFilter& deep;
  std::function<Material(const Details&)> material_in;  // compose's MaterialIn
};

// For `filter --stats` and the report's funnel.
struct FilterStatistics {
  size_t candidates = 0;
  size_t title_rejected = 0, deep_rejected = 0, passed = 0;
  size_t undecided = 0;  // no readable details: pending, with the reason in `hold`
  size_t revived = 0;    // by this call
  size_t chains = 0;
  std::map<std::string, size_t> title_rules;   // rejections by title rule
  std::map<std::string, size_t> protections;   // titles that a protecting rule kept
  std::map<std::string, size_t> deep_reasons;  // rejections by reason of the closed list
  std::map<std::string, size_t> deep_rules;    // the same by the rule behind the reason
  std::vector<std::string> notes;              // for people, safe for a terminal; said while it runs
  TitleSummary title_passed;                   // of the raw candidates
};

// kNotFound when there is nothing to filter; kProtocol when raw candidates or ledger are malformed. Calling it
// again changes nothing; rows that have run are never touched.
Result<FilterStatistics> RunFilter(RunStore& store, const FilterRules& rules, Progress& progress);

}  // namespace xpu_align
