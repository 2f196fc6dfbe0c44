// Processes: the only place that forks. Small wrappers around fork, clone, pidfd and exec; the caller
// decides what a child does. Refuses to hand down any descriptor or variable that is not named.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "text/error.h"

namespace xpu_align::sandbox {

// An open file descriptor, closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.Release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) Reset(other.Release());
    return *this;
  }
  ~Descriptor() { Reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release();
  void Reset(int fd = -1);

 private:
  int fd_ = -1;
};

// "step: reason of errno".
std::string SystemFailure(const std::string& step);

// Starts `program` with an empty environment; `descriptors` become 3, 4, ...; nothing else is open but
// /dev/null as 0, 1, 2. Its memory holds nothing of ours.
Result<pid_t> SpawnClean(const std::string& program, const std::vector<std::string>& arguments,
                         const std::vector<int>& descriptors);

// fork(2): 0 in the child, -1 on failure.
pid_t ForkChild();
// Like ForkChild, but the new process is a child of our parent (and pid 1 after CLONE_NEWPID).
pid_t ForkSibling();

// A handle on a child of ours; invalid when it can not be made.
Descriptor OpenPidFd(pid_t pid);
// False when the process has not ended within `millis`. Reaps it.
bool WaitFor(const Descriptor& pidfd, int64_t millis);
void Kill(const Descriptor& pidfd);

// In a child: `standard` as 0 to 2 and `kept` as 3, 4, ...; closes all others. False on failure.
bool ArrangeDescriptors(int standard_input, int output, const std::vector<int>& kept);

}  // namespace xpu_align::sandbox
