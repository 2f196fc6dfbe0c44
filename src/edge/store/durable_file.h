// Durable writes: replace a file as a whole, append a line; with fsync of file and folder.
// Used by the other files of edge/store; refuses to follow a link in the last part of a path.
#pragma once
#include <filesystem>
#include <string_view>

#include "text/error.h"

namespace xpu_align {

// Temporary file beside `path`, fsync, rename, fsync of the folder. Creates missing folders.
Status ReplaceFile(const std::filesystem::path& path, std::string_view bytes);

// An open file that grows by whole lines.
class AppendFile {
 public:
  static Result<AppendFile> Open(const std::filesystem::path& path);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;
  ~AppendFile();

  // Writes `line` and a newline with one write call.
  Status AppendLine(std::string_view line);
  Status Sync();

 private:
  AppendFile(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
  int fd_;
  std::filesystem::path path_;
};

// Whole file; kNotFound when there is none.
Result<std::string> ReadFile(const std::filesystem::path& path);

}  // namespace xpu_align
