#include "edge/sandbox/control_group.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace xpu_align::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "xpu-align-sandbox-";  // then pid and number
constexpr int kRemovalTries = 100;                     // of 1 ms: the kernel lets go of ended processes a little later

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool Has(const std::vector<std::string>& words, const char* word) {
  return std::ranges::find(words, word) != words.end();
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

bool WriteText(const std::string& path, const std::string& text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.valid() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// "9:memory:/a/b" -> /a/b; controller "" is version 2.
std::string GroupOf(std::string_view groups, const std::string& controller) {
  for (const std::string& line : Split(groups, '\n')) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::vector<std::string> controllers = Split(line.substr(first + 1, second - first - 1), ',');
    if (controller.empty() ? controllers.empty() : Has(controllers, controller.c_str())) return line.substr(second + 1);
  }
  return {};
}

// The folder that shows group `path`, when the mount does not show it from another root.
std::string FolderOf(const std::string& mount_root, const std::string& mount_point, const std::string& path) {
  if (path.empty() || path.starts_with("/..")) return {};
  if (mount_root == "/") return mount_point + (path == "/" ? "" : path);
  if (path == mount_root) return mount_point;
  return path.starts_with(mount_root + "/") ? mount_point + path.substr(mount_root.size()) : std::string();
}

// The groups of runs that were killed.
void RemoveLeftBehind(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename();
    if (!name.starts_with(kPrefix)) continue;
    const int pid = std::atoi(name.c_str() + std::char_traits<char>::length(kPrefix));
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) ::rmdir(it->path().c_str());
  }
}

}  // namespace

std::vector<GroupPlace> GroupPlaces(std::string_view mounts, std::string_view groups) {
  std::string version_2, memory, tasks;
  for (const std::string& line : Split(mounts, '\n')) {
    // 36 35 98:0 ROOT POINT options ... - TYPE source options
    const std::vector<std::string> words = Split(line, ' ');
    const auto dash = std::ranges::find(words, "-");
    if (words.size() < 6 || words.end() - dash < 4) continue;
    const auto folder = [&](const char* controller) {
      return FolderOf(words[3], words[4], GroupOf(groups, controller));
    };
    const std::vector<std::string> options = Split(dash[3], ',');
    if (dash[1] == "cgroup2") version_2 = folder("");
    if (dash[1] == "cgroup" && Has(options, "memory")) memory = folder("memory");
    if (dash[1] == "cgroup" && Has(options, "pids")) tasks = folder("pids");
  }
  if (!memory.empty() && memory == tasks) return {{memory, "memory.limit_in_bytes", "pids.max"}};
  if (!memory.empty() && !tasks.empty()) return {{memory, "memory.limit_in_bytes", ""}, {tasks, "", "pids.max"}};
  if (!memory.empty()) return {{memory, "memory.limit_in_bytes", ""}};
  if (!version_2.empty()) return {{version_2, "memory.max", "pids.max"}};
  return {};
}

std::vector<GroupPlace> OwnGroupPlaces() {
  std::vector<GroupPlace> places = GroupPlaces(ReadText("/proc/self/mountinfo"), ReadText("/proc/self/cgroup"));
  if (places.size() != 1 || places[0].memory_file != "memory.max") return places;
  const std::string control = places[0].folder + "/cgroup.subtree_control";
  const std::vector<std::string> passed_on = Split(ReadText(control), ' ');
  if ((Has(passed_on, "memory") && Has(passed_on, "pids")) || WriteText(control, "+memory +pids")) return places;
  // A group that passes controllers on has no processes of its own: when we are the only one, we move aside.
  const std::string aside = places[0].folder + "/xpu-align-main";
  if (::mkdir(aside.c_str(), 0755) != 0) return {};
  if (WriteText(aside + "/cgroup.procs", "0") && WriteText(control, "+memory +pids")) return places;
  WriteText(places[0].folder + "/cgroup.procs", "0");
  ::rmdir(aside.c_str());
  return {};
}

ControlGroup ControlGroup::Make(const std::vector<GroupPlace>& places, int64_t tasks) {
  static std::atomic<int> number = 0;
  const std::string name = kPrefix + std::to_string(::getpid()) + "-" + std::to_string(++number);
  ControlGroup made;
  for (const GroupPlace& place : places) {
    RemoveLeftBehind(place.folder);
    Group group{place, place.folder + "/" + name, {}};
    if (::mkdir(group.folder.c_str(), 0755) != 0) return {};
    group.door.Reset(::open((group.folder + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    const bool limited =
        group.door.valid() &&
        (place.tasks_file.empty() || WriteText(group.folder + "/" + place.tasks_file, std::to_string(tasks)));
    made.groups_.push_back(std::move(group));
    if (!limited) return {};
  }
  return made;
}

std::vector<int> ControlGroup::Doors() const {
  std::vector<int> doors;
  for (const Group& group : groups_) doors.push_back(group.door.get());
  return doors;
}

bool ControlGroup::LimitMemory(int64_t bytes) const {
  return std::ranges::all_of(groups_, [&](const Group& group) {
    return group.place.memory_file.empty() ||
           WriteText(group.folder + "/" + group.place.memory_file, std::to_string(bytes));
  });
}

void ControlGroup::Remove() {
  for (const Group& group : groups_)
    for (int tries = 0; tries < kRemovalTries && ::rmdir(group.folder.c_str()) != 0 && errno == EBUSY; ++tries)
      ::poll(nullptr, 0, 1);
  groups_.clear();
}

}  // namespace xpu_align::sandbox
