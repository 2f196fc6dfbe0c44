// System calls that a script never needs and that widen the kernel's surface: refused by a seccomp filter.
// The only user of libseccomp. Called by the child that becomes an interpreter.
#pragma once
#include "text/error.h"

namespace xpu_align::sandbox {

enum class FilterState { kInstalled, kUnavailable };
// Memory that belongs to no process and to no tmpfs of ours (memfd, SysV) is out of the watchdog's sight;
// only GPU drivers need it.
enum class UnseenMemory { kRefused, kAllowed };

// kUnavailable when this kernel has no filters; kSandbox when one was refused. Needs no_new_privs.
Result<FilterState> FilterSystemCalls(UnseenMemory unseen_memory);
bool SystemCallFilterAvailable();

}  // namespace xpu_align::sandbox
