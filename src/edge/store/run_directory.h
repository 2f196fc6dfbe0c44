// RunDirectory: RunStore on a real directory. Writes only below it; refuses absolute paths and "..".
// Opened by src/app, handed to the stages.
#pragma once
#include <filesystem>
#include <memory>

#include "ports/run_store.h"

namespace xpu_align {

// Opens `directory`, creating it and its fixed folders (artifacts, scripts, reports). kFileSystem with the
// path and the reason when that can not be done.
Result<std::unique_ptr<RunStore>> OpenRunDirectory(const std::filesystem::path& directory);

// One that is there, of another run: nothing is made in it. kNotFound when it is gone.
Result<std::unique_ptr<RunStore>> OpenRunDirectoryForReading(const std::filesystem::path& directory);

}  // namespace xpu_align
