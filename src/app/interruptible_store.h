// A RunStore that ends the run at the next row once a signal asked to stop: the row in hand is written, then
// Append fails with kCancelled. So every stage can be interrupted without knowing about signals.
#pragma once
#include <memory>

#include "ports/run_store.h"

namespace xpu_align {

std::unique_ptr<RunStore> StopAtNextRow(std::unique_ptr<RunStore> store);

}  // namespace xpu_align
