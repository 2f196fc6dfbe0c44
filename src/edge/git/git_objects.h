// GitObjects by libgit2: any bare or normal local clone, opened read-only. Refuses SHA-256 repositories with a
// sentence; needs no configuration file and never fetches, also from a partial clone. Made by src/app.
#pragma once
#include <filesystem>
#include <memory>

#include "ports/git_objects.h"

namespace xpu_align {

// kGit when there is no repository, or one that libgit2 can not read.
Result<std::unique_ptr<GitObjects>> OpenObjects(const std::filesystem::path& clone);

}  // namespace xpu_align
