// Strikes: whose turn it is, by what the earlier attempt of this run directory left as evidence. A script that hung
// the device once goes last, so that it can not take the night from the others. Used by execute.
#pragma once
#include <optional>

#include "model/evidence.h"

namespace xpu_align {

enum class Turn {
  kFirst,       // never begun
  kUnfinished,  // begun, and interrupted by an incident or the end of the budget
  kHung,        // ran into a time limit on the target
};

// `earlier`: the evidence of this candidate that is there already, of whatever script or build.
Turn TurnOf(const std::optional<Evidence>& earlier);

// A verdict or proof attempt on the device ran into its time limit.
bool HungOnTarget(const Evidence& evidence);

}  // namespace xpu_align
