// RepositoryReader by libgit2 through libcurl; makes a bare clone in the cache directory or reads a given one. Refuses
// with a sentence: sha256 objects, reftable references, partial clones. Made by src/app.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "edge/http/http_client.h"
#include "ports/progress.h"
#include "ports/repository_reader.h"

namespace xpu_align {

struct CloneSettings {
  std::filesystem::path directory;  // of the bare clone
  std::string url;                  // https://github.com/pytorch/pytorch.git
  std::string trunk_branch = "main";
  int depth = 0;  // commits of each ref; 0: all. A clone that is whole stays whole
  BearerToken token;                  // sent to the origin of `url` and to no other
  uint64_t space_needed = 64u << 20;  // bytes that a first clone takes; asked of the disk before it begins
  size_t max_reference_list = 128u << 20;  // bytes; four times what half a million references take
  HttpSettings http;
  std::function<bool()> stop_requested;
  Progress* progress = nullptr;
};

// Opens or begins the clone; the network is first used by Update. kGit, kFileSystem, kConfig; kCancelled while it waits
// for another run.
Result<std::unique_ptr<RepositoryReader>> OpenClone(CloneSettings settings);

// An existing repository of the user's; nothing in it is ever changed.
Result<std::unique_ptr<RepositoryReader>> OpenReadOnly(const std::filesystem::path& git_directory,
                                                       std::string trunk_branch);

}  // namespace xpu_align
