// CloneLock: runs that share a clone take turns changing it. Held by a lock file beside the clone; the kernel gives it
// back when the process ends, however it ends. Used by clone.cc and fetch.cc.
#pragma once
#include <filesystem>
#include <functional>
#include <utility>

#include "ports/progress.h"
#include "text/error.h"

namespace xpu_align {

class CloneLock {
 public:
  // While another run holds it: says once that it waits and for what. kCancelled when `stop_requested` says so.
  static Result<CloneLock> Take(const std::filesystem::path& clone, const std::function<bool()>& stop_requested,
                                Progress* progress);
  CloneLock(CloneLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  CloneLock& operator=(CloneLock&&) = delete;
  ~CloneLock();

 private:
  explicit CloneLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace xpu_align
