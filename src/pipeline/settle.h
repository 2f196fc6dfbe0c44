// The settle stage: gives every judged row its verdict, fix state, route and recheck condition. Facts about the
// clone and earlier runs come through SettleFacts; what is not there is unknown, never a failure. Equal inputs
// give equal rows. Called by src/app.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "judge/settle.h"
#include "ports/progress.h"
#include "ports/run_store.h"

namespace xpu_align {

struct SettleFacts {
  // About the fix of a chain (details of all members, leader first). Empty: no clone, state unknown. An error is
  // warned about and leaves the state unknown.
  std::function<Result<FixFacts>(const LedgerRow&, const std::vector<Details>&)> fix;
  std::vector<KnownFailure> known;  // skip lists, trackers, known limits
  // Fingerprints of findings that earlier runs had for this chain. Empty: no history.
  std::function<std::vector<std::string>(const LedgerRow&)> earlier_failures;
};

struct SettleOutcome {
  size_t settled = 0;  // rows with a verdict
};

Result<SettleOutcome> SettleStage(RunStore& store, const Judge& judge, const SettleFacts& facts, Progress& progress);

}  // namespace xpu_align
