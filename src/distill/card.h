// Card of an area: its facts with their citations as JSON and as one line each for a person. Generated, never edited;
// status candidate, run not_run, always. Called by build.
#pragma once
#include <string>

#include "distill/build.h"

namespace xpu_align::distill {

inline constexpr std::string_view kStatus = "candidate";
inline constexpr std::string_view kRun = "not_run";

// Repositories that an area reads, in the order of the scope.
std::vector<const GroundedRepository*> RepositoriesOf(const ScopeArea& area, const Readset& readset);
// "torch_npu@54e365d3e361,pytorch@31a77fc9c0a7".
std::string ShortPins(const std::vector<const GroundedRepository*>& repositories);
// [{repo, slug, pin, label}]
Json PinsJson(const std::vector<const GroundedRepository*>& repositories);

std::string CardJson(const ScopeArea& area, const Readset& readset, const AreaFacts& facts);
std::string CardMarkdown(const ScopeArea& area, const Readset& readset, const AreaFacts& facts);

}  // namespace xpu_align::distill
