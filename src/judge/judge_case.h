// JudgeCase: one candidate in front of the rules: composition, evidence, target, and what follows from them for
// every rule (observations by arm, the deciding attempt, the reference, the reported failure). Used by the rules.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "judge/judge_data.h"
#include "judge/observation.h"
#include "model/composition.h"
#include "model/evidence.h"
#include "model/target_profile.h"

namespace xpu_align {

// What the CPU arm says about a failure of the target.
enum class ReferenceArm {
  kAbsent,       // none, or it is the target itself
  kFine,         // returned, or raised a catchable error that is not ours
  kFailsSame,    // fails with the same signature
  kUnusable,     // crashed, was stopped, did not start, or failed by an adaptation error
};

// What shows that the target did the work.
enum class DeviceProof {
  kNone,
  kContradicted,  // a finished proof run saw no operator there
  kDifferential,  // the run was cut off, and the CPU arm, which differs only in the device, ends well
  kProven,        // tensors, allocations or operators there, or a fault that only the device raises
};

struct JudgeCase {
  const Composition& composition;
  const Evidence& evidence;
  const TargetProfile& target;
  const JudgeData& data;

  std::vector<Observation> runs;  // verdict attempts on the target, by number
  const Observation* deciding = nullptr;  // of the largest agreeing group, failures first; null without attempts
  size_t agreeing = 0;            // attempts that ended like the deciding one
  std::optional<Observation> cpu, eager;
  FailureSignature reported;
  std::string reported_fault;     // fault class of the report
  Comparison comparison;          // reported against deciding

  ReferenceArm reference = ReferenceArm::kAbsent;
  DeviceProof proof = DeviceProof::kNone;  // of the reference target: proven
  bool eager_fails_same = false;  // the eager control fails like the compiled script

  static JudgeCase Of(const Composition& composition, const Evidence& evidence, const TargetProfile& target,
                      const JudgeData& data);

  // The adaptation error that ended `run`, if any.
  const AdaptationRule* AdaptationErrorOf(const Observation& run) const;
  // The reported line that a comparison prints when it fails is in `run`'s output.
  bool PrintsReportedLine(const Observation& run) const;
};

}  // namespace xpu_align
