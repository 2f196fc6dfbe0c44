// RuleSet: the embedded rules, parsed: filters, judge data, target profiles, and the digest that is part of
// a run's identity. Loaded once by run.cc; a rule that does not parse is a bug that tests find.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "filter/deep_filter.h"
#include "filter/rule_layers.h"
#include "filter/title_filter.h"
#include "json/json.h"
#include "model/target_profile.h"

namespace xpu_align {

// Rules of the user (--rules FILE): never used silently.
struct OwnRules {
  std::string name;    // of the file, without folders
  std::string sha256;  // of its bytes
  LayerChanges changes;

  std::string Summary() const;  // one line for people
  Json ForManifest() const;
};

struct RuleSet {
  TitleFilter title;
  DeepFilter deep;
  Json precheck, judge;
  TargetProfile target, cpu;
  std::string sha256;  // over every embedded file (rules and harness) and the own rules
  std::optional<OwnRules> own;
};

// `own_rules`: path of the user's layer (filter/rule_layers.h says its format); empty: none. kConfig when there is no
// profile of that name (the message lists the names) or the own rules can not be used.
Result<RuleSet> LoadRules(const std::string& target, const std::string& own_rules);

// The rules of triage for a target, without own ones. Also for docs/rules.md.
Result<TriageRules> ShippedTriageRules(const std::string& target);

// Names of all profiles, sorted.
std::vector<std::string> TargetNames();

}  // namespace xpu_align
