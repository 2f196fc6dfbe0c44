#include "edge/sandbox/root_tree.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <set>

namespace xpu_align::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAssemblyPoint = "/tmp";  // the new root is built on it, in a private mount namespace

// <sys/mount.h> can not be included beside <linux/mount.h>.
int Mount(const char* source, const char* target, const char* type, unsigned long flags, const char* options) {
  return static_cast<int>(::syscall(SYS_mount, source, target, type, flags, options));
}
constexpr unsigned long kMsNoSuidNoDev = 2 | 4;
constexpr unsigned long kMsNoExec = 8;
constexpr unsigned long kMsPrivateRecursive = (1 << 18) | (1 << 14);
constexpr int kUmountDetach = 2;
constexpr int64_t kClosedFolderBytes = 1 << 20;

Status Failed(const std::string& step) { return Fail(ErrorKind::kSandbox, SystemFailure(step)); }

Result<Descriptor> Pick(const std::string& source, uint64_t attributes) {
  Descriptor tree(static_cast<int>(
      ::syscall(SYS_open_tree, AT_FDCWD, source.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE)));
  if (!tree.valid()) return Fail(ErrorKind::kSandbox, SystemFailure("open_tree " + source));
  const mount_attr set{.attr_set = attributes, .attr_clr = 0, .propagation = 1 << 18 /* MS_PRIVATE */, .userns_fd = 0};
  if (::syscall(SYS_mount_setattr, tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &set, sizeof set) != 0)
    return Fail(ErrorKind::kSandbox, SystemFailure("mount_setattr " + source));
  return tree;
}

Status MakeFolder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return Fail(ErrorKind::kSandbox, "mkdir " + path + ": " + error.message());
  return {};
}

Status WriteWholeFile(const std::string& path, std::string_view bytes) {
  TRY(MakeFolder(fs::path(path).parent_path()));
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0444));
  if (!file.valid() || ::write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    return Failed("write " + path);
  return {};
}

Status Attach(const PickedTree& tree, const std::string& root) {
  const std::string target = root + tree.target;
  struct stat status;
  if (::fstatat(tree.mount.get(), "", &status, AT_EMPTY_PATH) != 0) return Failed("stat " + tree.target);
  if (S_ISDIR(status.st_mode)) {
    TRY(MakeFolder(target));
  } else {
    TRY(WriteWholeFile(target, ""));
  }
  if (::syscall(SYS_move_mount, tree.mount.get(), "", AT_FDCWD, target.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0)
    return Failed("move_mount " + tree.target);
  return {};
}

Status AddWritable(const std::string& path, int64_t bytes) {
  TRY(MakeFolder(path));
  const std::string options = "mode=1777,nr_inodes=200000,size=" + std::to_string(bytes);
  if (Mount("tmpfs", path.c_str(), "tmpfs", kMsNoSuidNoDev, options.c_str()) != 0) return Failed("mount tmpfs " + path);
  return {};
}

// The driver finds its nodes through /dev/dri/by-path; links to nodes that are not shown are left out.
Status AddDeviceLinks(const SandboxPlan& plan, const std::string& root) {
  for (const auto& [path, target] : std::map<std::string, std::string>{{"/dev/fd", "/proc/self/fd"},
                                                                       {"/dev/stdin", "/proc/self/fd/0"},
                                                                       {"/dev/stdout", "/proc/self/fd/1"},
                                                                       {"/dev/stderr", "/proc/self/fd/2"}})
    if (::symlink(target.c_str(), (root + path).c_str()) != 0) return Failed("symlink " + path);
  std::error_code error;
  for (fs::directory_iterator it("/dev/dri/by-path", error), end; !error && it != end; it.increment(error)) {
    const std::string target = fs::read_symlink(it->path(), error);
    const std::string node = ("/dev/dri/by-path/" + target);
    for (const std::string& shown : plan.device_nodes)
      if (fs::path(node).lexically_normal() == shown) {
        TRY(MakeFolder(root + "/dev/dri/by-path"));
        if (::symlink(target.c_str(), (root + it->path().string()).c_str()) != 0) return Failed("symlink of a device");
      }
  }
  return {};
}

// An interpreter may live under /tmp. The first folder on the way to it is then a file system of its own,
// read-only in the end: a mount point can be neither renamed nor removed by a script.
std::set<std::string> ClosedFolders(const SandboxPlan& plan) {
  std::set<std::string> closed;
  for (const ReadOnlyTree& tree : plan.trees)
    for (const std::string& folder : WritableFolders())
      if (tree.target.starts_with(folder + "/"))
        closed.insert(tree.target.substr(0, tree.target.find('/', folder.size() + 1)));
  return closed;
}

Status MakeReadOnly(const std::string& path) {
  const mount_attr set{
      .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, .attr_clr = 0, .propagation = 0, .userns_fd = 0};
  if (::syscall(SYS_mount_setattr, AT_FDCWD, path.c_str(), 0, &set, sizeof set) != 0)
    return Failed("read-only " + path);
  return {};
}

}  // namespace

const std::vector<std::string>& HarmlessDevices() {
  static const std::vector<std::string> devices{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
  return devices;
}

const std::vector<std::string>& WritableFolders() {
  static const std::vector<std::string> folders{kScratch, "/tmp", "/dev/shm"};
  return folders;
}

Result<std::vector<PickedTree>> PickTrees(const SandboxPlan& plan) {
  std::vector<PickedTree> picked;
  constexpr uint64_t kLocked = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  for (const ReadOnlyTree& tree : plan.trees) {
    TRY_ASSIGN(Descriptor mount, Pick(tree.source, kLocked | MOUNT_ATTR_NODEV));
    picked.push_back({std::move(mount), tree.target});
  }
  for (const std::vector<std::string>& devices : {HarmlessDevices(), plan.device_nodes})
    for (const std::string& device : devices) {
      TRY_ASSIGN(Descriptor mount, Pick(device, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC));
      picked.push_back({std::move(mount), device});
    }
  return picked;
}

Status EnterRoot(const SandboxPlan& plan, const std::vector<PickedTree>& trees) {
  const std::string root = kAssemblyPoint;
  if (Mount("none", "/", nullptr, kMsPrivateRecursive, nullptr) != 0) return Failed("make mounts private");
  if (Mount("tmpfs", kAssemblyPoint, "tmpfs", kMsNoSuidNoDev, "mode=755,size=16m") != 0) return Failed("mount tmpfs /");
  for (const std::string& folder : WritableFolders()) TRY(AddWritable(root + folder, plan.writable_bytes));
  const std::set<std::string> closed = ClosedFolders(plan);
  for (const std::string& folder : closed) TRY(AddWritable(root + folder, kClosedFolderBytes));
  for (const PickedTree& tree : trees) TRY(Attach(tree, root));
  for (const std::string& folder : closed) TRY(MakeReadOnly(root + folder));
  for (const auto& [path, target] : plan.links)
    if (::symlink(target.c_str(), (root + path).c_str()) != 0) return Failed("symlink " + path);
  for (const auto& [path, bytes] : plan.files) TRY(WriteWholeFile(root + path, bytes));
  TRY(AddDeviceLinks(plan, root));
  TRY(MakeFolder(root + "/proc"));
  if (Mount("proc", (root + "/proc").c_str(), "proc", kMsNoSuidNoDev | kMsNoExec, nullptr) != 0)
    return Failed("mount proc");
  TRY(MakeReadOnly(root));
  if (::chdir(kAssemblyPoint) != 0 || ::syscall(SYS_pivot_root, ".", ".") != 0 ||
      ::syscall(SYS_umount2, ".", kUmountDetach) != 0 || ::chdir("/") != 0)
    return Failed("pivot_root");
  return {};
}

bool EmptyWritableFolders(const SandboxPlan& plan) {
  const std::set<std::string> closed = ClosedFolders(plan);
  bool empty = true;
  for (const std::string& folder : WritableFolders()) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (closed.contains(it->path())) continue;
      std::error_code stays;
      fs::remove_all(it->path(), stays);  // does not follow links
      if (stays) empty = false;
    }
    if (error) empty = false;
  }
  return empty;
}

int64_t WritableBytesInUse() {
  int64_t bytes = 0;
  for (const std::string& folder : WritableFolders()) {
    struct statvfs status;
    if (::statvfs(folder.c_str(), &status) == 0)
      bytes += static_cast<int64_t>((status.f_blocks - status.f_bfree) * status.f_frsize);
  }
  return bytes;
}

}  // namespace xpu_align::sandbox
