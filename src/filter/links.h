// Links: what a text says about other issues, pull requests and commits of the same repository. Code fences
// and quoted lines say nothing; numbers of other repositories neither. Called by collect and filter.
#pragma once
#include <string_view>
#include <vector>

#include "model/details.h"

namespace xpu_align {

// The links that a text states: "Fixes #N" and variants (closes), "Pull Request resolved: URL" (resolved-by),
// "Duplicate of #N", Revert and Reland of N, cherry-picks, ghstack stack lists, plain #N and URLs of `repository`
// (mentions).
// Each target once, with its strongest kind, in the order of the text. Targets are issue-N, pr-N (a URL or a
// stack says so) or a full sha. Numbers whose kind the text does not tell are issue-N; FindChains resolves them.
std::vector<Link> LinksInText(const UntrustedText& text, std::string_view repository);

}  // namespace xpu_align
