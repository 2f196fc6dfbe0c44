#include "edge/git/clone_lock.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace xpu_align {

Result<CloneLock> CloneLock::Take(const std::filesystem::path& clone, const std::function<bool()>& stop_requested,
                                  Progress* progress) {
  constexpr int kAskAgainMillis = 200;
  const std::string path = clone.string() + ".lock";
  std::error_code ignored;
  std::filesystem::create_directories(clone.parent_path(), ignored);
  const int fd = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) return Fail(ErrorKind::kFileSystem, path + ": " + std::strerror(errno));
  CloneLock lock(fd);
  bool told = false;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return Fail(ErrorKind::kFileSystem, path + ": " + std::strerror(errno));
    if (stop_requested && stop_requested())
      return Fail(ErrorKind::kCancelled, "stopped while waiting for another run that uses " + clone.string());
    if (!told && progress != nullptr) progress->Note("waiting for another run that fetches into " + clone.string());
    told = true;
    ::poll(nullptr, 0, kAskAgainMillis);
  }
  return lock;
}

CloneLock::~CloneLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace xpu_align
