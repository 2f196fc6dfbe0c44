// `doctor`: checks everything that a run needs - token, rate limit, clone, disk, interpreter, device, sandbox -
// and says for each what to do. Writes nothing but the cache folder. Called by run.cc.
#pragma once
#include "app/world.h"

namespace xpu_align {

// The code of the first check that fails, 0 when all pass.
Result<ExitCode> DoctorCommand(const World& world);

}  // namespace xpu_align
