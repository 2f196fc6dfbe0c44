// What a sandbox adds to the start of a program: /usr/bin/true alone, under bubblewrap with the same view of the
// machine, and in our sandbox with supervisor, limits, Landlock, system call filter and clean-up. All in turn, so that
// load hits them alike. Usage: bench_sandbox_start RUNS. Prints medians in milliseconds; not as root, whose sandbox
// also gives up root.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "edge/sandbox/launcher.h"
#include "edge/sandbox/session.h"

namespace xpu_align::sandbox {
namespace {

constexpr const char* kProgram = "/usr/bin/true";

bool RunPlain(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  char* no_environment[] = {nullptr};
  pid_t pid;
  int status;
  return ::posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), no_environment) == 0 &&
         ::waitpid(pid, &status, 0) == pid && status == 0;
}

std::vector<std::string> BubblewrapCommand(const SandboxPlan& plan) {
  std::vector<std::string> command{"/usr/bin/bwrap",    "--unshare-all", "--unshare-user", "--disable-userns",
                                   "--die-with-parent", "--new-session", "--cap-drop",     "ALL",
                                   "--clearenv"};
  const auto add = [&](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
  for (const ReadOnlyTree& tree : plan.trees) add({"--ro-bind", tree.source, tree.target});
  for (const auto& [path, target] : plan.links) add({"--symlink", target, path});
  add({"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/dev/shm", "--tmpfs", "/tmp", "--tmpfs", kScratch,
       "--remount-ro", "/"});
  add({"--chdir", kScratch, kProgram});
  return command;
}

bool RunOurs(const SandboxPlan& plan) {
  auto session = Session::Start(plan, "/proc/self/exe", nullptr);
  if (!session) {
    std::fprintf(stderr, "%s\n", session.error().message.c_str());
    return false;
  }
  const Json request = Json()
                           .Set("op", "run")
                           .Set("arguments", Json().Append(kProgram))
                           .Set("name", "x.py")
                           .Set("timeout_millis", 60'000)
                           .Set("memory_bytes", int64_t{4} << 30);
  const auto captured = (*session)->Run(request, "", 4096);
  return captured && captured->answer.StringOr("kind") == "exited" && captured->answer.IntOr("exit_status") == 0 &&
         (*session)->Stop().has_value();
}

template <typename F>
bool Time(std::vector<double>* millis, const F& run) {
  const auto begin = std::chrono::steady_clock::now();
  const bool good = run();
  millis->push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  return good;
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

int Measure(int runs) {
  const auto plan = PlanFor({.python = "/usr/bin/python3", .python_root = ""}, {});
  if (!plan) return 1;
  const std::vector<std::string> bubblewrap = BubblewrapCommand(*plan);
  std::vector<double> plain, theirs, ours, difference;
  for (int i = 0; i < runs; ++i) {
    if (!Time(&plain, [] { return RunPlain({kProgram}); }) || !Time(&theirs, [&] { return RunPlain(bubblewrap); }) ||
        !Time(&ours, [&] { return RunOurs(*plan); }))
      return 1;
    difference.push_back(ours.back() - theirs.back());
  }
  std::printf("runs %d plain_ms %.2f bubblewrap_ms %.2f ours_ms %.2f ours_minus_bubblewrap_ms %.2f\n", runs,
              Median(plain), Median(theirs), Median(ours), Median(difference));
  return 0;
}

}  // namespace
}  // namespace xpu_align::sandbox

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (xpu_align::sandbox::IsLaunch(arguments)) return xpu_align::sandbox::Launch();
  return xpu_align::sandbox::Measure(arguments.empty() ? 200 : std::atoi(arguments[0].c_str()));
}
