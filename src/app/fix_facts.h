// Facts about fixes for settle, taken from the clone: is the commit that resolves a chain in the build that
// was tested? Also the step summary, the one file outside the run directory that a run appends to.
// Called by stage_commands.cc.
#pragma once
#include "app/world.h"
#include "pipeline/settle.h"

namespace xpu_align {

// The clone of a recording, the one that collect made, or --git-dir, without touching the network; kNotFound when there is none.
Result<std::unique_ptr<RepositoryReader>> OpenRepositoryForReading(const World& world);

// What `build` (a trunk commit; empty: unknown) has of the fix of a chain, `chain` being the details of its members, leader
// first. The trunk state of the chain decides what the fix is: one that was taken back is none, except for a build from
// before it was.
FixFacts FactsOfChain(const LedgerRow& row, const std::vector<Details>& chain, const std::string& build,
                      const DeepFilter& classes, RepositoryReader& repository);

// `repository` may be null; it outlives the facts. The build is --build-commit, or what the interpreter said
// (environment.json), resolved through the nightly branch.
Result<SettleFacts> FactsFrom(const World& world, RunStore& store, RepositoryReader* repository);

// To GITHUB_STEP_SUMMARY, when the runner set it.
Status AppendStepSummary(const World& world, const std::string& markdown);

}  // namespace xpu_align
