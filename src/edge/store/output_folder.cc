#include "edge/store/output_folder.h"

#include <fstream>

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxFileBytes = 64u << 20;

Result<std::string> Content(const fs::path& path, uintmax_t size) {
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size)))
    return Fail(ErrorKind::kFileSystem, "can not read " + path.string());
  return bytes;
}

}  // namespace

Result<FolderFiles> ReadFolder(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return Fail(ErrorKind::kNotFound, "there is no folder " + folder.string());
  FolderFiles files;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_symlink(error))
      return Fail(ErrorKind::kFileSystem, it->path().string() + " is a link; an output folder holds none");
    if (it->is_directory(error)) continue;
    const uintmax_t size = it->is_regular_file(error) ? it->file_size(error) : kMaxFileBytes + 1;
    if (error || size > kMaxFileBytes)
      return Fail(ErrorKind::kFileSystem, it->path().string() + " is no file of at most 64 MiB");
    TRY_ASSIGN(files[it->path().lexically_relative(folder).generic_string()], Content(it->path(), size));
  }
  if (error) return Fail(ErrorKind::kFileSystem, "can not list " + folder.string() + ": " + error.message());
  return files;
}

Status WriteFolder(const fs::path& folder, const FolderFiles& files) {
  std::error_code error;
  for (const auto& [name, bytes] : files) {
    const fs::path path = folder / name;
    fs::create_directories(path.parent_path(), error);
    if (error)
      return Fail(ErrorKind::kFileSystem, "can not create " + path.parent_path().string() + ": " + error.message());
    if (fs::is_symlink(path, error))
      return Fail(ErrorKind::kFileSystem, path.string() + " is a link; an output folder holds none");
    if (fs::is_regular_file(path, error) && fs::file_size(path, error) == bytes.size())
      if (const auto old = Content(path, bytes.size()); old && *old == bytes) continue;
    const fs::path temporary = path.string() + ".new";
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) return Fail(ErrorKind::kFileSystem, "can not write " + temporary.string() + "; is the disk full?");
    fs::rename(temporary, path, error);
    if (error) return Fail(ErrorKind::kFileSystem, "can not replace " + path.string() + ": " + error.message());
  }
  return {};
}

}  // namespace xpu_align
