// `spot`: the pipeline for items that a person names, or that the event of a workflow run is about. Called by
// run.cc.
#pragma once
#include <vector>

#include "app/world.h"
#include "model/reference.h"

namespace xpu_align {

// From the command line; without any from GITHUB_EVENT_PATH, numbers and object ids only. Empty: nothing to
// check. kUsage for a malformed reference, or without references and event.
Result<std::vector<Reference>> SpotReferences(const Plan& plan, const Environment& environment);

// A named head that is not the pull request's head any more is refused: kConfig.
Result<ExitCode> SpotCommand(const World& world, RunStore& store, const std::vector<Reference>& references);

}  // namespace xpu_align
