#include "edge/store/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> Failed(const char* what, const fs::path& path, int error) {
  return Fail(error == ENOENT ? ErrorKind::kNotFound : ErrorKind::kFileSystem,
              std::string("can not ") + what + " " + path.string() + ": " + std::strerror(error));
}

Status WriteAll(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("write", path, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Status SyncFolder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return Failed("open", folder, errno);
  const int result = ::fsync(fd);
  const int error = errno;
  ::close(fd);
  // Some file systems have no fsync of folders; they make renames durable by themselves.
  if (result != 0 && error != EINVAL) return Failed("sync", folder, error);
  return {};
}

}  // namespace

Status ReplaceFile(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return Fail(ErrorKind::kFileSystem, "can not make " + path.parent_path().string() + ": " + error.message());
  const fs::path temporary = path.parent_path() / ("." + path.filename().string() + ".new");
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) return Fail(ErrorKind::kFileSystem, "can not write " + path.string() + ": " + std::strerror(errno));
  Status status = WriteAll(fd, bytes, temporary);
  if (status && ::fsync(fd) != 0) status = Failed("sync", temporary, errno);
  ::close(fd);
  TRY(status);
  if (::rename(temporary.c_str(), path.c_str()) != 0) return Failed("rename", temporary, errno);
  return SyncFolder(path.parent_path());
}

Result<AppendFile> AppendFile::Open(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) return Fail(ErrorKind::kFileSystem, "can not append to " + path.string() + ": " + std::strerror(errno));
  return AppendFile(fd, path);
}

AppendFile::AppendFile(AppendFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}

AppendFile::~AppendFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status AppendFile::AppendLine(std::string_view line) {
  return WriteAll(fd_, std::string(line) + "\n", path_);
}

Status AppendFile::Sync() {
  if (::fdatasync(fd_) != 0) return Failed("sync", path_, errno);
  return {};
}

Result<std::string> ReadFile(const fs::path& path) {
  // Without waiting: a pipe in place of the file would never open.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Failed("read", path, errno);
  struct stat status;
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(fd);
    return Fail(ErrorKind::kFileSystem, "can not read " + path.string() + ": it is no regular file");
  }
  std::string bytes;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int error = errno;
      ::close(fd);
      if (count < 0) return Failed("read", path, error);
      return bytes;
    }
    bytes.append(buffer, static_cast<size_t>(count));
  }
}

}  // namespace xpu_align
