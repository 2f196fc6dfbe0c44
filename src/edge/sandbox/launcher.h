// The launcher: a fresh copy of this binary, started with an empty environment, that gives up root, makes
// the namespaces and becomes the supervisor, pid 1 of the sandbox. Descriptor 3 is the channel to the
// parent, 4 the plan. Called by the program's first lines when its arguments say so.
#pragma once
#include <string>
#include <vector>

namespace xpu_align::sandbox {

inline constexpr const char* kLaunchArgument = "sandbox-launch";

// True when `arguments` (without the program's name) ask for the launcher.
bool IsLaunch(const std::vector<std::string>& arguments);
// Never returns to the caller's program: the result is the exit status of the process.
int Launch();

}  // namespace xpu_align::sandbox
