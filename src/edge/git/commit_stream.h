// Diffs of many commits by several threads, each with its own handle of the repository, given out in the order in which
// they were asked for. At most 16 chunks of 16 commits wait in memory. Used by repository.cc and the git bench.
#pragma once
#include <filesystem>
#include <span>

#include "ports/repository_reader.h"

namespace xpu_align {

struct StreamSettings {
  std::filesystem::path git_directory;
  unsigned threads = 2;
};

// `sink` is called on the caller's thread; its error ends the stream and is the result.
Status StreamDiffs(const StreamSettings& settings, std::span<const std::string> shas, const DiffSink& sink);

}  // namespace xpu_align
