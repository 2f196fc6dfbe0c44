#include "filter/title_filter.h"

#include <algorithm>
#include <optional>
#include <set>

#include "filter/rule_text.h"

namespace xpu_align {

struct TitleFilter::Rule {
  std::string id;
  std::vector<Kind> kinds;
  TitleStatus action = TitleStatus::kPass;  // pass: the rule protects
  std::string reason;
  Pattern pattern;
  std::optional<Pattern> unless;  // the rule does not apply to titles with this

  std::optional<std::string_view> MatchIn(Kind kind, std::string_view title) const {
    if (std::ranges::find(kinds, kind) == kinds.end()) return std::nullopt;
    const auto match = pattern.Find(title);
    if (!match || (unless && unless->FoundIn(title))) return std::nullopt;
    return match->groups[0];
  }
};

TitleFilter::TitleFilter(std::vector<Rule> rules) : rules_(std::move(rules)) {}
TitleFilter::TitleFilter(TitleFilter&&) noexcept = default;
TitleFilter& TitleFilter::operator=(TitleFilter&&) noexcept = default;
TitleFilter::~TitleFilter() = default;

Result<TitleFilter> TitleFilter::FromJson(const Json& file) {
  TRY_ASSIGN(const RuleText text, RuleText::FromFile(file, "title-rules"));
  std::vector<Rule> rules;
  std::set<std::string> ids;
  for (const Json& json : file.ArrayOf("rules")) {
    TRY_ASSIGN(const std::string id, IdOf(json));
    TRY_ASSIGN(std::vector<Kind> kinds, KindsOf(json));
    TRY_ASSIGN(Pattern pattern, text.Required(json, "pattern"));
    TRY_ASSIGN(std::optional<Pattern> unless, text.Optional(json, "unless"));
    const std::string action = json.StringOr("action");
    if (action != "reject" && action != "protect")
      return Fail(ErrorKind::kConfig, "title rule " + id + ": \"action\" must be reject or protect");
    if (json.StringOr("reason").empty()) return Fail(ErrorKind::kConfig, "title rule " + id + " gives no reason");
    if (!ids.insert(id).second) return Fail(ErrorKind::kConfig, "two title rules are named " + id);
    rules.push_back({id, std::move(kinds), action == "reject" ? TitleStatus::kReject : TitleStatus::kPass,
                     json.StringOr("reason"), std::move(pattern), std::move(unless)});
  }
  if (rules.empty()) return Fail(ErrorKind::kConfig, "there are no title rules");
  // Protecting rules are asked first: they win.
  std::ranges::stable_partition(rules, [](const Rule& rule) { return rule.action == TitleStatus::kPass; });
  return TitleFilter(std::move(rules));
}

TitleDecision TitleFilter::Decide(Kind kind, const UntrustedText& title) const {
  for (const Rule& rule : rules_)
    if (const auto match = rule.MatchIn(kind, title.ForMatching()))
      return {rule.action, rule.id, rule.reason, UntrustedText(std::string(*match))};
  return {};
}

}  // namespace xpu_align
