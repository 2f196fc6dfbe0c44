// The shipped rules of triage for the target xpu, as app puts them together.
#pragma once
#include "filter/rule_layers.h"
#include "rules/embedded.h"
#include "text/error.h"

namespace xpu_align {

inline TriageRules ShippedRules(std::string_view layer = "rules/triage/xpu.json") {
  TriageRules rules{*ParseJson(rules::Embedded("rules/title.json")), *ParseJson(rules::Embedded("rules/paths.json")),
                    *ParseJson(rules::Embedded("rules/deep.json"))};
  const auto added = AddLayer(*ParseJson(rules::Embedded(layer)), &rules);
  CHECK(added.has_value());
  return rules;
}

}  // namespace xpu_align
