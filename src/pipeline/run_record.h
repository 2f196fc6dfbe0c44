// What a run directory says about its run, as the history keeps it. The same reading serves a run that has just ended
// and a history that is made again from its directories, so both give the same. Called by src/app.
#pragma once
#include <optional>
#include <string>

#include "model/history.h"
#include "pipeline/report.h"

namespace xpu_align {

// Nothing when the directory is not that of a window (spot, or none at all). kProtocol when manifest or ledger are
// damaged. `audit`: of that directory; asked only when the report has been written.
Result<std::optional<HistoryRecord>> RecordOf(RunStore& store, const std::string& directory, const Auditor& audit);

// Puts the version and the time into timing.json: the first call's as the start, each call's as the end.
Status StampRun(RunStore& store, const std::string& version, int64_t now);

}  // namespace xpu_align
