// The processes of this pid namespace as /proc shows them: who is there, how much memory they hold, and
// their end. Only for pid 1 of a sandbox.
#pragma once
#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <vector>

namespace xpu_align::sandbox {

struct Ended {
  int status = 0;  // as waitpid gives it
  int64_t peak_bytes = 0;
};

// Waits for every child that has ended, without blocking, and adds them to `ended`.
void ReapChildren(std::map<pid_t, Ended>* ended);

// All but pid 1 and `except` that have not ended.
std::vector<pid_t> LivingProcesses(pid_t except);
struct Resident {
  int64_t private_bytes = 0;
  int64_t shared_bytes = 0;  // shared mappings, files of tmpfs among them; once for each process that maps them
};
// Of all but pid 1 and `except`.
Resident ResidentMemory(pid_t except);

// Kills all but pid 1 and `except` until none is left. The result is how many there were; -1 when some
// can not be killed within `millis`.
int KillAll(pid_t except, int64_t millis, std::map<pid_t, Ended>* ended);

// Processes that the kernel has killed for lack of memory, on the whole machine since it started.
int64_t OutOfMemoryKills();

int64_t MonotonicMillis();

}  // namespace xpu_align::sandbox
