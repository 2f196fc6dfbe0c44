#include "app/run.h"

#include <ostream>

#include "edge/sandbox/launcher.h"

namespace xpu_align {

int Run(const std::vector<std::string>& arguments, const Environment&, std::ostream& out, std::ostream& err) {
  // A copy of this binary, started by itself: see edge/sandbox/launcher.h.
  if (sandbox::IsLaunch(arguments)) return sandbox::Launch();
  if (arguments.size() == 1 && arguments[0] == "--version") {
    out << "xpu-align " << XPU_ALIGN_VERSION << "\n";
    return 0;
  }
  err << "xpu-align: say what to do, for example: xpu-align --version\n";
  return 64;
}

}  // namespace xpu_align
