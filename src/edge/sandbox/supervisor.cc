#include "edge/sandbox/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <span>

#include "edge/sandbox/device_counters.h"
#include "edge/sandbox/landlock.h"
#include "edge/sandbox/process_table.h"
#include "edge/sandbox/root_tree.h"
#include "edge/sandbox/system_calls.h"

namespace xpu_align::sandbox {
namespace {

constexpr int64_t kKillMillis = 10'000;
constexpr int64_t kForkServerAnswerMillis = 20'000;
constexpr int64_t kWatchMillis = 50;  // between two looks at memory
constexpr size_t kMaxScriptBytes = 8 << 20;
constexpr pid_t kNobody = 0;
constexpr size_t kRunDescriptors = 3, kServeDescriptors = 1;  // then come the doors

std::string Level() {
  std::string level = "namespaces";
  if (LandlockAbi() > 0) level += "+landlock";
  if (SystemCallFilterAvailable()) level += "+seccomp";
  return level;
}

bool Limit(int resource, int64_t value) {
  const rlimit both{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &both) == 0;
}

// Runs in the child that becomes an interpreter: from here on it can reach nothing.
Status Confine(const SandboxPlan& plan, const Json& request) {
  const bool limited =
      Limit(RLIMIT_CORE, 1) && Limit(RLIMIT_FSIZE, plan.file_bytes) && Limit(RLIMIT_NOFILE, plan.open_files) &&
      Limit(RLIMIT_NPROC, plan.processes) &&
      (plan.memory_limit != MemoryLimit::kAddressSpace || Limit(RLIMIT_AS, request.IntOr("memory_bytes"))) &&
      (!request.Has("cpu_seconds") || Limit(RLIMIT_CPU, request.IntOr("cpu_seconds")));
  if (!limited) return Fail(ErrorKind::kSandbox, SystemFailure("setrlimit"));
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return Fail(ErrorKind::kSandbox, SystemFailure("no_new_privs"));
  std::vector<std::string> writable = WritableFolders(), devices = HarmlessDevices();
  writable.push_back("/proc");  // drivers name their threads there; it shows only this sandbox
  devices.insert(devices.end(), plan.device_nodes.begin(), plan.device_nodes.end());
  TRY(RestrictWrites(writable, devices));
  TRY(FilterSystemCalls(plan.device_nodes.empty() ? UnseenMemory::kRefused : UnseenMemory::kAllowed));
  return {};
}

class Supervisor {
 public:
  Supervisor(const Descriptor& channel, const SandboxPlan& plan) : channel_(channel), plan_(plan) {
    sigset_t child;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child, nullptr);
    child_ended_.Reset(::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
    null_.Reset(::open("/dev/null", O_RDWR | O_CLOEXEC));
  }

  int Serve() {
    if (!Send(channel_, Json().Set("up", true).Set("level", Level()).Set("landlock_abi", LandlockAbi()))) return 1;
    for (;;) {
      auto message = Receive(channel_, -1);
      if (!message) return 0;
      const std::string operation = message->json.StringOr("op");
      const Json answer = operation == "run" && message->descriptors.size() >= kRunDescriptors ? Run(&*message)
                          : operation == "serve" && message->descriptors.size() >= kServeDescriptors
                              ? StartServer(&*message)
                              : Json().Set("error", "unknown request");
      message->descriptors.clear();
      if (!Send(channel_, answer)) return 0;
    }
  }

 private:
  static Json NotStarted(const std::string& why) { return Json().Set("kind", "not-started").Set("detail", why); }

  // Starts `request.arguments` with `kept` as 3, 4, ...; waits until it is really that program.
  Result<pid_t> StartInterpreter(const Json& request, int output, const std::vector<int>& kept,
                                 std::span<const Descriptor> doors) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return Fail(ErrorKind::kSandbox, SystemFailure("pipe"));
    const Descriptor failure_read(ends[0]);
    Descriptor failure_write(ends[1]);
    const pid_t pid = ForkChild();
    if (pid < 0) return Fail(ErrorKind::kSandbox, SystemFailure("fork"));
    if (pid == 0) BecomeInterpreter(request, output, kept, failure_write.get(), doors);
    failure_write.Reset();
    char why[256];
    const ssize_t length = ::read(failure_read.get(), why, sizeof why);
    if (length > 0) return Fail(ErrorKind::kSandbox, std::string(why, static_cast<size_t>(length)));
    return pid;
  }

  [[noreturn]] void BecomeInterpreter(const Json& request, int output, std::vector<int> kept, int failure,
                                      std::span<const Descriptor> doors) {
    ::setsid();
    for (const Descriptor& door : doors) (void)!::write(door.get(), "0", 1);  // refused: the watchdog remains
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);  // what our caller ignores survives exec
    kept.push_back(failure);
    const bool arranged = ArrangeDescriptors(null_.get(), output, kept);
    const int report = arranged ? static_cast<int>(kept.size()) + 2 : failure;
    ::fcntl(report, F_SETFD, FD_CLOEXEC);
    std::ofstream("/proc/self/oom_score_adj") << 500;  // the machine is short of memory: this goes first
    Status ready = arranged ? Confine(plan_, request) : Fail(ErrorKind::kSandbox, "descriptors");
    if (ready && ::chdir(kScratch) != 0) ready = Fail(ErrorKind::kSandbox, SystemFailure("chdir"));
    if (ready) {
      std::vector<std::string> arguments = request.StringsOf("arguments"), environment;
      std::map<std::string, std::string> variables = plan_.environment;
      if (const auto* more = request["environment"].AsObject())
        for (const auto& [name, value] : *more)
          if (const auto* text = value.AsString()) variables[name] = *text;
      for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
      std::vector<char*> argv, envp;
      for (std::string& argument : arguments) argv.push_back(argument.data());
      for (std::string& variable : environment) envp.push_back(variable.data());
      argv.push_back(nullptr);
      envp.push_back(nullptr);
      ::execve(argv[0] ? argv[0] : "", argv.data(), envp.data());
      ready = Fail(ErrorKind::kSandbox, SystemFailure("exec " + (arguments.empty() ? "" : arguments[0])));
    }
    (void)!::write(report, ready.error().message.data(), std::min<size_t>(ready.error().message.size(), 255));
    ::_exit(127);
  }

  Json StartServer(Message* message) {
    auto ends = MakeChannel();
    if (!ends) return Json().Set("error", ends.error().message);
    const auto pid = StartInterpreter(message->json, message->descriptors[0].get(), {ends->second.get()},
                                      std::span(message->descriptors).subspan(kServeDescriptors));
    if (!pid) return Json().Set("error", pid.error().message);
    ends->second.Reset();
    message->descriptors.clear();
    const auto ready = Receive(ends->first, message->json.IntOr("timeout_millis"));
    if (!ready || !ready->json.BoolOr("ready", false)) {
      KillAll(kNobody, kKillMillis, &ended_);
      return Json().Set("error", ready ? ready->json.StringOr("error", "no reason given") : ready.error().message);
    }
    server_ = *pid;
    server_channel_ = std::move(ends->first);
    return Json().Set("ready", true);
  }

  Json Run(Message* message) {
    ended_.clear();
    const Json& request = message->json;
    const std::string name = request.StringOr("name");
    if (name.empty() || name.find('/') != std::string::npos) return NotStarted("a script has no file name");
    const auto script = ReadMemoryFile(message->descriptors[2].get(), kMaxScriptBytes);
    if (!script) return NotStarted(script.error().message);
    const std::string path = std::string(kScratch) + "/" + name;
    {
      const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
      if (!file.valid() || ::write(file.get(), script->data(), script->size()) != static_cast<ssize_t>(script->size()))
        return NotStarted(SystemFailure("the script can not be written"));
    }
    const int64_t kills_before = OutOfMemoryKills();
    const bool by_fork = request.Has("fork");
    const auto pid = by_fork ? AskServer(request["fork"], *message)
                             : StartInterpreter(request, message->descriptors[0].get(), {message->descriptors[1].get()},
                                                std::span(message->descriptors).subspan(kRunDescriptors));
    if (!pid) {
      KillAll(kNobody, kKillMillis, &ended_);
      return NotStarted(pid.error().message).Set("server_lost", by_fork);
    }
    message->descriptors.clear();  // or the parent would never see their end
    return Watch(*pid, request, kills_before);
  }

  // The server only forks and names the new process; what becomes of it is seen here, by waiting.
  Result<pid_t> AskServer(const Json& request, const Message& message) {
    if (server_ == kNobody) return Fail(ErrorKind::kSandbox, "the fork server is gone");
    TRY(Send(server_channel_, request, {message.descriptors[0].get(), message.descriptors[1].get()}));
    TRY_ASSIGN(const Message answer, Receive(server_channel_, kForkServerAnswerMillis));
    const auto pid = static_cast<pid_t>(answer.json.IntOr("pid"));
    if (pid <= 1 || pid == server_) return Fail(ErrorKind::kSandbox, "the fork server did not fork");
    return pid;
  }

  Json Watch(pid_t script, const Json& request, int64_t kills_before) {
    const int64_t deadline = MonotonicMillis() + request.IntOr("timeout_millis");
    const int64_t memory = request.IntOr("memory_bytes");
    const bool counts_device = request.BoolOr("device_counters", false);
    std::optional<uint64_t> device_work;
    int64_t peak = 0;
    std::string ended_by_us;
    for (;;) {
      ReapChildren(&ended_);
      if (ended_.contains(script)) break;
      const Resident resident = ResidentMemory(server_);
      const int64_t in_use = resident.private_bytes + std::max(resident.shared_bytes, WritableBytesInUse());
      peak = std::max(peak, in_use);
      if (counts_device) device_work = std::max(device_work, DeviceWork(LivingProcesses(server_)));
      const int64_t now = MonotonicMillis();
      if (now >= deadline) ended_by_us = "timed-out";
      if (in_use > memory) ended_by_us = "memory-exceeded";
      if (!ended_by_us.empty()) break;
      pollfd events[] = {{child_ended_.get(), POLLIN, 0}, {channel_.get(), 0, 0}};
      ::poll(events, 2, static_cast<int>(std::min(kWatchMillis, deadline - now)));
      signalfd_siginfo ignored[16];
      while (::read(child_ended_.get(), ignored, sizeof ignored) > 0) continue;
      if (events[1].revents & (POLLHUP | POLLERR)) ::_exit(0);  // the parent is gone; so is this namespace then
    }
    int survivors = KillAll(server_, kKillMillis, &ended_);
    if (!ended_by_us.empty() && survivors > 0) --survivors;  // the script itself
    if (server_ != kNobody && ended_.contains(server_)) server_ = kNobody;
    const bool clean = survivors >= 0 && EmptyWritableFolders(plan_);
    Json answer = ended_by_us.empty() ? HowItEnded(ended_[script], kills_before) : Json().Set("kind", ended_by_us);
    if (device_work) answer.Set("device_worked", *device_work > 0);
    return answer.Set("peak_bytes", std::max(peak, ended_[script].peak_bytes))
        .Set("survivors", survivors)
        .Set("server_lost", request.Has("fork") && (server_ == kNobody || !clean));
  }

  static Json HowItEnded(const Ended& end, int64_t kills_before) {
    if (WIFEXITED(end.status)) return Json().Set("kind", "exited").Set("exit_status", WEXITSTATUS(end.status));
    const int number = WTERMSIG(end.status);
    if (number == SIGKILL && OutOfMemoryKills() > kills_before) return Json().Set("kind", "memory-exceeded");
    const char* name = ::sigabbrev_np(number);
    return Json().Set("kind", "signalled").Set("signal", name ? std::string("SIG") + name : std::to_string(number));
  }

  const Descriptor& channel_;
  const SandboxPlan& plan_;
  Descriptor child_ended_, null_;
  std::map<pid_t, Ended> ended_;
  pid_t server_ = kNobody;
  Descriptor server_channel_;
};

}  // namespace

int Supervise(const Descriptor& channel, const SandboxPlan& plan) { return Supervisor(channel, plan).Serve(); }

}  // namespace xpu_align::sandbox
