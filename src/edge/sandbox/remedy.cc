#include "edge/sandbox/remedy.h"

#include <cstdlib>
#include <fstream>

namespace xpu_align::sandbox {
namespace {

constexpr const char* kAllowForAll = "set sysctl kernel.apparmor_restrict_unprivileged_userns=0";

long FirstNumber(const char* path, long otherwise) {
  std::ifstream file(path);
  long number;
  return file >> number ? number : otherwise;
}

bool RootIsAMount() {
  std::ifstream file("/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    size_t word = 0;  // the fifth is the mount point
    for (int i = 0; i < 4 && word != std::string::npos; ++i) word = line.find(' ', word == 0 ? 0 : word + 1);
    if (word != std::string::npos && line.compare(word, 3, " / ") == 0) return true;
  }
  return false;
}

bool UnderAFilter() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("Seccomp:")) return std::atoi(line.c_str() + 8) == 2;
  return false;
}

std::string NoUserNamespaces(const MachineFacts& facts) {
  if (facts.in_chroot)
    return "the kernel refuses user namespaces in a chroot: run outside of it, or enter it by bubblewrap or a "
           "container";
  if (facts.filtered)
    return "the container's system call filter refuses user namespaces: give it --security-opt seccomp=unconfined";
  if (facts.clone_switched_off)
    return "user namespaces are switched off: set sysctl kernel.unprivileged_userns_clone=1";
  if (facts.restricted_by_apparmor) return std::string("user namespaces are restricted: ") + kAllowForAll;
  return "user namespaces are refused by the machine's security module: allow them for this program there";
}

}  // namespace

MachineFacts FactsOfThisMachine() {
  return {.in_chroot = !RootIsAMount(),
          .filtered = UnderAFilter(),
          .clone_switched_off = FirstNumber("/proc/sys/kernel/unprivileged_userns_clone", 1) == 0,
          .restricted_by_apparmor = FirstNumber("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 0) == 1};
}

std::string RemedyFor(std::string_view failure, const MachineFacts& facts) {
  const auto at = [&](std::string_view step) { return failure.find(step) != std::string_view::npos; };
  if (at("unshare: No space"))
    return "user namespaces are switched off: set sysctl user.max_user_namespaces to a number above 0";
  if (at("unshare")) return NoUserNamespaces(facts);
  if (at("uid_map")) return std::string("user namespaces are restricted: ") + kAllowForAll;
  if (at("give up root"))
    return "start it as an ordinary user, or give the container the capabilities SETUID and SETGID";
  if (at("mount proc"))
    return "a private /proc is refused: give the container --security-opt systempaths=unconfined (podman: "
           "--security-opt unmask=ALL), or run outside of it";
  if (at("open_tree"))
    return "a folder can not be shown: Linux 5.12 or later is needed, and the sandbox's user must be able to enter it";
  if (at("mount_setattr")) return "read-only mounts can not be made: Linux 5.12 or later is needed";
  if (at("mount"))
    return facts.restricted_by_apparmor
               ? std::string("mounts are refused: ") + kAllowForAll
               : "mounts are refused: give the container --security-opt apparmor=unconfined, or run outside of it";
  return {};
}

}  // namespace xpu_align::sandbox
