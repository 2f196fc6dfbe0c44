// Chains: issues, pull requests and commits that speak of one bug, linked before anything runs, so that
// one script is run for it. Called by filter with the details of all title-passed candidates.
#pragma once
#include <span>
#include <vector>

#include "model/details.h"
#include "model/ledger_row.h"

namespace xpu_align {

// The links that a text states: "Fixes #N" and variants, "Pull Request resolved: URL", "Reverts #N",
// reland, cherry-pick, ghstack stack lists, plain #N and pull/issue URLs of `repository` (mentions).
// Numbers whose kind the text does not tell are given as issue-N; FindChains resolves them.
std::vector<Link> LinksInText(const UntrustedText& text, std::string_view repository);

// Groups of two and more members, in the order of their keys; a candidate is in at most one. The leader has
// material for a script, else a new test, else is an issue, a pull request, a commit; then the lowest id.
// Plain mentions do not link.
std::vector<Chain> FindChains(std::span<const Details> candidates);

}  // namespace xpu_align
