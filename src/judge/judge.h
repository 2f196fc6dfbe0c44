// Judge: what was seen against what was reported, one bucket. Every rule has an id (src/judge/rules.md is
// generated into docs/rules.md). Pure; called by the judge stage and by explain.
#pragma once
#include <memory>
#include <string>
#include <vector>

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
  bool cpu_same = false; // the CPU arm fails in the same way
  bool stable = false;   // two fresh attempts agree
  std::string suspected_component;  // kernel, inductor, triton, onednn, onemkl, sycl, driver; empty: unknown
  std::vector<Reason> trace;        // every rule that was asked, in order, with its answer
};

class Judge {
 public:
  // `rules`: src/rules/judge.json (adaptation errors of all targets, fault texts, components). kConfig when
  // malformed.
  static Result<Judge> FromJson(const Json& rules);
  Judge(Judge&&) noexcept;
  Judge& operator=(Judge&&) noexcept;
  ~Judge();

  Judgement Decide(const Composition& composition, const Evidence& evidence, const TargetProfile& target) const;

 private:
  struct Rules;
  explicit Judge(std::unique_ptr<const Rules> rules);
  std::unique_ptr<const Rules> rules_;
};

// The bucket of a candidate that never runs. (Design 5, precheck.)
Judgement JudgeRefusal(Refusal refusal, const std::string& text);
Judgement JudgeFetchFailure(const std::string& reason);

}  // namespace xpu_align
