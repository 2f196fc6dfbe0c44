// The whole program as a function of its world: arguments, environment and streams in, exit code out.
// Called by main.cc and by tests.
#pragma once
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ports/run_store.h"

namespace xpu_align {

using Environment = std::map<std::string, std::string>;
using RunStoreFactory = std::function<Result<std::unique_ptr<RunStore>>(const std::filesystem::path&)>;

// `arguments` without the program's name. Results go to `out`, everything for people to `err`.
// `open_run_directory`: OpenRunDirectory of edge/store when empty; tests of crashes pass a store that dies.
int Run(const std::vector<std::string>& arguments, const Environment& environment, std::ostream& out,
        std::ostream& err, const RunStoreFactory& open_run_directory = {});

}  // namespace xpu_align
