#include "edge/sandbox/host_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "edge/sandbox/process.h"

namespace xpu_align::sandbox {
namespace {

constexpr int64_t kLookMillis = 100;  // between two looks at the clock and at the stop request

int64_t Now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// In a process group of its own, with /dev/null as input and `output` as the rest.
Result<pid_t> Start(const HostCommand& command, int output) {
  std::vector<std::string> arguments = command.arguments, variables;
  for (const auto& [name, value] : command.environment) variables.push_back(name + "=" + value);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output, 1);
  ::posix_spawn_file_actions_adddup2(&actions, output, 2);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  pid_t pid = 0;
  errno = ::posix_spawn(&pid, arguments[0].c_str(), &actions, &attributes, Pointers(arguments).data(),
                        Pointers(variables).data());
  const int failure = errno;
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  errno = failure;
  if (failure != 0) return Fail(ErrorKind::kConfig, SystemFailure(command.arguments[0] + " can not be started"));
  return pid;
}

// Nothing when it still runs.
bool HasEnded(pid_t pid, int* status) {
  int raw = 0;
  if (::waitpid(pid, &raw, WNOHANG) != pid) return false;
  *status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
  return true;
}

}  // namespace

Result<HostCommandResult> RunHostCommand(const HostCommand& command) {
  CHECK(!command.arguments.empty());
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Fail(ErrorKind::kConfig, SystemFailure("no pipe"));
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  ::fcntl(from.get(), F_SETFL, O_NONBLOCK);
  TRY_ASSIGN(const pid_t pid, Start(command, to.get()));
  to.Reset();
  HostCommandResult result;
  const int64_t deadline = Now() + command.timeout_millis;
  bool stopped = false;
  for (bool ended = false; !ended;) {
    pollfd event{from.get(), POLLIN, 0};
    ::poll(&event, 1, static_cast<int>(kLookMillis));
    ended = HasEnded(pid, &result.exit_status);  // first: what it wrote before its end is read below
    char buffer[16 << 10];
    for (ssize_t got; (got = ::read(from.get(), buffer, sizeof buffer)) > 0;)
      result.output.append(buffer, std::min(static_cast<size_t>(got), command.output_cap - result.output.size()));
    stopped = command.stop_requested && command.stop_requested();
    result.timed_out = !ended && Now() >= deadline;
    if (!ended && (stopped || result.timed_out)) break;
  }
  ::kill(-pid, SIGKILL);  // and whatever it left behind in its group
  if (result.timed_out || stopped) ::waitpid(pid, nullptr, 0);
  if (stopped) return Fail(ErrorKind::kCancelled, "interrupted while " + command.arguments[0] + " ran");
  return result;
}

}  // namespace xpu_align::sandbox
