#include "edge/sandbox/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace xpu_align::sandbox {
namespace {

constexpr int kAboveAllTargets = 64;  // descriptors are first moved out of the way of 0..N

}  // namespace

int Descriptor::Release() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

void Descriptor::Reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

std::string SystemFailure(const std::string& step) {
  char text[128];
  return step + ": " + ::strerror_r(errno, text, sizeof text);
}

bool ArrangeDescriptors(int standard_input, int output, const std::vector<int>& kept) {
  const size_t count = kept.size() + 3;
  int moved[16];
  if (count > std::size(moved)) return false;
  for (size_t i = 0; i < count; ++i) {
    const int source = i == 0 ? standard_input : i < 3 ? output : kept[i - 3];
    moved[i] = ::fcntl(source, F_DUPFD, kAboveAllTargets);
    if (moved[i] < 0) return false;
  }
  for (size_t i = 0; i < count; ++i)
    if (::dup2(moved[i], static_cast<int>(i)) < 0) return false;
  return ::syscall(SYS_close_range, static_cast<unsigned>(count), ~0u, 0u) == 0;
}

Result<pid_t> SpawnClean(const std::string& program, const std::vector<std::string>& arguments,
                         const std::vector<int>& descriptors) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null.valid()) return Fail(ErrorKind::kSandbox, SystemFailure("/dev/null can not be opened"));
  const pid_t pid = ::fork();
  if (pid < 0) return Fail(ErrorKind::kSandbox, SystemFailure("no process can be started"));
  if (pid == 0) {
    // Only calls that are safe after a fork of a process with threads.
    char* no_environment[] = {nullptr};
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (ArrangeDescriptors(null.get(), null.get(), descriptors)) ::execve(program.c_str(), argv.data(), no_environment);
    ::_exit(127);
  }
  return pid;
}

pid_t ForkChild() { return ::fork(); }

pid_t ForkSibling() {
  return static_cast<pid_t>(::syscall(SYS_clone, static_cast<unsigned long>(CLONE_PARENT | SIGCHLD), 0, 0, 0, 0));
}

Descriptor OpenPidFd(pid_t pid) { return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0u))); }

bool WaitFor(const Descriptor& pidfd, int64_t millis) {
  pollfd ended{pidfd.get(), POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&ended, 1, static_cast<int>(millis));
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) return false;
  siginfo_t info;
  ::waitid(static_cast<idtype_t>(3 /* P_PIDFD */), static_cast<id_t>(pidfd.get()), &info, WEXITED | WNOHANG);
  return true;
}

void Kill(const Descriptor& pidfd) { ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0u); }

}  // namespace xpu_align::sandbox
