// RuleExamples: whether rules of triage do what their own examples say: a hit is decided by its rule, a near miss is not.
// Refuses a rule that fails one, with a sentence that names both. Called by app for the rules of a user, before anything
// is done with them; tests ask more of the shipped ones.
#pragma once
#include <span>
#include <string>

#include "filter/rule_layers.h"

namespace xpu_align {

// Of the rules with these ids; `rules` is everything that is asked, so a hit that another rule takes fails, too. Rules
// without examples pass. kConfig names what is wrong.
Status CheckExamples(const TriageRules& rules, std::span<const std::string> ids);

}  // namespace xpu_align
