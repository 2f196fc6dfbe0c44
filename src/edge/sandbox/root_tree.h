// The file system of a sandbox: a small tmpfs root with read-only trees, /dev, and private writable
// /scratch, /tmp, /dev/shm. Trees are picked up as detached mounts, so that uid 0 can take them from
// folders that the sandbox's user can not enter. Called by the launcher and by pid 1 of the sandbox.
#pragma once
#include <utility>
#include <vector>

#include "edge/sandbox/process.h"
#include "edge/sandbox/sandbox_plan.h"

namespace xpu_align::sandbox {

// A detached mount and the place where it goes.
struct PickedTree {
  Descriptor mount;
  std::string target;
};

// Read-only trees, device files and /sys of the plan. Needs CAP_SYS_ADMIN over the mount namespace.
Result<std::vector<PickedTree>> PickTrees(const SandboxPlan& plan);

// Builds the root with a new /proc, makes it the root of this process, drops the old one. Runs as pid 1
// of new pid and mount namespaces. The message names the step that failed.
Status EnterRoot(const SandboxPlan& plan, const std::vector<PickedTree>& trees);

// Removes everything in /scratch, /tmp and /dev/shm; false when something stays.
bool EmptyWritableFolders(const SandboxPlan& plan);
int64_t WritableBytesInUse();

// /dev/null and relatives: writable for everybody.
const std::vector<std::string>& HarmlessDevices();
// Where a script may write.
const std::vector<std::string>& WritableFolders();

}  // namespace xpu_align::sandbox
