#include "edge/sandbox/landlock.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "edge/sandbox/process.h"

// The constants are from the kernel's documentation of Landlock (userspace-api/landlock); the header of
// Debian 12 knows only the first version.
namespace xpu_align::sandbox {
namespace {

constexpr uint64_t kWriteFile = 1u << 1;
constexpr uint64_t kRemoveAndMake = 0x1FF0;  // remove_dir .. make_sym: bits 4 to 12
constexpr uint64_t kRefer = 1u << 13;        // ABI 2
constexpr uint64_t kTruncate = 1u << 14;     // ABI 3
constexpr uint64_t kIoctlDevice = 1u << 15;  // ABI 5
constexpr uint64_t kScopes = 3;              // ABI 6: abstract sockets, signals

struct RulesetAttributes {
  uint64_t access_files;
  uint64_t access_network;
  uint64_t scoped;
};

struct [[gnu::packed]] PathRule {
  uint64_t access;
  int32_t parent;
};

long CreateRuleset(const RulesetAttributes* attributes, size_t size, uint32_t flags) {
  return ::syscall(444, attributes, size, flags);
}

}  // namespace

int LandlockAbi() {
  const long abi = CreateRuleset(nullptr, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
  return abi < 0 ? 0 : static_cast<int>(abi);
}

Status RestrictWrites(const std::vector<std::string>& writable, const std::vector<std::string>& devices) {
  const int abi = LandlockAbi();
  if (abi == 0) return {};
  uint64_t folder_rights = kWriteFile | kRemoveAndMake;
  if (abi >= 2) folder_rights |= kRefer;
  if (abi >= 3) folder_rights |= kTruncate;
  if (abi >= 5) folder_rights |= kIoctlDevice;
  const uint64_t device_rights = folder_rights & (kWriteFile | kTruncate | kIoctlDevice);
  const RulesetAttributes attributes{folder_rights, 0, abi >= kLandlockAbiWithScopes ? kScopes : 0};
  const size_t size = abi >= kLandlockAbiWithScopes ? sizeof attributes : abi >= 4 ? 16 : 8;
  const Descriptor ruleset(static_cast<int>(CreateRuleset(&attributes, size, 0)));
  if (!ruleset.valid()) return Fail(ErrorKind::kSandbox, SystemFailure("no Landlock ruleset"));
  const auto allow = [&](const std::string& path, uint64_t rights) {
    const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
    const PathRule rule{rights, place.get()};
    return place.valid() && ::syscall(445, ruleset.get(), 1 /* PATH_BENEATH */, &rule, 0) == 0;
  };
  for (const std::string& path : writable)
    if (!allow(path, folder_rights)) return Fail(ErrorKind::kSandbox, SystemFailure("Landlock refuses " + path));
  for (const std::string& path : devices)
    if (!allow(path, device_rights)) return Fail(ErrorKind::kSandbox, SystemFailure("Landlock refuses " + path));
  if (::syscall(446, ruleset.get(), 0) != 0)
    return Fail(ErrorKind::kSandbox, SystemFailure("Landlock can not be entered"));
  return {};
}

}  // namespace xpu_align::sandbox
