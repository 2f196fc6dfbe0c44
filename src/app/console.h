// The process's own standard streams; everything else takes streams as parameters.
// Used by main.cc only.
#pragma once
#include <iosfwd>

namespace xpu_align {

std::ostream& StandardOutput();
std::ostream& StandardError();

}  // namespace xpu_align
