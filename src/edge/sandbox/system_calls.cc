#include "edge/sandbox/system_calls.h"

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cerrno>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace xpu_align::sandbox {
namespace {

constexpr const char* kDenied[] = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd",
    // namespaces and mounts
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr", "move_mount",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "swapon", "swapoff", "quotactl", "quotactl_fd",
    "open_by_handle_at", "name_to_handle_at",
    // kernel surface
    "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "kexec_load", "kexec_file_load",
    "init_module", "finit_module", "delete_module", "reboot", "syslog", "acct", "lookup_dcookie", "vhangup", "iopl",
    "ioperm", "modify_ldt", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime"};
// Callers try these first and have another way when the kernel is too old for them.
constexpr const char* kAbsent[] = {"clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"};

constexpr scmp_datum_t kNewNamespaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                                        CLONE_NEWNS | CLONE_NEWCGROUP | 0x80 /* CLONE_NEWTIME */;

constexpr pid_t kSupervisor = 1;

// The kernel looks at the low 32 bits of an int only, and so must we.
scmp_arg_cmp Is(unsigned argument, scmp_datum_t value) { return {argument, SCMP_CMP_MASKED_EQ, 0xffffffffu, value}; }

int AddRules(scmp_filter_ctx filter, UnseenMemory unseen_memory) {
  const auto deny_all = [&](const char* name, int error) {
    const int call = seccomp_syscall_resolve_name(name);
    return call == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(filter, SCMP_ACT_ERRNO(error), call, 0);
  };
  int failed = 0;
  for (const char* name : kDenied) failed |= deny_all(name, EPERM);
  for (const char* name : kAbsent) failed |= deny_all(name, ENOSYS);
  if (unseen_memory == UnseenMemory::kRefused)
    for (const char* name : {"memfd_create", "memfd_secret", "shmget"}) failed |= deny_all(name, ENOSYS);
  const auto deny_if = [&](const char* name, std::initializer_list<scmp_arg_cmp> conditions) {
    const std::vector<scmp_arg_cmp> all(conditions);
    failed |= seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), seccomp_syscall_resolve_name(name),
                                     static_cast<unsigned>(all.size()), all.data());
  };
  // The limit of 1 byte keeps a crash handler of the machine from running; 0 would let it (core(5)).
  deny_if("setrlimit", {Is(0, RLIMIT_CORE)});
  deny_if("prlimit64", {Is(1, RLIMIT_CORE), SCMP_A2(SCMP_CMP_NE, 0)});
  // Limits of another process: no descriptors or no processor time for the supervisor would end it.
  deny_if("prlimit64", {SCMP_A0(SCMP_CMP_NE, 0), SCMP_A2(SCMP_CMP_NE, 0)});
  for (const char* name : {"sched_setscheduler", "sched_setattr", "sched_setparam", "sched_setaffinity"})
    deny_if(name, {Is(0, kSupervisor)});
  for (const char* name : {"setpriority", "ioprio_set"}) deny_if(name, {Is(1, kSupervisor)});
  deny_if("setpriority", {Is(0, PRIO_USER)});
  for (scmp_datum_t bit = 1; bit <= kNewNamespaces; bit <<= 1)
    if (bit & kNewNamespaces)
      failed |=
          seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, bit, bit));
  // Keystrokes into somebody's terminal.
  deny_if("ioctl", {Is(1, TIOCSTI)});
  deny_if("ioctl", {Is(1, TIOCLINUX)});
  // Families that no network namespace holds back (vsock), or that nobody needs (packet, alg, ...).
  for (scmp_datum_t family = 0; family < AF_NETLINK; ++family)
    if (family != AF_UNIX && family != AF_INET && family != AF_INET6)
      failed |=
          seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_EQ, family));
  failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                             SCMP_A0(SCMP_CMP_GT, scmp_datum_t{AF_NETLINK}));
  return failed;
}

}  // namespace

bool SystemCallFilterAvailable() { return ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }

Result<FilterState> FilterSystemCalls(UnseenMemory unseen_memory) {
  if (!SystemCallFilterAvailable()) return FilterState::kUnavailable;
  const std::unique_ptr<void, void (*)(void*)> filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  if (!filter || AddRules(filter.get(), unseen_memory) != 0)
    return Fail(ErrorKind::kSandbox, "the system call filter can not be built");
  if (seccomp_load(filter.get()) != 0) return Fail(ErrorKind::kSandbox, "the kernel refuses the system call filter");
  return FilterState::kInstalled;
}

}  // namespace xpu_align::sandbox
