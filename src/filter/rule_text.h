// RuleText: the RE2 expressions of a rules file. A file may name fragments once ("fragments": {"tags": "..."})
// and use them as {tags} in any expression. Refuses what RE2 refuses, naming the rule. Used by filter's rules.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "model/candidate.h"
#include "text/pattern.h"

namespace xpu_align {

class RuleText {
 public:
  // `file`: the whole rules file; `name`: of its schema. kConfig when the schema is another one.
  static Result<RuleText> FromFile(const Json& file, std::string_view name);

  // The expression in member `key` of `rule`; kConfig when it is missing or malformed.
  Result<Pattern> Required(const Json& rule, std::string_view key) const;
  // Nothing when the rule has no such member.
  Result<std::optional<Pattern>> Optional(const Json& rule, std::string_view key) const;

 private:
  std::string Expanded(std::string expression) const;
  std::vector<std::pair<std::string, std::string>> fragments_;  // "{tags}", its text
};

// The rule's id, [a-z0-9-]+. kConfig when it has none.
Result<std::string> IdOf(const Json& rule);
// Member `kinds`; all kinds when the rule has none.
Result<std::vector<Kind>> KindsOf(const Json& rule);

}  // namespace xpu_align
