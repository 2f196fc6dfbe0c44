// RuleDescription: what people read about a rule of judge or settle. docs/rules.md is made from these, so they
// hold no upstream text and no state.
#pragma once
#include <string>

namespace xpu_align {

struct RuleDescription {
  std::string id;
  std::string asks;     // the question, one line
  std::string answers;  // the bucket, verdict or repository that it gives when the answer is yes
};

}  // namespace xpu_align
