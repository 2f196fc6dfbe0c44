// Normalise: takes out of output and reports what differs between two runs of equal behaviour (addresses,
// process ids, times, durations, random file names, frames of the harness), so that equal behaviour gives
// equal bytes. The raw text stays in the log. Called by execute.
#pragma once
#include <string>
#include <string_view>

#include "model/evidence.h"

namespace xpu_align {

// Valid UTF-8; lines keep their order.
std::string NormaliseOutput(std::string_view output);

// At most the last 40 lines and 8 KiB of normalised output.
std::string DecisiveTail(const std::string& normalised);

// The same for every text of a report.
HarnessReport NormaliseReport(HarnessReport report);

}  // namespace xpu_align
