#include "filter/rule_text.h"

#include "model/schema.h"

namespace xpu_align {
namespace {

Error ConfigError(const Json& rule, const std::string& what) {
  return {ErrorKind::kConfig, "rule " + UntrustedText(rule.StringOr("id", "without id")).ForLogLine(60) + ": " + what};
}

}  // namespace

Result<RuleText> RuleText::FromFile(const Json& file, std::string_view name) {
  if (auto schema = CheckSchema(file, name); !schema) return Fail(ErrorKind::kConfig, schema.error().message);
  RuleText text;
  if (const auto* fragments = file["fragments"].AsObject())
    for (const auto& [key, value] : *fragments)
      if (const std::string* expression = value.AsString())
        text.fragments_.emplace_back("{" + key + "}", "(?:" + *expression + ")");
  return text;
}

Result<Pattern> RuleText::Required(const Json& rule, std::string_view key) const {
  const std::string expression = rule.StringOr(key);
  if (expression.empty()) return std::unexpected(ConfigError(rule, "\"" + std::string(key) + "\" is missing"));
  auto pattern = Pattern::Compile(Expanded(expression));
  if (!pattern) return std::unexpected(ConfigError(rule, pattern.error().message));
  return pattern;
}

Result<std::optional<Pattern>> RuleText::Optional(const Json& rule, std::string_view key) const {
  if (!rule.Has(key)) return std::nullopt;
  TRY_ASSIGN(Pattern pattern, Required(rule, key));
  return std::optional<Pattern>(std::move(pattern));
}

std::string RuleText::Expanded(std::string expression) const {
  for (const auto& [name, fragment] : fragments_)
    for (size_t at = 0; (at = expression.find(name, at)) != std::string::npos; at += fragment.size())
      expression.replace(at, name.size(), fragment);
  return expression;
}

Result<std::string> IdOf(const Json& rule) {
  const std::string id = rule.StringOr("id");
  if (id.empty() || id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
    return std::unexpected(ConfigError(rule, "an id has lower-case letters, digits and dashes only"));
  return id;
}

Result<std::vector<Kind>> KindsOf(const Json& rule) {
  if (!rule.Has("kinds")) return std::vector<Kind>{Kind::kIssue, Kind::kPullRequest, Kind::kCommit};
  std::vector<Kind> kinds;
  for (const std::string& name : rule.StringsOf("kinds")) {
    const auto kind = KindNamed(name);
    if (!kind) return std::unexpected(ConfigError(rule, "unknown kind " + UntrustedText(name).ForLogLine(40)));
    kinds.push_back(*kind);
  }
  if (kinds.empty()) return std::unexpected(ConfigError(rule, "\"kinds\" must name a kind"));
  return kinds;
}

}  // namespace xpu_align
