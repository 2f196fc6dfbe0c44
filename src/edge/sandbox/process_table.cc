#include "edge/sandbox/process_table.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace xpu_align::sandbox {
namespace {

std::vector<pid_t> ProcessIds() {
  std::vector<pid_t> pids;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  if (!folder) return pids;
  while (const dirent* entry = ::readdir(folder.get()))
    if (const int pid = std::atoi(entry->d_name); pid > 1) pids.push_back(pid);
  return pids;
}

// The number after `key` in a file of "key  number" lines; 0 when there is none.
int64_t NumberAfter(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return std::strtoll(line.c_str() + key.size(), nullptr, 10);
  return 0;
}

// Dead with all its threads. The first thread alone may be: then the process still runs, and can not be reaped.
bool IsDead(pid_t pid) {
  constexpr int kFieldsToThreads = 17;  // after the state, proc(5)
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  const size_t name_end = text.rfind(") ");  // the name may hold anything
  if (name_end == std::string::npos) return true;
  std::istringstream fields(text.substr(name_end + 2));
  std::string state, skipped;
  fields >> state;
  for (int i = 1; i < kFieldsToThreads; ++i) fields >> skipped;
  int threads = 0;
  fields >> threads;
  return state == "X" || (state == "Z" && threads <= 1);
}

}  // namespace

void ReapChildren(std::map<pid_t, Ended>* ended) {
  for (;;) {
    int status;
    rusage usage{};
    const pid_t pid = ::wait4(-1, &status, WNOHANG, &usage);
    if (pid <= 0) return;
    (*ended)[pid] = {status, int64_t{usage.ru_maxrss} << 10};
  }
}

std::vector<pid_t> LivingProcesses(pid_t except) {
  std::vector<pid_t> living;
  for (const pid_t pid : ProcessIds())
    if (pid != except && !IsDead(pid)) living.push_back(pid);
  return living;
}

Resident ResidentMemory(pid_t except) {
  Resident sum;
  for (const pid_t pid : ProcessIds()) {
    if (pid == except) continue;
    const std::string status = "/proc/" + std::to_string(pid) + "/status";
    sum.private_bytes += NumberAfter(status, "RssAnon:") << 10;
    sum.shared_bytes += NumberAfter(status, "RssShmem:") << 10;
  }
  return sum;
}

int KillAll(pid_t except, int64_t millis, std::map<pid_t, Ended>* ended) {
  const int64_t deadline = MonotonicMillis() + millis;
  int found = 0;
  for (bool first = true;; first = false) {
    ReapChildren(ended);
    const std::vector<pid_t> living = LivingProcesses(except);
    if (first) found = static_cast<int>(living.size());
    if (living.empty()) break;
    if (MonotonicMillis() > deadline) return -1;
    if (except <= 0) {
      ::kill(-1, SIGKILL);  // at once: a fork bomb can not outrun it
    } else {
      for (const pid_t pid : living) ::kill(pid, SIGKILL);
    }
    ::poll(nullptr, 0, 1);
  }
  ReapChildren(ended);
  return found;
}

int64_t OutOfMemoryKills() { return NumberAfter("/proc/vmstat", "oom_kill "); }

int64_t MonotonicMillis() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace xpu_align::sandbox
