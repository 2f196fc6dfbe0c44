// The real Clock and the stop flag that signals set. SIGINT and SIGTERM ask to stop; the stages end at the
// next row. Made once, by run.cc.
#pragma once
#include <memory>

#include "ports/clock.h"

namespace xpu_align {

// `source_date_epoch`: seconds since the epoch to use as the time of day instead of now; empty: now.
std::unique_ptr<Clock> MakeSystemClock(const std::string& source_date_epoch);

// From now on SIGINT and SIGTERM only set the flag that StopRequested reads.
void CatchStopSignals();
bool StopRequested();

}  // namespace xpu_align
