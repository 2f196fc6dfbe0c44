// ControlGroup: a hard limit of memory and tasks under the watchdog, which looks only every 50 ms and does not see
// what a driver holds. Made where this process may make one: a delegated group of version 2, or version 1 as
// root. Elsewhere there is none, and that is no error. Made and removed by the session, entered by interpreters.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "edge/sandbox/process.h"

namespace xpu_align::sandbox {

// A folder in which a group can be made, and the files of a group there; a name is empty when that hierarchy does not
// limit it.
struct GroupPlace {
  std::string folder;
  std::string memory_file;
  std::string tasks_file;
  bool operator==(const GroupPlace&) const = default;
};

// From the texts of /proc/self/mountinfo and /proc/self/cgroup. Empty when memory can not be limited.
std::vector<GroupPlace> GroupPlaces(std::string_view mounts, std::string_view groups);
// Those of this process, where version 2 passes its controllers on.
std::vector<GroupPlace> OwnGroupPlaces();

class ControlGroup {
 public:
  ControlGroup() = default;  // none
  ControlGroup(ControlGroup&&) = default;
  ControlGroup& operator=(ControlGroup&&) = default;
  ~ControlGroup() { Remove(); }

  // None when any of the places refuses.
  static ControlGroup Make(const std::vector<GroupPlace>& places, int64_t tasks);
  bool made() const { return !groups_.empty(); }
  // A process that writes "0" to each of these is in the group, and so are its children.
  std::vector<int> Doors() const;
  bool LimitMemory(int64_t bytes) const;
  // When nothing is left in it. A group that stays is removed by a later run.
  void Remove();

 private:
  struct Group {
    GroupPlace place;
    std::string folder;
    Descriptor door;
  };
  std::vector<Group> groups_;
};

}  // namespace xpu_align::sandbox
