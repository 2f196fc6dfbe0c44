#include "app/console.h"

#include <iostream>

namespace xpu_align {

std::ostream& StandardOutput() { return std::cout; }
std::ostream& StandardError() { return std::cerr; }

}  // namespace xpu_align
