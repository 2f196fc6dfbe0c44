#include "edge/sandbox/launcher.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "edge/sandbox/channel.h"
#include "edge/sandbox/root_tree.h"
#include "edge/sandbox/supervisor.h"

namespace xpu_align::sandbox {
namespace {

constexpr int kChannel = 3, kPlan = 4;
constexpr size_t kMaxPlanBytes = 4 << 20;
constexpr int kInsideUser = 1000;

Status Failed(const std::string& step) { return Fail(ErrorKind::kSandbox, SystemFailure(step)); }

Status WriteText(const char* path, const std::string& text) {
  const Descriptor file(::open(path, O_WRONLY | O_CLOEXEC));
  if (!file.valid() || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return Failed(std::string("write ") + path);
  return {};
}

// uid 0 becomes plan.user, keeping only the groups that own device nodes: RLIMIT_NPROC does not bind
// uid 0, and a hole in the namespaces must not end as root.
Status GiveUpRoot(const SandboxPlan& plan) {
  std::vector<gid_t> groups;
  for (const std::string& node : plan.device_nodes) {
    struct stat status;
    if (::stat(node.c_str(), &status) == 0 && status.st_gid != 0) groups.push_back(status.st_gid);
  }
  const auto user = static_cast<uid_t>(plan.user);
  if (::setgroups(groups.size(), groups.data()) != 0 || ::setresgid(user, user, user) != 0 ||
      ::setresuid(user, user, user) != 0)
    return Failed("give up root");
  ::prctl(PR_SET_DUMPABLE, 1);  // a change of user clears it, and then /proc/self/uid_map can not be written
  return {};
}

// False for the "root" of a rootless container: it is an ordinary user already, and often has no other
// user to become.
bool IsRootOfTheMachine() {
  const Descriptor file(::open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC));
  char map[64] = {};
  unsigned long inside = 0, outside = 0, count = 0;
  return ::geteuid() == 0 && file.valid() && ::read(file.get(), map, sizeof map - 1) > 0 &&
         ::sscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3 && outside == 0;
}

Status MakeNamespaces() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWPID |
                CLONE_NEWCGROUP) != 0)
    return Failed("unshare");
  TRY(WriteText("/proc/self/setgroups", "deny"));
  TRY(WriteText("/proc/self/uid_map", std::to_string(kInsideUser) + " " + std::to_string(user) + " 1"));
  TRY(WriteText("/proc/self/gid_map", std::to_string(kInsideUser) + " " + std::to_string(group) + " 1"));
  if (::sethostname("sandbox", 7) != 0) return Failed("sethostname");
  return {};
}

Status BecomeSandbox(const Descriptor& channel, const SandboxPlan& plan) {
  std::vector<PickedTree> trees;
  if (IsRootOfTheMachine()) {
    // As root first: its folders may be closed to plan.user. A container without CAP_SYS_ADMIN refuses.
    if (auto picked = PickTrees(plan)) trees = std::move(*picked);
    TRY(GiveUpRoot(plan));
  }
  TRY(MakeNamespaces());
  if (trees.empty()) {
    TRY_ASSIGN(trees, PickTrees(plan));
  }
  ::prctl(PR_SET_DUMPABLE, 0);
  const pid_t supervisor = ForkSibling();
  if (supervisor < 0) return Failed("clone");
  if (supervisor > 0) return Send(channel, Json().Set("pid", static_cast<int64_t>(supervisor)));
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (auto entered = EnterRoot(plan, trees); !entered) {
    (void)Send(channel, Json().Set("error", entered.error().message));
    ::_exit(1);
  }
  trees.clear();
  ::_exit(Supervise(channel, plan));
}

}  // namespace

bool IsLaunch(const std::vector<std::string>& arguments) {
  return arguments.size() == 1 && arguments[0] == kLaunchArgument;
}

int Launch() {
  const Descriptor channel(kChannel), plan_file(kPlan);
  ::fcntl(kChannel, F_SETFD, FD_CLOEXEC);
  ::fcntl(kPlan, F_SETFD, FD_CLOEXEC);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto text = ReadMemoryFile(kPlan, kMaxPlanBytes);
  const auto json = text ? ParseJson(*text) : Result<Json>(std::unexpected(text.error()));
  const auto done = json ? BecomeSandbox(channel, SandboxPlanFromJson(*json)) : Status(std::unexpected(json.error()));
  if (done) return 0;
  (void)Send(channel, Json().Set("error", done.error().message));
  return 1;
}

}  // namespace xpu_align::sandbox
