// The whole program as a function of its world: arguments, environment and streams in, exit code out.
// Called by main.cc and by tests.
#pragma once
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace xpu_align {

using Environment = std::map<std::string, std::string>;

// `arguments` without the program's name. Results go to `out`, everything for people to `err`.
int Run(const std::vector<std::string>& arguments, const Environment& environment, std::ostream& out,
        std::ostream& err);

}  // namespace xpu_align
