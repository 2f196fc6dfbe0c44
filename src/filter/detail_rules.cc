#include "filter/detail_rules.h"

#include <algorithm>
#include <set>

namespace xpu_align {
namespace {

constexpr std::pair<Runnable, std::string_view> kRunnables[] = {
    {Runnable::kNothing, "nothing"}, {Runnable::kTest, "test"}, {Runnable::kScript, "script"}};

Result<std::vector<Runnable>> RunnablesOf(const Json& rule) {
  std::vector<Runnable> values;
  for (const std::string& name : rule.StringsOf("runnable")) {
    const auto value = RunnableNamed(name);
    if (!value)
      return Fail(ErrorKind::kConfig, "deep rule " + rule.StringOr("id") + ": \"runnable\" is nothing, test or script");
    values.push_back(*value);
  }
  return values;
}

Result<std::vector<PathClass>> ClassesOf(const Json& rule) {
  std::vector<PathClass> values;
  for (const std::string& name : rule.StringsOf("unless_classes")) {
    const auto path_class = PathClassNamed(name);
    if (!path_class) return Fail(ErrorKind::kConfig, "deep rule " + rule.StringOr("id") + ": there is no class '" + name + "'");
    values.push_back(*path_class);
  }
  return values;
}

template <typename T>
bool IsIn(const std::vector<T>& values, const T& value) {
  return std::ranges::find(values, value) != values.end();
}

bool AnyLabel(const std::vector<std::string>& labels, const Pattern& pattern) {
  return std::ranges::any_of(labels, [&](const std::string& label) { return pattern.FoundIn(label); });
}

}  // namespace

std::optional<Runnable> RunnableNamed(std::string_view name) {
  const auto entry = std::ranges::find(kRunnables, name, [](const auto& e) { return e.second; });
  return entry == std::end(kRunnables) ? std::nullopt : std::optional(entry->first);
}

const std::vector<std::string>& DetailRules::Reasons() {
  static const std::vector<std::string> reasons = {
      "platform-exclusive", "no-behaviour-change",       "new-feature",
      "duplicate-chain",    "already-xpu-scoped",        "insufficient-repro-context",
      "insufficient-commit-context"};
  return reasons;
}

Result<DetailRules> DetailRules::FromJson(const RuleText& text, const Json::Array& rules) {
  DetailRules made;
  std::set<std::string> ids;
  for (const Json& json : rules) {
    Rule rule;
    TRY_ASSIGN(rule.id, IdOf(json));
    rule.reason = json.StringOr("reason");
    rule.text = json.StringOr("text");
    TRY_ASSIGN(rule.kinds, KindsOf(json));
    TRY_ASSIGN(rule.runnable, RunnablesOf(json));
    TRY_ASSIGN(rule.unless_classes, ClassesOf(json));
    rule.adds_files_only = json.StringOr("diff") == "adds-files-only";
    if (json.Has("diff") && !rule.adds_files_only)
      return Fail(ErrorKind::kConfig, "deep rule " + rule.id + ": \"diff\" can only be adds-files-only");
    TRY_ASSIGN(rule.title, text.Optional(json, "title"));
    TRY_ASSIGN(rule.unless_title, text.Optional(json, "unless_title"));
    TRY_ASSIGN(rule.words, text.Optional(json, "words"));
    TRY_ASSIGN(rule.unless_words, text.Optional(json, "unless_words"));
    TRY_ASSIGN(rule.label, text.Optional(json, "label"));
    TRY_ASSIGN(rule.unless_label, text.Optional(json, "unless_label"));
    if (!ids.insert(rule.id).second) return Fail(ErrorKind::kConfig, "two deep rules are named " + rule.id);
    if (!IsIn(Reasons(), rule.reason) || rule.text.empty())
      return Fail(ErrorKind::kConfig, "deep rule " + rule.id + " needs a text and a reason of the closed list");
    if (!rule.title && !rule.words && !rule.adds_files_only)
      return Fail(ErrorKind::kConfig, "deep rule " + rule.id + " reads no text; a label alone is no proof");
    made.rules_.push_back(std::move(rule));
  }
  return made;
}

bool DetailRules::Rule::Holds(const Details& d, Runnable found, const DiffFacts& diff,
                              const std::string& words_of_details) const {
  const std::string_view head = d.title.ForMatching();
  return IsIn(kinds, d.id.kind()) &&
         (!adds_files_only || diff.adds_files_only) &&
         std::ranges::none_of(diff.classes, [&](PathClass one) { return IsIn(unless_classes, one); }) && (runnable.empty() || IsIn(runnable, found)) &&
         (!label || AnyLabel(d.labels, *label)) && !(unless_label && AnyLabel(d.labels, *unless_label)) &&
         (!title || title->FoundIn(head)) && !(unless_title && unless_title->FoundIn(head)) &&
         (!words || words->FoundIn(words_of_details)) && !(unless_words && unless_words->FoundIn(words_of_details));
}

std::optional<DetailMatch> DetailRules::Match(const Details& details, Runnable runnable,
                                              const DiffFacts& diff) const {
  const std::string words = std::string(details.title.ForMatching()) + "\n" + std::string(details.body.ForMatching());
  for (const Rule& rule : rules_)
    if (rule.Holds(details, runnable, diff, words)) return DetailMatch{rule.id, rule.reason, rule.text};
  return std::nullopt;
}

std::vector<DetailMatch> DetailRules::All() const {
  std::vector<DetailMatch> out;
  for (const Rule& rule : rules_) out.push_back({rule.id, rule.reason, rule.text});
  return out;
}

}  // namespace xpu_align
