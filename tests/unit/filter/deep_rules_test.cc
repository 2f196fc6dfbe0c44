// The examples in src/rules/deep.json and src/rules/triage/xpu.json.
#include <gtest/gtest.h>

#include <set>

#include "filter/detail_rules.h"
#include "support/shipped_rules.h"

namespace xpu_align {
namespace {

Json RulesFile() { return ShippedRules().deep; }

CandidateId IdFor(Kind kind) {
  if (kind == Kind::kIssue) return CandidateId::OfIssue(1);
  return kind == Kind::kCommit ? CandidateId::OfCommit(std::string(40, 'a')) : CandidateId::OfPullRequest(1);
}

Runnable RunnableOf(const Json& example) {
  const std::string name = example.StringOr("runnable");
  EXPECT_TRUE(name == "nothing" || name == "test" || name == "script") << name;
  return name == "script" ? Runnable::kScript : name == "test" ? Runnable::kTest : Runnable::kNothing;
}

std::string RuleFor(const DetailRules& rules, Kind kind, const Json& example) {
  Details details{.id = IdFor(kind)};
  details.title = UntrustedText(example.StringOr("title"));
  details.body = UntrustedText(example.StringOr("body"));
  details.labels = example.StringsOf("labels");
  DiffFacts diff{.adds_files_only = !example.StringsOf("added").empty()};
  for (const std::string& name : example.StringsOf("classes")) diff.classes.push_back(*PathClassNamed(name));
  const auto match = rules.Match(details, RunnableOf(example), diff);
  return match ? match->rule : "";
}

TEST(DeepRulesTest, EveryRuleHasExamplesAndTheyHold) {
  const Json file = RulesFile();
  const RuleText text = *RuleText::FromFile(file, "deep-rules");
  const auto rules = DetailRules::FromJson(text, file.ArrayOf("rules"));
  ASSERT_TRUE(rules) << rules.error().message;
  for (const Json& rule : file.ArrayOf("rules")) {
    const std::string id = rule.StringOr("id");
    EXPECT_GE(rule.ArrayOf("hits").size(), 2u) << id;
    EXPECT_GE(rule.ArrayOf("near_misses").size(), 2u) << id;
    const std::vector<Kind> kinds = *KindsOf(rule);
    for (const Kind kind : kinds) {
      for (const Json& example : rule.ArrayOf("hits")) EXPECT_EQ(RuleFor(*rules, kind, example), id) << WriteJson(example);
      // No rule takes a near miss: it is a candidate worth a run.
      for (const Json& example : rule.ArrayOf("near_misses"))
        EXPECT_EQ(RuleFor(*rules, kind, example), "") << WriteJson(example);
    }
  }
}

TEST(DeepRulesTest, NamedPatternsHoldForTheirExamples) {
  const Json file = RulesFile();
  const RuleText text = *RuleText::FromFile(file, "deep-rules");
  for (const char* member : {"report_material", "single_process_tests", "no_operator"}) {
    const auto pattern = text.Required(file[member], "pattern");
    ASSERT_TRUE(pattern) << pattern.error().message;
    EXPECT_GE(file[member].StringsOf("hits").size(), 2u);
    EXPECT_GE(file[member].StringsOf("near_misses").size(), 2u);
    for (const std::string& hit : file[member].StringsOf("hits")) EXPECT_TRUE(pattern->FoundIn(hit)) << hit;
    for (const std::string& miss : file[member].StringsOf("near_misses")) EXPECT_FALSE(pattern->FoundIn(miss)) << miss;
  }
}

TEST(DeepRulesTest, TheReasonsAreTheClosedListAndAllDescribed) {
  EXPECT_EQ(DetailRules::Reasons(),
            (std::vector<std::string>{"platform-exclusive", "no-behaviour-change", "new-feature", "duplicate-chain",
                                      "already-xpu-scoped", "insufficient-repro-context",
                                      "insufficient-commit-context"}));
  const Json file = RulesFile();
  std::set<std::string> described;
  for (const auto& [reason, text] : *file["reasons"].AsObject()) described.insert(reason);
  EXPECT_EQ(described, std::set<std::string>(DetailRules::Reasons().begin(), DetailRules::Reasons().end()));
}

TEST(DeepRulesTest, ALabelAloneAndAnotherReasonAreConfigErrors) {
  const Json file = RulesFile();
  const RuleText text = *RuleText::FromFile(file, "deep-rules");
  const auto rule = [] {
    return Json().Set("id", "r").Set("reason", "new-feature").Set("text", "t").Set("title", "x").Set("label", "y");
  };
  EXPECT_TRUE(DetailRules::FromJson(text, {rule()}));
  Json label_only = rule();
  label_only.Remove("title");
  for (const Json& bad : {label_only, rule().Set("reason", "boring"), rule().Set("title", "("), rule().Set("id", "A b"),
                          rule().Set("runnable", Json::EmptyArray().Append("maybe")), rule().Set("diff", "large"),
                          rule().Set("unless_classes", Json::EmptyArray().Append("none"))})
    EXPECT_EQ(DetailRules::FromJson(text, {bad}).error().kind, ErrorKind::kConfig) << WriteJson(bad);
  EXPECT_FALSE(DetailRules::FromJson(text, {rule(), rule()}));
}

}  // namespace
}  // namespace xpu_align
