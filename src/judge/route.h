// Route: the repository in which a fix of a finding would be implemented, and the rule that says so. It is not
// where the finding is tracked. Used by Settle.
#pragma once
#include <string>
#include <vector>

#include "judge/settle.h"

namespace xpu_align {

struct Route {
  std::string repository;
  std::string rule;
};

// Of a finding.
Route RouteOf(const SettleInput& input, const TargetProfile& target);
std::vector<RuleDescription> RouteRules();

}  // namespace xpu_align
