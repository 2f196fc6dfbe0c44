// ChainState: whether the trunk holds the fix of a chain. The trunk commits of the members decide, not the state
// of an issue or the merged flag of a pull request: one landed by pytorch's bot reads "closed, not merged", and an
// issue about a disabled test is closed when the test is switched on again. Called by FindChains and settle's facts.
#pragma once
#include <span>
#include <string>

#include "model/details.h"

namespace xpu_align {

struct TrunkEvent {
  const Details* details = nullptr;
  std::string at;  // RFC 3339, UTC; empty: before the window
};

struct ChainState {
  std::string state = "open";  // open, landed, reverted
  std::string commit;          // full sha of the last trunk commit
};

// Whether it reverts something; the revert of a revert does not.
bool TakesBack(const Details& details);

// Of the members of one chain. The last trunk commit counts; a revert of a revert lands again.
ChainState StateOf(std::span<const TrunkEvent> members);

}  // namespace xpu_align
