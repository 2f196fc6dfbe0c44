// Precheck: why a script can not be evidence, before anything runs. Patterns are data
// (src/rules/precheck.json), what needs the syntax tree is here. Called by composer.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compose/adaptation.h"
#include "compose/names.h"
#include "compose/oracle.h"
#include "json/json.h"
#include "text/pattern.h"

namespace xpu_align {

// What a rule looks at.
enum class PrecheckSubject {
  kCode,     // the script without comments
  kImports,  // resolved names of imports that are used, one a line
  kReport,   // title and body
  kMessage,  // type and message of the reported exception
};

struct PrecheckRule {
  std::string id;
  Refusal refusal = Refusal::kNoOracle;
  PrecheckSubject subject = PrecheckSubject::kCode;
  Pattern pattern;
  std::optional<Pattern> unless;  // found in the same subject: the rule does not hold
  std::vector<std::string> exempt_kinds;  // item kinds (issue, pr, commit) that it says nothing about
  std::string text;

  // The matched text; empty when the rule does not hold.
  std::string Match(std::string_view subject_text) const;
};

// kConfig names the rule that is malformed.
Result<std::vector<PrecheckRule>> PrecheckRulesFromJson(const Json& json);

struct PrecheckInput {
  const Details& details;
  const PythonTree& script;  // as upstream wrote it
  const Names& names;
  const Adaptation& adaptation;
  const FoundOracle& oracle;
};

struct RefusalReason {
  Refusal refusal;
  std::string text;  // one line, safe
};

struct RefusalMeaning {
  Refusal refusal;
  std::string_view meaning;  // for people: what the script lacks
};

// Every refusal, the weightiest first.
std::span<const RefusalMeaning> RefusalsByWeight();

// The weightiest reason, if any.
std::optional<RefusalReason> PrecheckOf(const std::vector<PrecheckRule>& rules, const PrecheckInput& input);

}  // namespace xpu_align
