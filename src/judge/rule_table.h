// The table of judge rules. A rule looks at a case and answers, or passes it on; the first answer decides. Two
// tables: may this be evidence at all, and what does it show. Called by Judge::Decide.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "judge/judge_case.h"
#include "judge/rule_description.h"
#include "model/ledger_row.h"

namespace xpu_align {

struct Answer {
  Bucket bucket;
  std::string text;           // for people: what was seen
  std::string failure_class;  // of the signature; only for findings
  std::string rule;           // a more precise id than the rule's own; empty: the rule's
};

struct JudgeRule {
  const char* id;
  const char* asks;
  const char* answers;
  std::optional<Answer> (*ask)(const JudgeCase&);
};

// In the order in which they are asked.
std::span<const JudgeRule> EvidenceRules();
std::span<const JudgeRule> OutcomeRules();

}  // namespace xpu_align
