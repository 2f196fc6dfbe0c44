// Searchspace matrix: every tunable that was found, with what the code says about it: default, allowed values, order of
// its names, when it is read, what it is refused together with. Says nothing about what is faster. Called by build.
#pragma once
#include <string>
#include <vector>

#include "distill/build.h"

namespace xpu_align::distill {

Json SearchspaceJson(const std::vector<AreaFacts>& areas);
std::string SearchspaceMarkdown(const Json& matrix);

}  // namespace xpu_align::distill
