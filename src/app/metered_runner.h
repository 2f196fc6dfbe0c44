// A SandboxRunner that adds the wall time of its calls to a meter, so that a run can say its own overhead.
// Made by OpenSandbox.
#pragma once
#include <memory>

#include "app/world.h"

namespace xpu_align {

// `clock` and `meter` outlive the result.
std::unique_ptr<SandboxRunner> MeterRunner(std::unique_ptr<SandboxRunner> runner, Clock& clock, Meter* meter);

}  // namespace xpu_align
