// The judge stage: gives every row that has been run, refused or not fetched its bucket. Reads ledger, details,
// compositions and evidence; a row that has not run stays pending. Equal inputs give equal rows, so a second
// run changes nothing. Called by src/app.
#pragma once
#include <cstddef>

#include "judge/judge.h"
#include "ports/progress.h"
#include "ports/run_store.h"

namespace xpu_align {

struct JudgeOutcome {
  size_t judged = 0;   // rows that have a bucket from here
  size_t pending = 0;  // rows that could be judged later
};

// A damaged or missing file of one candidate is warned about and leaves its row as it is.
Result<JudgeOutcome> JudgeStage(RunStore& store, const Judge& judge, Progress& progress);

}  // namespace xpu_align
