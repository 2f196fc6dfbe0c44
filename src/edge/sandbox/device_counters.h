// DeviceCounters: how long the engines of a device worked for a script, as its kernel driver counts it, where the
// script can not reach. DRM drivers (xe, i915) show it for each open descriptor in /proc/<pid>/fdinfo. Only ever
// positive evidence: work that ended between two looks is not seen. Read by the supervisor.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xpu_align::sandbox {

// Nanoseconds and cycles added up over the engines: only "more than nothing" means something. Nothing when none of the
// processes has a DRM descriptor open. `proc` is replaced in tests.
std::optional<uint64_t> DeviceWork(const std::vector<pid_t>& processes, const std::string& proc = "/proc");

}  // namespace xpu_align::sandbox
