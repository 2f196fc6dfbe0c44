// Settle: from a judged row to what a person should do: verdict, implementation repository, when to look again.
// Pure: facts about clone and history come in as values. The first rule that holds gives the verdict; on a
// reference target nothing is ever a fix for the target. Called by the settle stage and explain.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "judge/rule_description.h"
#include "model/details.h"
#include "model/ledger_row.h"
#include "model/target_profile.h"

namespace xpu_align {

// Which code the fix changes: shared by all backends, or only a file of another backend with a twin here.
enum class FixReach { kUnknown, kShared, kTwinOnly };
// Where the fix is upstream.
enum class FixLanding { kUnknown, kTrunk, kOpen, kClosedUnmerged };
// What the kernel repository of the target says.
enum class KernelFix { kNone, kInMainAfterPin };

// What the clone says about the fix of this chain; state kUnknown without a clone or build commit.
struct FixFacts {
  FixState state = FixState::kUnknown;
  std::string commit;              // full sha of the fix, empty when there is none
  std::vector<std::string> files;  // changed by the fix
  FixReach reach = FixReach::kUnknown;
  FixLanding landing = FixLanding::kUnknown;
  KernelFix kernel = KernelFix::kNone;
};

enum class KnownKind {
  kFailure,  // skip list, tracker, or an earlier candidate of this run
  kLimit,    // documented behaviour, known limit, policy
};

// A finding that is known elsewhere.
struct KnownFailure {
  std::string fingerprint;
  std::string url_or_id;
  KnownKind kind = KnownKind::kFailure;
};

struct SettleInput {
  LedgerRow row;
  std::vector<Details> chain;  // of all members, leader first
  Judgement judgement;         // of the row's composition and evidence
  FixFacts fix;
  std::vector<KnownFailure> known;
  std::vector<std::string> earlier_failures;  // fingerprints of findings that earlier runs had for this chain
};

struct Settlement {
  std::optional<Verdict> verdict;  // none: nothing to do and nothing known
  Reason reason;
  std::string route_repository;  // where a fix would be implemented; only for findings
  std::string route_rule;
  std::string recheck_after;
};

Settlement Settle(const SettleInput& input, const TargetProfile& target);

// Verdict rules, then route rules, each in the order in which they are asked.
std::vector<RuleDescription> SettleRules();

}  // namespace xpu_align
