// --device-recover-cmd: what the machine's owner wants done with a device that does not answer. Without the option
// nothing is done: a reset can hurt other users of the machine.
#pragma once
#include <functional>

#include "app/world.h"

namespace xpu_align {

// Empty without the option. The command's own failure is only told: the canary that follows decides.
std::function<Status()> DeviceRecovery(const World& world);

}  // namespace xpu_align
