#include "edge/recording/encoding.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

TEST(Base64, IsThatOfRfc4648) {
  const std::pair<std::string, std::string> examples[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"},
      {"\xff\xfe", "//4="}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(Base64(bytes), text);
    EXPECT_EQ(FromBase64(text), bytes);
  }
  for (const char* broken : {"Zg", "Zg=", "Zh==", "Zg==Zg==", "Z===", "Z g=", "====", "Zm9v\n"})
    EXPECT_FALSE(FromBase64(broken)) << broken;
}

TEST(Text, KeepsItsBytesAndIsReadable) {
  const std::pair<std::string, std::string> examples[] = {
      {"", R"("")"},
      {"one line", R"("one line")"},
      {"a\nb\n", R"(["a","b",""])"},
      {"\n", R"(["",""])"},
      {"gr\xfc\xdf" "e\n", R"({"base64":"Z3L832UK"})"},
  };
  for (const auto& [bytes, json] : examples) {
    const UntrustedText text(bytes);
    EXPECT_EQ(WriteJsonLine(TextToJson(text)), json);
    EXPECT_EQ(*TextFromJson(*ParseJson(json)), text);
  }
  for (const char* broken : {"1", "null", "{}", R"(["a",1])", R"({"base64":"?"})", R"({"base64":7})"})
    EXPECT_FALSE(TextFromJson(*ParseJson(broken))) << broken;
}

TEST(ErrorJson, KeepsKindAndMessage) {
  const Error error{ErrorKind::kGit, "the clone ends there"};
  EXPECT_EQ(WriteJsonLine(ErrorToJson(error)), R"({"kind":"git","message":"the clone ends there"})");
  const auto read = ErrorFromJson(ErrorToJson(error));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, ErrorKind::kGit);
  EXPECT_EQ(read->message, error.message);
  EXPECT_FALSE(ErrorFromJson(*ParseJson(R"({"kind": "cancelled", "message": "stop"})")));
}

}  // namespace
}  // namespace xpu_align
