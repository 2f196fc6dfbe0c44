#include "json/json.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

TEST(JsonTest, WritesKeysSortedAndReadsThemBack) {
  const Json value = Json().Set("b", 1).Set("a", Json().Append("x").Append(true).Append(Json()).Append(1.5));
  EXPECT_EQ(WriteJsonLine(value), R"({"a":["x",true,null,1.5],"b":1})");
  EXPECT_EQ(WriteJson(value), "{\n  \"a\": [\n    \"x\",\n    true,\n    null,\n    1.5\n  ],\n  \"b\": 1\n}\n");
  EXPECT_EQ(ParseJson(WriteJson(value)), value);
}

TEST(JsonTest, AccessorsNeverFailOnAnotherType) {
  const Json value = *ParseJson(R"({"n": "text", "list": [1, "a"]})");
  EXPECT_EQ(value.IntOr("n", 7), 7);
  EXPECT_EQ(value.StringOr("list", "none"), "none");
  EXPECT_TRUE(value["missing"]["deeper"].IsNull());
  EXPECT_EQ(value.StringsOf("list"), std::vector<std::string>{"a"});
  EXPECT_EQ(value.Int("n").error().kind, ErrorKind::kProtocol);
}

TEST(JsonTest, RefusesWhatIsNotOneBoundedValue) {
  for (const char* text : {"", "{", "[1,]", "{} {}", "{\"a\":1,}", "nul", "\"\xff\""})
    EXPECT_EQ(ParseJson(text).error().kind, ErrorKind::kProtocol) << text;
  EXPECT_TRUE(ParseJson(std::string(64, '[') + std::string(64, ']')));
  EXPECT_FALSE(ParseJson(std::string(65, '[') + std::string(65, ']')));
  EXPECT_FALSE(ParseJson(std::string(1000000, '[')));
  EXPECT_FALSE(ParseJson("[1,2,3]", {.max_bytes = 3}));
}

TEST(JsonTest, HalfOfASurrogatePairBecomesTheReplacementCharacter) {
  EXPECT_EQ(ParseJson(R"(["a\ud800b"])")->AsArray()->at(0), Json("a\uFFFDb"));
  EXPECT_EQ(ParseJson(R"(["\udc00\ud800"])")->AsArray()->at(0), Json("\uFFFD\uFFFD"));
  EXPECT_EQ(ParseJson(R"(["\ud83d\ude00 \\ud800 \ud800\n"])")->AsArray()->at(0), Json("\U0001F600 \\ud800 \uFFFD\n"));
  EXPECT_EQ(ParseJson(R"(["\ud800\ud83d\ude00"])")->AsArray()->at(0), Json("\uFFFD\U0001F600"));
  EXPECT_EQ(ParseJson(R"(["\ud800)").error().kind, ErrorKind::kProtocol);
  EXPECT_EQ(ParseJson(R"(["\ud800" x])").error().kind, ErrorKind::kProtocol);
}

TEST(JsonTest, InvalidUtf8AndNonFiniteNumbersDoNotBreakTheOutput) {
  EXPECT_EQ(WriteJsonLine(Json("\xff")), "\"\uFFFD\"");
  EXPECT_EQ(WriteJsonLine(Json(std::numeric_limits<double>::infinity())), "null");
}

}  // namespace
}  // namespace xpu_align
