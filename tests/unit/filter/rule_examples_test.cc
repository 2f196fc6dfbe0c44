#include "filter/rule_examples.h"

#include <gtest/gtest.h>

#include "support/shipped_rules.h"

namespace xpu_align {
namespace {

// What is said of the rules of `layer`; empty: nothing.
std::string Said(const std::string& layer) {
  TriageRules rules = ShippedRules();
  const auto changes = AddLayer(*ParseJson("{\"schema\": \"xpu-align/triage-rules@1\", " + layer + "}"), &rules);
  EXPECT_TRUE(changes) << layer;
  if (!changes) return "";
  const Status checked = CheckExamples(rules, changes->added);
  if (checked) return "";
  EXPECT_EQ(checked.error().kind, ErrorKind::kConfig);
  return checked.error().message;
}

std::string Title(const std::string& examples) {
  return Said(R"("title": [{"id": "own", "action": "reject", "pattern": "zebra", "reason": "r", )" + examples + "}]");
}

std::string Path(const std::string& examples) {
  return Said(R"("paths": [{"id": "own", "class": "shared", "area": "a", "globs": ["own/**"], )" + examples + "}]");
}

std::string Deep(const std::string& examples) {
  return Said(R"("deep": [{"id": "own", "reason": "new-feature", "text": "t", "title": "zebra", "label": "^l$", "kinds": ["issue"], )" +
              examples + "}]");
}

TEST(RuleExamplesTest, RulesThatDoWhatTheySayPass) {
  EXPECT_EQ(Title(R"("hits": ["a zebra"], "near_misses": ["a gnu"])"), "");
  EXPECT_EQ(Path(R"("hits": ["own/a.cpp"], "near_misses": ["other/a.cpp"])"), "");
  EXPECT_EQ(Deep(R"("hits": [{"title": "zebra", "labels": ["l"]}], "near_misses": [{"title": "zebra"}, {"title": "gnu", "labels": ["l"]}])"), "");
  EXPECT_EQ(Title(R"("hits": [])"), "");
}

TEST(RuleExamplesTest, AHitThatIsNoneIsNamed) {
  EXPECT_EQ(Title(R"("hits": ["a gnu"])"), "rule own does not hold for its own hit \"a gnu\"");
  EXPECT_EQ(Path(R"("hits": ["other/a.xyz"])"), "rule own does not hold for its own hit \"other/a.xyz\"");
  EXPECT_TRUE(Deep(R"("hits": [{"title": "zebra"}])").starts_with("rule own does not hold for its own hit "));
}

TEST(RuleExamplesTest, ANearMissThatIsAHitIsNamed) {
  EXPECT_EQ(Title(R"("near_misses": ["a gnu", "a zebra"])"), "rule own holds for its own near miss \"a zebra\"");
  EXPECT_EQ(Path(R"("near_misses": ["own/b"])"), "rule own holds for its own near miss \"own/b\"");
  EXPECT_TRUE(Deep(R"("near_misses": [{"title": "zebra", "labels": ["l"]}])").starts_with("rule own holds for its own near miss "));
}

TEST(RuleExamplesTest, ARuleThatIsAskedBeforeIsNamed) {
  EXPECT_EQ(Title(R"("hits": ["Revert \"zebra\""])"),
            "rule own does not hold for its own hit \"Revert \"zebra\"\", which the rule revert-or-reland decides");
}

TEST(RuleExamplesTest, MalformedExamplesAreSaid) {
  EXPECT_NE(Title(R"("hits": [5])"), "");
  EXPECT_NE(Deep(R"("hits": ["zebra"])"), "");
  EXPECT_NE(Deep(R"("hits": [{"title": "zebra", "labels": ["l"], "runnable": "maybe"}])"), "");
  EXPECT_NE(Deep(R"("hits": [{"title": "zebra", "labels": ["l"], "classes": ["maybe"]}])"), "");
}

}  // namespace
}  // namespace xpu_align
