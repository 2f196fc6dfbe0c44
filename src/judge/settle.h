// Settle: from a judged finding to what a person should do: verdict, implementation repository, when to
// look again. Pure: facts about the clone and history come in as values. Called by the settle stage.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/composition.h"
#include "model/details.h"
#include "model/evidence.h"
#include "model/ledger_row.h"
#include "model/target_profile.h"

namespace xpu_align {

// What the clone says about the fix of this chain; state kUnknown without a clone or build commit.
struct FixFacts {
  FixState state = FixState::kUnknown;
  std::string commit;              // full sha of the fix, empty when there is none
  std::vector<std::string> files;  // changed by the fix
  std::string landed;              // trunk, open, closed: where the fix is
};

// An open failure that is known elsewhere (skip list, tracker, earlier run).
struct KnownFailure {
  std::string fingerprint;
  std::string url_or_id;
};

struct SettleInput {
  LedgerRow row;
  std::vector<Details> chain;  // of all members, leader first
  Composition composition;
  Evidence evidence;
  FixFacts fix;
  std::vector<KnownFailure> known;
  std::vector<std::string> earlier_failures;  // fingerprints that failed in earlier runs
};

struct Settlement {
  std::optional<Verdict> verdict;  // none: nothing to do and nothing known
  Reason reason;
  std::string route_repository;  // only for confirmed and related-failure
  std::string route_rule;
  std::string recheck_after;
  std::string note;
};

Settlement Settle(const SettleInput& input, const TargetProfile& target);

}  // namespace xpu_align
