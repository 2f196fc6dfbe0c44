// LedgerRow: the state of one candidate. artifacts/candidate_ledger.jsonl holds one row a candidate; it is
// the resume point and what the audit counts. A row holds ids, states and references; the rest lives in
// details, compositions and evidence.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/candidate.h"

namespace xpu_align {

enum class TitleStatus { kPass, kReject };
enum class DeepStatus { kPending, kPass, kReject };
enum class LocalStatus { kPending, kDone };

// The procedure's vocabulary: exactly these.
enum class Bucket {
  kConfirmed,
  kRelatedFailure,
  kNotReproduced,
  kBlockedEnv,
  kBlockedPlatform,
  kBlockedFetch,
  kBlockedScriptError,
  kNeedsPerformanceHarness,
};
// Second axis: what a person should do with a finding.
enum class Verdict { kNeedsXpuFix, kTrackUpstream, kFixed, kNonIssue, kDuplicate, kVerificationGap };
// Which stage gave the bucket.
enum class DecidedBy { kFetch, kPrecheck, kRun, kIncident };
// Is the fix in the build that was tested?
enum class FixState { kUnknown, kInBuild, kNotInBuild, kNoFix };

std::string_view Name(TitleStatus status);
std::string_view Name(DeepStatus status);
std::string_view Name(LocalStatus status);
std::string_view Name(Bucket bucket);
std::string_view Name(Verdict verdict);
std::string_view Name(DecidedBy decided_by);
std::string_view Name(FixState state);
std::optional<Bucket> BucketNamed(std::string_view name);
std::optional<Verdict> VerdictNamed(std::string_view name);
// In the order of the enumeration.
const std::vector<Bucket>& AllBuckets();
const std::vector<Verdict>& AllVerdicts();

// A decision of a rule: its id, and one line for people.
struct Reason {
  std::string rule;
  std::string text;
  bool operator==(const Reason&) const = default;
};

struct Chain {
  std::string key;     // id of the lowest member: stable when members join
  std::string leader;  // the id that runs
  std::vector<std::string> members;
  std::string state;   // open, landed, reverted: what the trunk commits of its members say
  std::string commit;  // full sha of the trunk commit that says so; empty while open
  bool operator==(const Chain&) const = default;
};

struct Signature {
  std::string signature_class;  // same, worse-than-reference, different, gpu-fault
  std::string text;             // exception type and normalised message, or what was seen
  std::string fingerprint;      // finding fingerprint, sha256
  bool operator==(const Signature&) const = default;
};

struct HistoryEvent {
  std::string name;  // revived (filter), promoted (execute), reopened (incident, --retry)
  std::string text;
  bool operator==(const HistoryEvent&) const = default;
};

struct LedgerRow {
  CandidateId id;
  UntrustedText title;
  std::string url;
  TitleStatus title_status = TitleStatus::kPass;
  DeepStatus deep_status = DeepStatus::kPending;
  LocalStatus local_status = LocalStatus::kPending;
  std::optional<Bucket> bucket;

  std::string title_rule;  // the rule that rejected, or that kept a title from being rejected
  Reason deep_reason;
  std::vector<std::string> areas;  // path classes and modules the candidate touches
  std::optional<Chain> chain;
  std::string strategy;            // compose: where the script comes from
  std::string script_sha256;
  std::string evidence_sha256;
  std::optional<DecidedBy> decided_by;
  Reason bucket_reason;
  Signature signature;
  std::optional<Verdict> verdict;
  Reason verdict_reason;
  std::string fix_commit;
  std::optional<FixState> fix_state;
  std::string route_repository;
  std::string route_rule;
  std::string suspected_component;
  std::string recheck_after;
  std::string hold;  // why a pending row can not run now
  std::vector<HistoryEvent> history;
  Json other;  // members that this version does not know, kept

  // True while the scan is not finished with this candidate.
  bool IsPendingActionable() const {
    return title_status == TitleStatus::kPass && deep_status != DeepStatus::kReject &&
           local_status == LocalStatus::kPending;
  }
  bool IsFinding() const { return bucket == Bucket::kConfirmed || bucket == Bucket::kRelatedFailure; }
};

Json ToJson(const LedgerRow& row);
// kProtocol on unknown state values and on states that contradict each other.
Result<LedgerRow> LedgerRowFromJson(const Json& json);

}  // namespace xpu_align
