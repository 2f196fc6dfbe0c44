// Judge: what was seen against what was reported, one bucket. Every rule has an id and leaves its answer in the
// trace. Pure: same inputs, same judgement. Called by the judge and settle stages, by execute (is another
// attempt needed) and by explain.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "judge/rule_description.h"
#include "model/composition.h"
#include "model/evidence.h"
#include "model/ledger_row.h"
#include "model/target_profile.h"

namespace xpu_align {

struct Judgement {
  Bucket bucket = Bucket::kBlockedScriptError;
  DecidedBy decided_by = DecidedBy::kRun;
  Reason reason;         // the rule that decided
  Signature signature;   // empty class when nothing failed
  bool cpu_same = false; // of a finding: the CPU arm fails in the same way
  bool cpu_fine = false; // of a finding: the CPU arm returned, or raised a catchable error that is another one
  bool stable = false;   // two fresh attempts agree
  bool distinctive = false;  // equal fingerprints mean the same finding; not so for two bare crashes
  int deciding_attempt = 0;  // number of the target's verdict attempt that was read; 0: there is none
  std::string suspected_component;  // kernel, inductor, triton, onednn, onemkl, sycl, driver; empty: unknown
  std::vector<Reason> trace;        // every rule that was asked, in order, with its answer
};

class Judge {
 public:
  // `rules`: src/rules/judge.json (adaptation errors of all targets, fault texts, components). kConfig when it or a
  // text of the profile is malformed.
  static Result<Judge> Make(const Json& rules, TargetProfile target);
  Judge(Judge&&) noexcept;
  Judge& operator=(Judge&&) noexcept;
  ~Judge();

  const TargetProfile& Target() const;
  Judgement Decide(const Composition& composition, const Evidence& evidence) const;

  // Whether the attempts so far leave a finding open that only another fresh attempt on the target can settle.
  bool NeedsAnotherAttempt(const Composition& composition, const Evidence& evidence) const;

 private:
  struct Rules;
  explicit Judge(std::unique_ptr<const Rules> rules);
  std::unique_ptr<const Rules> rules_;
};

// The bucket of a candidate that never runs. (Design 5, precheck.)
Judgement JudgeRefusal(Refusal refusal, const std::string& text);
Judgement JudgeFetchFailure(const std::string& reason);

// Every rule of judge in the order in which it is asked.
std::vector<RuleDescription> JudgeRules();

}  // namespace xpu_align
