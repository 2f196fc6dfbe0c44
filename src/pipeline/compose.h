// Stage compose: a script, its CPU form and the record of how it was made for every candidate that is to
// be run. Moves no row to a bucket: refusals are data that judge reads. Called by app; running it again
// over the same details writes the same bytes.
#pragma once
#include "compose/composer.h"
#include "ports/progress.h"
#include "ports/run_store.h"

namespace xpu_align {

struct ComposeCounts {
  size_t composed = 0;  // rows that got a script
  size_t refused = 0;   // of these: scripts that must not run
};

Result<ComposeCounts> ComposeStage(RunStore& store, const Composer& composer, Progress& progress);

}  // namespace xpu_align
