// `distill map`: paths from a file to their areas on the output, or the candidates of a run directory to its
// artifacts/facts_touched.json. Needs no clone. Called by distill_commands.cc.
#pragma once
#include <iosfwd>

#include "app/distill_world.h"
#include "app/exit_codes.h"

namespace xpu_align {

// kUsage without --paths-from and --run; kFileSystem for what can not be read.
Result<ExitCode> MapCommand(const Invocation& invocation, const DistillWorld& world, std::ostream& out);

}  // namespace xpu_align
