#include "filter/rule_examples.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "filter/detail_rules.h"
#include "filter/path_classes.h"
#include "filter/title_filter.h"

namespace xpu_align {
namespace {

CandidateId IdOfKind(Kind kind) {
  if (kind == Kind::kIssue) return CandidateId::OfIssue(1);
  return kind == Kind::kCommit ? CandidateId::OfCommit(std::string(40, 'a')) : CandidateId::OfPullRequest(1);
}

std::string Shown(const Json& example) {
  const std::string* text = example.AsString();
  return "\"" + UntrustedText(text ? *text : WriteJson(example)).ForLogLine(120) + "\"";
}

// The id of the rule that decides an example; empty: none.
using Decider = std::function<Result<std::string>(const Json& example)>;

Status CheckRule(const Json& rule, const Decider& decide) {
  const std::string id = rule.StringOr("id");
  for (const Json& example : rule.ArrayOf("hits")) {
    TRY_ASSIGN(const std::string by, decide(example));
    if (by != id)
      return Fail(ErrorKind::kConfig, "rule " + id + " does not hold for its own hit " + Shown(example) +
                                          (by.empty() ? "" : ", which the rule " + by + " decides"));
  }
  for (const Json& example : rule.ArrayOf("near_misses")) {
    TRY_ASSIGN(const std::string by, decide(example));
    if (by == id) return Fail(ErrorKind::kConfig, "rule " + id + " holds for its own near miss " + Shown(example));
  }
  return {};
}

Result<std::string> TextOf(const Json& example) {
  if (const std::string* text = example.AsString()) return *text;
  return Fail(ErrorKind::kConfig, "an example must be a text: " + Shown(example));
}

Result<std::string> RuleOfDetails(const DetailRules& rules, Kind kind, const Json& example) {
  if (!example.IsObject()) return Fail(ErrorKind::kConfig, "an example of a deep rule must be an object: " + Shown(example));
  Details details{.id = IdOfKind(kind)};
  details.title = UntrustedText(example.StringOr("title"));
  details.body = UntrustedText(example.StringOr("body"));
  details.labels = example.StringsOf("labels");
  const auto runnable = RunnableNamed(example.StringOr("runnable", "script"));
  if (!runnable) return Fail(ErrorKind::kConfig, "\"runnable\" of an example is nothing, test or script: " + Shown(example));
  DiffFacts diff{.adds_files_only = !example.StringsOf("added").empty()};
  for (const std::string& name : example.StringsOf("classes")) {
    const auto path_class = PathClassNamed(name);
    if (!path_class) return Fail(ErrorKind::kConfig, "there is no class '" + UntrustedText(name).ForLogLine(40) + "'");
    diff.classes.push_back(*path_class);
  }
  const auto match = rules.Match(details, *runnable, diff);
  return match ? match->rule : "";
}

// Every kind of a rule must answer alike: the first that does not is what is said.
template <typename OfKind>
Status CheckKinds(const Json& rule, const OfKind& of_kind) {
  TRY_ASSIGN(const std::vector<Kind> kinds, KindsOf(rule));
  for (const Kind kind : kinds)
    TRY(CheckRule(rule, [&](const Json& example) -> Result<std::string> { return of_kind(kind, example); }));
  return {};
}

}  // namespace

Status CheckExamples(const TriageRules& rules, std::span<const std::string> ids) {
  const auto is_asked = [&](const Json& rule) { return std::ranges::find(ids, rule.StringOr("id")) != ids.end(); };
  TRY_ASSIGN(const TitleFilter title, TitleFilter::FromJson(rules.title));
  for (const Json& rule : rules.title.ArrayOf("rules"))
    if (is_asked(rule))
      TRY(CheckKinds(rule, [&](Kind kind, const Json& example) -> Result<std::string> {
        TRY_ASSIGN(const std::string text, TextOf(example));
        return title.Decide(kind, UntrustedText(text)).rule;
      }));
  TRY_ASSIGN(const PathClasses paths, PathClasses::FromJson(rules.paths));
  for (const Json& rule : rules.paths.ArrayOf("rules"))
    if (is_asked(rule))
      TRY(CheckRule(rule, [&](const Json& example) -> Result<std::string> {
        TRY_ASSIGN(const std::string text, TextOf(example));
        return paths.Classify(UntrustedText(text)).rule;
      }));
  TRY_ASSIGN(const RuleText text, RuleText::FromFile(rules.deep, "deep-rules"));
  TRY_ASSIGN(const DetailRules details, DetailRules::FromJson(text, rules.deep.ArrayOf("rules")));
  for (const Json& rule : rules.deep.ArrayOf("rules"))
    if (is_asked(rule))
      TRY(CheckKinds(rule, [&](Kind kind, const Json& example) { return RuleOfDetails(details, kind, example); }));
  return {};
}

}  // namespace xpu_align
