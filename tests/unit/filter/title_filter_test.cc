#include "filter/title_filter.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "filter/rule_text.h"
#include "support/shipped_rules.h"

namespace xpu_align {
namespace {

Json RulesFile() { return ShippedRules().title; }

TitleFilter Shipped() {
  auto filter = TitleFilter::FromJson(RulesFile());
  EXPECT_TRUE(filter) << filter.error().message;
  return std::move(*filter);
}

// A hit is decided by its rule for every kind of the rule. A near miss of a rejecting rule is not rejected
// by any rule; one of a protecting rule is not protected by it.
TEST(TitleRulesTest, EveryRuleHasExamplesAndTheyHold) {
  const TitleFilter filter = Shipped();
  const Json file = RulesFile();
  for (const Json& rule : file.ArrayOf("rules")) {
    const std::string id = rule.StringOr("id");
    EXPECT_GE(rule.StringsOf("hits").size(), 2u) << id;
    EXPECT_GE(rule.StringsOf("near_misses").size(), 2u) << id;
    const std::vector<Kind> kinds = *KindsOf(rule);
    for (const Kind kind : kinds) {
      for (const std::string& title : rule.StringsOf("hits"))
        EXPECT_EQ(filter.Decide(kind, UntrustedText(title)).rule, id) << title;
      for (const std::string& title : rule.StringsOf("near_misses")) {
        const TitleDecision decision = filter.Decide(kind, UntrustedText(title));
        EXPECT_NE(decision.rule, id) << title;
        if (rule.StringOr("action") == "reject") {
          EXPECT_EQ(decision.status, TitleStatus::kPass) << title << " is rejected by " << decision.rule;
        }
      }
    }
  }
}

struct LabelledTitle {
  std::string label, title;
  Kind kind;
};

std::vector<LabelledTitle> Corpus() {
  std::vector<LabelledTitle> titles;
  std::ifstream file(SOURCE_ROOT "/tests/corpus/titles.tsv");
  for (std::string line; std::getline(file, line);) {
    std::istringstream columns(line);
    std::string label, title, kind;
    std::getline(columns, label, '\t');
    std::getline(columns, title, '\t');
    std::getline(columns, kind, '\t');
    titles.push_back({label, title, *KindNamed(kind)});
  }
  return titles;
}

TEST(TitleCorpusTest, NoTitleThatMustPassIsRejectedAndMostRejectableOnesAre) {
  const TitleFilter filter = Shipped();
  int rejectable = 0, rejected = 0, passing = 0;
  for (const auto& [label, title, kind] : Corpus()) {
    const TitleDecision decision = filter.Decide(kind, UntrustedText(title));
    if (label == "pass") {
      ++passing;
      EXPECT_EQ(decision.status, TitleStatus::kPass) << title << " is rejected by " << decision.rule;
    } else {
      ASSERT_EQ(label, "reject") << title;
      ++rejectable;
      rejected += decision.status == TitleStatus::kReject;
    }
  }
  EXPECT_GE(passing, 60);
  EXPECT_GE(rejectable, 60);
  RecordProperty("rejected", rejected);
  EXPECT_GE(rejected * 100, rejectable * 84) << rejected << " of " << rejectable;
}

TEST(TitleFilterTest, SaysWhichRuleMatchedWhichText) {
  const TitleDecision decision = Shipped().Decide(Kind::kIssue, UntrustedText("DISABLED test_x (__main__.T)"));
  EXPECT_EQ(decision.status, TitleStatus::kReject);
  EXPECT_EQ(decision.rule, "disabled-test");
  EXPECT_EQ(decision.match, UntrustedText("DISABLED test_"));
  EXPECT_FALSE(decision.reason.empty());
}

TEST(TitleFilterTest, HostileTitlesPass) {
  const TitleFilter filter = Shipped();
  for (const std::string& title : {std::string(200000, '['), std::string("\xff\xfe DISABLED"), std::string(1, '\0')})
    EXPECT_EQ(filter.Decide(Kind::kPullRequest, UntrustedText(title)).status, TitleStatus::kPass) << title.size();
}

Json OneRule(std::string_view action, std::string_view pattern) {
  Json file;
  file.Set("schema", "xpu-align/title-rules@1").Set("fragments", Json().Set("word", "zebra|gnu"));
  file.Set("rules", Json::EmptyArray().Append(Json()
                                                  .Set("id", "r")
                                                  .Set("action", action)
                                                  .Set("reason", "why")
                                                  .Set("kinds", Json::EmptyArray().Append("pr"))
                                                  .Set("pattern", pattern)
                                                  .Set("unless", "striped")));
  return file;
}

TEST(TitleFilterTest, FragmentsKindsAndExceptionsApply) {
  const TitleFilter filter = *TitleFilter::FromJson(OneRule("reject", "^a {word}$|^striped"));
  EXPECT_EQ(filter.Decide(Kind::kPullRequest, UntrustedText("a gnu")).status, TitleStatus::kReject);
  EXPECT_EQ(filter.Decide(Kind::kIssue, UntrustedText("a gnu")).status, TitleStatus::kPass);
  EXPECT_EQ(filter.Decide(Kind::kPullRequest, UntrustedText("a zebra gnu")).status, TitleStatus::kPass);
  EXPECT_EQ(filter.Decide(Kind::kPullRequest, UntrustedText("striped")).status, TitleStatus::kPass);
}

TEST(TitleFilterTest, MalformedRulesAreConfigErrors) {
  for (const Json& bad : {OneRule("maybe", "x"), OneRule("reject", "("), OneRule("reject", ""), Json::EmptyObject(),
                          OneRule("reject", "x").Set("schema", "xpu-align/title-rules@2")}) {
    const auto filter = TitleFilter::FromJson(bad);
    ASSERT_FALSE(filter) << WriteJson(bad);
    EXPECT_EQ(filter.error().kind, ErrorKind::kConfig);
  }
}

}  // namespace
}  // namespace xpu_align
