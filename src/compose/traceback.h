// Traceback: the last exception of the last Python traceback in a text, as type, message and frames, or a
// lone line that ends like one. File names lose what is special about the reporter's machine. Called by
// oracle.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "model/composition.h"

namespace xpu_align {

struct ReportedException {
  std::string type;
  std::string message;  // up to the first empty line, with the numbers of a failed comparison
  std::vector<Frame> frames;
  std::string line;  // the upstream line that says it
};

std::optional<ReportedException> LastTraceback(std::string_view text);
// `RuntimeError: message` without a traceback, at the start of a line or in inline code.
std::optional<ReportedException> LoneException(std::string_view text);

}  // namespace xpu_align
