// The files of src/rules and src/harness as they were when the binary was built.
// Read by src/app, which hands texts to the folders that need them, and by tests.
#pragma once
#include <span>
#include <string_view>

namespace xpu_align::rules {

struct EmbeddedFile {
  std::string_view path;  // under src/, for example "rules/title.json"
  std::string_view content;
};

// All embedded files, sorted by path.
std::span<const EmbeddedFile> EmbeddedFiles();

// The content of one file; empty when there is none of that path (a bug of the caller).
std::string_view Embedded(std::string_view path);

}  // namespace xpu_align::rules
