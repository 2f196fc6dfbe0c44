#include "pipeline/strikes.h"

#include <algorithm>

namespace xpu_align {

bool HungOnTarget(const Evidence& evidence) {
  return std::ranges::any_of(evidence.attempts, [](const Attempt& attempt) {
    return attempt.arm != Arm::kCpu && attempt.outcome.kind == OutcomeKind::kTimedOut;
  });
}

Turn TurnOf(const std::optional<Evidence>& earlier) {
  if (!earlier) return Turn::kFirst;
  if (HungOnTarget(*earlier)) return Turn::kHung;
  return earlier->incident.empty() ? Turn::kFirst : Turn::kUnfinished;
}

}  // namespace xpu_align
