// Remedy: why a sandbox could not be made, as the one setting that a person changes. The failed step and what the
// kernel and the container say of themselves decide; no guess names two settings. Used by session, so `doctor` prints
// it.
#pragma once
#include <string>
#include <string_view>

namespace xpu_align::sandbox {

struct MachineFacts {
  bool in_chroot = false;               // "/" is no mount point: the kernel refuses user namespaces there
  bool filtered = false;                // a seccomp filter of a container is over this process
  bool clone_switched_off = false;      // kernel.unprivileged_userns_clone=0 (Debian's kernels)
  bool restricted_by_apparmor = false;  // kernel.apparmor_restrict_unprivileged_userns=1 (Ubuntu's)
};

MachineFacts FactsOfThisMachine();
// Empty when nothing is known about this failure.
std::string RemedyFor(std::string_view failure, const MachineFacts& facts);

}  // namespace xpu_align::sandbox
