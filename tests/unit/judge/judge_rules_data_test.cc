// Runs the examples that stand beside the rules in src/rules/judge.json.
#include <gtest/gtest.h>

#include "judge/judge_data.h"
#include "support/judge_cases.h"

namespace xpu_align::judge_cases {
namespace {

TargetProfile WithoutErrors() {
  TargetProfile profile = TestDevice();
  profile.adaptation_errors.clear();
  return profile;
}

const AdaptationRule* Asked(const JudgeData& data, const std::string& message, const Json& example) {
  RaisedText raised{.types = {example.StringOr("type")}, .message = message};
  if (example.StringOr("raised") == "in-script") raised.where = RaisedWhere::kInScript;
  return data.AdaptationError(raised, "");
}

TEST(JudgeJson, AdaptationErrorsHitTheirExamplesAndNoNearMiss) {
  const auto data = JudgeDataFromJson(JudgeJson(), WithoutErrors());
  ASSERT_TRUE(data.has_value()) << data.error().message;
  const Json judge_rules = JudgeJson();
  for (const Json& entry : judge_rules.ArrayOf("adaptation_errors")) {
    const std::string id = entry.StringOr("id");
    EXPECT_FALSE(entry.ArrayOf("hit").empty() || entry.ArrayOf("near_miss").empty()) << id << " lacks examples";
    EXPECT_FALSE(entry.StringOr("text").empty()) << id;
    for (const Json& example : entry.ArrayOf("hit")) {
      const AdaptationRule* rule = Asked(*data, example.StringOr("message"), example);
      ASSERT_NE(rule, nullptr) << id << " misses: " << example.StringOr("message");
      EXPECT_EQ(rule->id, id) << example.StringOr("message");
    }
    // A near miss hits no rule of the list at all.
    for (const Json& example : entry.ArrayOf("near_miss")) {
      const AdaptationRule* rule = Asked(*data, example.StringOr("message"), example);
      EXPECT_EQ(rule, nullptr) << id << ": " << example.StringOr("message") << " hits " << (rule ? rule->id : "");
    }
  }
}

TEST(JudgeJson, TextRulesHitTheirExamplesAndNoNearMiss) {
  const Json judge_rules = JudgeJson();
  for (const char* key : {"faults", "own_semantics", "nothing_ran", "components"}) {
    for (const Json& entry : judge_rules.ArrayOf(key)) {
      const std::string id = std::string(key) + "/" + entry.StringOr("id");
      const auto pattern = Pattern::Compile(entry.StringOr("pattern"));
      ASSERT_TRUE(pattern.has_value()) << id;
      EXPECT_FALSE(entry.StringsOf("hit").empty() || entry.StringsOf("near_miss").empty()) << id << " lacks examples";
      for (const std::string& example : entry.StringsOf("hit")) EXPECT_TRUE(pattern->FoundIn(example)) << id << ": " << example;
      for (const std::string& example : entry.StringsOf("near_miss"))
        EXPECT_FALSE(pattern->FoundIn(example)) << id << ": " << example;
    }
  }
}

// Every profile that ships is usable by judge.
TEST(JudgeJson, EmbeddedProfilesCompile) {
  size_t profiles = 0;
  for (const auto& file : rules::EmbeddedFiles()) {
    if (!file.path.starts_with("rules/targets/")) continue;
    const auto json = ParseJson(file.content);
    ASSERT_TRUE(json.has_value()) << file.path;
    const auto profile = TargetProfileFromJson(*json);
    ASSERT_TRUE(profile.has_value()) << file.path << ": " << profile.error().message;
    const auto judge = Judge::Make(JudgeJson(), *profile);
    EXPECT_TRUE(judge.has_value()) << file.path << ": " << judge.error().message;
    ++profiles;
  }
  EXPECT_GE(profiles, 1u);
}

}  // namespace
}  // namespace xpu_align::judge_cases
