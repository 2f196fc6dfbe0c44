// `history`: prints the runs that the cache directory remembers, and the days that none of them covers.
// `history rebuild [DIR]...`: makes the history anew from run directories. Called by run.cc.
#pragma once
#include <iosfwd>

#include "app/exit_codes.h"
#include "app/plan.h"
#include "ports/clock.h"
#include "ports/progress.h"

namespace xpu_align {

Result<ExitCode> HistoryCommand(const Plan& plan, Clock& clock, Progress& progress, std::ostream& out);

}  // namespace xpu_align
