// DeepFilter: rejects a candidate when its details prove that it can not concern the target: only
// exclusive or infrastructure files, no behaviour changed, or no material for a script. Unknown passes.
// Rules are data (src/rules/paths.json, src/rules/deep.json). Called by the filter stage.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "filter/detail_rules.h"
#include "filter/features.h"
#include "filter/path_classes.h"
#include "filter/runnable.h"
#include "model/details.h"
#include "model/ledger_row.h"

namespace xpu_align {

struct DeepDecision {
  DeepStatus status = DeepStatus::kPass;  // pass or reject
  Reason reason;                          // rule: one of DetailRules::Reasons(); empty when it passes
  std::string rule;                       // what rejected: an id of deep.json or diff-..., material-...
  std::vector<std::string> areas;         // path classes and modules touched, sorted, unique
};

// True when another member of its chain may still make the candidate worth a run.
bool LacksMaterialOnly(const DeepDecision& decision);

class DeepFilter {
 public:
  // `paths`: src/rules/paths.json, `deep`: src/rules/deep.json. kConfig when malformed.
  static Result<DeepFilter> FromJson(const Json& paths, const Json& deep);
  DeepFilter(DeepFilter&&) noexcept;
  DeepFilter& operator=(DeepFilter&&) noexcept;
  ~DeepFilter();

  PathClass ClassOf(const UntrustedText& path) const { return Classify(path).path_class; }
  ClassifiedPath Classify(const UntrustedText& path) const;
  // For people; no part of a decision.
  std::vector<Feature> FeaturesOf(const Details& details) const;
  DeepDecision Decide(const Details& details, Runnable runnable) const;

  // Every rule in the order in which it is asked, with what it says when it holds; for docs/rules.md.
  std::vector<DetailMatch> AllRules() const;
  // Of the rules that are no data. They, too, can be switched off: "off" in the deep rules.
  static std::vector<std::string> BuiltInIds();

 private:
  struct Rules;
  explicit DeepFilter(std::unique_ptr<const Rules> rules);
  std::unique_ptr<const Rules> rules_;
};

}  // namespace xpu_align
