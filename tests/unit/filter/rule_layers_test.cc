#include "filter/rule_layers.h"

#include <gtest/gtest.h>

#include "filter/deep_filter.h"
#include "filter/title_filter.h"
#include "support/shipped_rules.h"

namespace xpu_align {
namespace {

Json Layer(std::string_view text) { return *ParseJson("{\"schema\": \"xpu-align/triage-rules@1\"" + std::string(text) + "}"); }

constexpr std::string_view kOwnTitle =
    R"(, "title": [{"id": "own-zebra", "action": "reject", "pattern": "zebra", "reason": "no zebras"}])";

TEST(RuleLayersTest, OwnRulesAreAskedFirst) {
  TriageRules rules = ShippedRules();
  const auto changes = AddLayer(Layer(kOwnTitle), &rules);
  ASSERT_TRUE(changes) << changes.error().message;
  EXPECT_EQ(changes->added, std::vector<std::string>{"own-zebra"});
  const TitleFilter filter = *TitleFilter::FromJson(rules.title);
  EXPECT_EQ(filter.Decide(Kind::kIssue, UntrustedText("a zebra crashes")).rule, "own-zebra");
  EXPECT_EQ(filter.Decide(Kind::kIssue, UntrustedText("[MPS] zebra")).rule, "own-zebra");
}

TEST(RuleLayersTest, ShippedRulesAreSwitchedOffById) {
  TriageRules rules = ShippedRules();
  const auto changes = AddLayer(Layer(R"(, "off": ["mps-tag", "diff-exclusive", "cuda-twin", "mps-script"])"), &rules);
  ASSERT_TRUE(changes) << changes.error().message;
  EXPECT_EQ(changes->switched_off.size(), 4u);
  EXPECT_EQ(TitleFilter::FromJson(rules.title)->Decide(Kind::kIssue, UntrustedText("[MPS] ring")).status, TitleStatus::kPass);
  const DeepFilter filter = *DeepFilter::FromJson(rules.paths, rules.deep);
  EXPECT_EQ(filter.ClassOf(UntrustedText("aten/src/ATen/native/cuda/Foo.cu")), PathClass::kShared);
  Details details{.id = CandidateId::OfPullRequest(1)};
  details.files = {{.path = UntrustedText("aten/src/ATen/native/mps/Ring.mm"), .status = "modified",
                    .patch = UntrustedText("@@ -1 +1 @@\n-x(1);\n+x(2);\n")}};
  EXPECT_EQ(filter.Decide(details, Runnable::kScript).status, DeepStatus::kPass);
}

TEST(RuleLayersTest, WhatIsWrongIsNamed) {
  const auto error_of = [](std::string_view layer) {
    TriageRules rules = ShippedRules();
    const auto changes = AddLayer(Layer(layer), &rules);
    EXPECT_FALSE(changes) << layer;
    if (changes) return std::string();
    EXPECT_EQ(changes.error().kind, ErrorKind::kConfig);
    return changes.error().message;
  };
  EXPECT_NE(error_of(R"(, "off": ["no-such-rule"])").find("no-such-rule"), std::string::npos);
  EXPECT_NE(error_of(R"(, "titles": [])").find("titles"), std::string::npos);
  EXPECT_NE(error_of(R"(, "title": [{"id": "mps-tag", "action": "reject", "pattern": "x", "reason": "y"}])").find("mps-tag"),
            std::string::npos);
  EXPECT_NE(error_of(R"(, "deep": [{"id": "Not An Id"}])"), "");
  TriageRules rules = ShippedRules();
  EXPECT_EQ(AddLayer(*ParseJson(R"({"schema": "xpu-align/triage-rules@2"})"), &rules).error().kind, ErrorKind::kConfig);
}

}  // namespace
}  // namespace xpu_align
