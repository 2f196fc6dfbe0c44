// SKILL.md of an area: short, procedural, every sentence from a template or with the id of a fact. Valid under the
// Agent Skills specification (agentskills.io, at 69ef37e9). Text of a repository stands in code spans of the body only,
// never in the frontmatter. Called by build.
#pragma once
#include <string>

#include "distill/build.h"

namespace xpu_align::distill {

// `card_sha256`: of the card.json beside it.
std::string SkillMarkdown(const Scope& scope, const ScopeArea& area, const Readset& readset, const AreaFacts& facts,
                          const std::string& card_sha256);

// Summary and when, at most policy.max_description characters.
std::string DescriptionOf(const ScopeArea& area, const ScopePolicy& policy);

}  // namespace xpu_align::distill
