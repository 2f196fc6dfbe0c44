// `explain ID`: why a candidate is where it is, as one JSON object: every rule that was asked, edits, oracle,
// evidence, judgement and verdict. Called by run.cc.
#pragma once
#include "app/world.h"

namespace xpu_align {

// kUsage when the id is malformed, or the run does not have it.
Result<ExitCode> ExplainCommand(const World& world, RunStore& store);

}  // namespace xpu_align
