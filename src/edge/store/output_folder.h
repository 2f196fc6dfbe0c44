// OutputFolder: a folder of generated files, read and written as a whole. Can be made again, so nothing is synced;
// refuses links, and files over 64 MiB. Made by the distill commands.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "text/error.h"

namespace xpu_align {

using FolderFiles = std::map<std::string, std::string, std::less<>>;

// Every regular file below, by its path relative to the folder with '/'. kNotFound without a folder, kFileSystem for a
// link or what can not be read.
Result<FolderFiles> ReadFolder(const std::filesystem::path& folder);

// Writes what is missing or differs, each file by a temporary one and a rename. Leaves other files alone.
Status WriteFolder(const std::filesystem::path& folder, const FolderFiles& files);

}  // namespace xpu_align
