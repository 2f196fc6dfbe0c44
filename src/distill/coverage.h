// Coverage: what was read of each area, what was not and why, and how many facts a crude count of the same text
// expects. Called by build and recounted by verify.
#pragma once
#include <vector>

#include "distill/build.h"

namespace xpu_align::distill {

Json CoverageJson(const Scope& scope, const Readset& readset, const std::vector<AreaFacts>& areas);
std::string CoverageMarkdown(const Json& coverage);

}  // namespace xpu_align::distill
