#include "filter/features.h"

#include <gtest/gtest.h>

#include "support/shipped_rules.h"

namespace xpu_align {
namespace {

std::vector<std::string> IdsOf(const Details& details) {
  const Json file = ShippedRules().deep;
  const Features features = *Features::FromJson(*RuleText::FromFile(file, "deep-rules"), file.ArrayOf("features"));
  std::vector<std::string> ids;
  for (const Feature& feature : features.Of(details)) ids.push_back(feature.id);
  return ids;
}

// As a label, or as words of the body.
std::vector<std::string> IdsOfExample(const Json& rule, const std::string& example) {
  Details details{.id = CandidateId::OfIssue(1)};
  if (rule.Has("label")) details.labels = {example};
  else details.body = UntrustedText(example);
  return IdsOf(details);
}

TEST(FeatureRulesTest, EveryFeatureHasExamplesAndTheyHold) {
  const Json file = ShippedRules().deep;
  EXPECT_GE(file.ArrayOf("features").size(), 1u);
  for (const Json& rule : file.ArrayOf("features")) {
    EXPECT_GE(rule.StringsOf("hits").size(), 1u);
    EXPECT_GE(rule.StringsOf("near_misses").size(), 2u);
    for (const std::string& example : rule.StringsOf("hits"))
      EXPECT_EQ(IdsOfExample(rule, example), std::vector<std::string>{rule.StringOr("id")}) << example;
    for (const std::string& example : rule.StringsOf("near_misses"))
      EXPECT_EQ(IdsOfExample(rule, example), std::vector<std::string>{}) << example;
  }
}

TEST(FeaturesTest, AreInTheOrderOfTheRulesAndSayWhatWasSeen) {
  const RuleText text = *RuleText::FromFile(*ParseJson(R"({"schema": "xpu-align/deep-rules@1"})"), "deep-rules");
  const auto rule = [](const char* id, const char* member, const char* pattern) {
    return Json().Set("id", id).Set("text", "t").Set(member, pattern);
  };
  const auto features = Features::FromJson(text, {rule("b", "words", "z+"), rule("a", "label", "^x"), rule("c", "label", "y")});
  ASSERT_TRUE(features);
  Details details{.id = CandidateId::OfIssue(1)};
  details.title = UntrustedText("a zzz");
  details.labels = {"w", "x1"};
  const std::vector<Feature> found = features->Of(details);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].id, "b");
  EXPECT_EQ(found[0].seen, UntrustedText("zzz"));
  EXPECT_EQ(found[1].seen, UntrustedText("x1"));
  for (const Json& bad : {rule("a", "label", "("), rule("A", "label", "x"), rule("a", "label", "x").Set("words", "y"), Json().Set("id", "a")})
    EXPECT_EQ(Features::FromJson(text, {bad}).error().kind, ErrorKind::kConfig);
  EXPECT_FALSE(Features::FromJson(text, {rule("a", "label", "x"), rule("a", "label", "y")}));
}

}  // namespace
}  // namespace xpu_align
