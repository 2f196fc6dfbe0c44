// TitleFilter: rejects a candidate when its title alone is decisive; passes when in doubt. Rules are data
// (src/rules/title.json) with examples that hit and near misses. Called by collect and filter.
#pragma once
#include <string>
#include <vector>

#include "json/json.h"
#include "model/ledger_row.h"

namespace xpu_align {

struct TitleDecision {
  TitleStatus status = TitleStatus::kPass;
  std::string rule;     // the rule that rejected, or the one that protects the title; empty: no rule fired
  std::string reason;   // of that rule, for people
  UntrustedText match;  // the text it matched
};

class TitleFilter {
 public:
  // kConfig when a rule is malformed. Format: src/rules/title.json.
  static Result<TitleFilter> FromJson(const Json& rules);
  TitleFilter(TitleFilter&&) noexcept;
  TitleFilter& operator=(TitleFilter&&) noexcept;
  ~TitleFilter();

  TitleDecision Decide(Kind kind, const UntrustedText& title) const;

 private:
  struct Rule;
  explicit TitleFilter(std::vector<Rule> rules);
  std::vector<Rule> rules_;
};

}  // namespace xpu_align
