// Landlock: a second lock under the namespaces. The calling process and its children may write only under
// the given paths, and may signal and reach abstract sockets only of their own kind. What the kernel does
// not know is left out. Called by the child that becomes an interpreter.
#pragma once
#include <string>
#include <vector>

#include "text/error.h"

namespace xpu_align::sandbox {

// What the kernel offers: 0 when Landlock is absent or off. Signal scopes need 6.
int LandlockAbi();
constexpr int kLandlockAbiWithScopes = 6;

// `writable` are folders, `devices` are files that may be written and take ioctl. Needs no_new_privs.
Status RestrictWrites(const std::vector<std::string>& writable, const std::vector<std::string>& devices);

}  // namespace xpu_align::sandbox
