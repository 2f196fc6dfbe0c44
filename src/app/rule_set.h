// RuleSet: the embedded rules, parsed: filters, judge data, target profiles, and the digest that is part of
// a run's identity. Loaded once by run.cc; a rule that does not parse is a bug that tests find.
#pragma once
#include <string>
#include <vector>

#include "filter/deep_filter.h"
#include "filter/title_filter.h"
#include "json/json.h"
#include "model/target_profile.h"

namespace xpu_align {

struct RuleSet {
  TitleFilter title;
  DeepFilter deep;
  Json precheck, judge;
  TargetProfile target, cpu;
  std::string sha256;  // over every embedded file: rules and harness
};

// kConfig when there is no profile of that name; the message lists the names.
Result<RuleSet> LoadRules(const std::string& target);

// Names of all profiles, sorted.
std::vector<std::string> TargetNames();

}  // namespace xpu_align
