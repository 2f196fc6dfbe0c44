// --upgrade-nightly: a step of preflight that installs the target's nightly into the interpreter's environment, with
// the one index of the target's profile, and says what changed. Refuses where a token is near: what pip installs runs
// code at the next import.
#pragma once
#include "app/world.h"

namespace xpu_align {

// The command line that a person would type.
std::string UpgradeCommandLine(const Plan& plan, const TargetProfile& target);

// {"index_url", "changed": [{"package", "before", "after"}]} for environment.json. kConfig when it must not run here,
// kDevice when pip fails.
Result<Json> UpgradeNightly(const World& world);

}  // namespace xpu_align
