// JudgeData: what judge knows as data: src/rules/judge.json and the texts of one target profile, compiled. Refuses
// malformed patterns and unknown buckets. Read once by Judge::Make; the rules look things up in it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "judge/normalise.h"
#include "judge/signature.h"
#include "model/target_profile.h"
#include "text/pattern.h"

namespace xpu_align {

// The exception must be raised by the script itself, not below a call of it.
enum class RaisedWhere { kAnywhere, kInScript };

// The rule steps back when the report itself shows the text: then it may be the bug.
enum class WhenReported { kStillApplies, kStepsBack };

struct AdaptationRule {
  std::string id;
  std::string exception_type;  // last component; empty: any
  Pattern pattern;             // on the message, and on "type: message"; or on captured output
  RaisedWhere where = RaisedWhere::kAnywhere;
  WhenReported when_reported = WhenReported::kStillApplies;
  Bucket bucket = Bucket::kBlockedScriptError;
  std::string text;
};

// An exception as the adaptation list sees it.
struct RaisedText {
  std::vector<std::string> types;  // of the exception, its causes and what it quotes
  std::string_view message;
  RaisedWhere where = RaisedWhere::kAnywhere;
};

// A text with a meaning: a fault class, an own semantics, a component.
struct TextRule {
  std::string id;
  Pattern pattern;
};

struct JudgeData {
  Normaliser normaliser;
  FrameRules frames;
  std::vector<AdaptationRule> adaptation;  // the profile's own first
  std::vector<TextRule> faults;            // ids: gpu-fault, device-lost
  std::vector<TextRule> own_semantics;     // messages that are a bug whatever was reported
  std::vector<TextRule> nothing_ran;       // output of test runners that ran no test
  std::vector<TextRule> component_texts;   // on messages, frames and output
  std::vector<Pattern> fallback_texts;     // one group: the operator

  // The adaptation error that this exception is, if any; `reported` is the text of the report's failure.
  const AdaptationRule* AdaptationError(const RaisedText& raised, std::string_view reported) const;
  // Of a run without an exception: rules for any type, on its output.
  const AdaptationRule* AdaptationErrorIn(std::string_view output, std::string_view reported) const;
  std::string FaultClass(std::string_view text) const;  // empty: none
};

const TextRule* FirstFound(const std::vector<TextRule>& rules, std::string_view text);

// kConfig naming the entry.
Result<JudgeData> JudgeDataFromJson(const Json& rules, const TargetProfile& target);

}  // namespace xpu_align
