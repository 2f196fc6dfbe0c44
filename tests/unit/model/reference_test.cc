#include "model/reference.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

constexpr char kRepository[] = "pytorch/pytorch";
const std::string kSha(40, 'a');

TEST(ReferenceTest, AcceptsTheShortFormsAndUrls) {
  const auto parse = [](const std::string& text) { return ParseReference(text, kRepository).value(); };
  EXPECT_EQ(parse("issue:7"), (Reference{Kind::kIssue, 7, ""}));
  EXPECT_EQ(parse("pr:8"), (Reference{Kind::kPullRequest, 8, ""}));
  EXPECT_EQ(parse("pr:8@" + kSha), (Reference{Kind::kPullRequest, 8, kSha}));
  EXPECT_EQ(parse("commit:" + kSha), (Reference{Kind::kCommit, 0, kSha}));
  EXPECT_EQ(parse("https://github.com/pytorch/pytorch/issues/7"), (Reference{Kind::kIssue, 7, ""}));
  EXPECT_EQ(parse("https://github.com/pytorch/pytorch/pull/8/files"), (Reference{Kind::kPullRequest, 8, ""}));
  EXPECT_EQ(parse("https://github.com/pytorch/pytorch/commit/" + kSha).Id().Text(), "commit-aaaaaaaaaaaa");
}

TEST(ReferenceTest, RefusesEverythingElse) {
  for (const std::string text : {"", "7", "issue:0", "issue:07", "issue:7x", "pr:8@abc", "commit:abc", "issue:7\n",
                                 "https://github.com/other/pytorch/issues/7", "https://evil/pytorch/pytorch/issues/7",
                                 "x https://github.com/pytorch/pytorch/issues/7", "issue:1234567890123"})
    EXPECT_EQ(ParseReference(text, kRepository).error().kind, ErrorKind::kUsage) << text;
}

std::vector<Reference> InEvent(const std::string& json) { return ReferencesInEvent(*ParseJson(json), kRepository); }

TEST(ReferencesInEventTest, TakesTheEventsOwnItemInTheScannedRepository) {
  EXPECT_EQ(InEvent(R"({"repository": {"full_name": "pytorch/pytorch"}, "issue": {"number": 7, "title": "pytorch/pytorch#9"}})"),
            (std::vector<Reference>{{Kind::kIssue, 7, ""}}));
  EXPECT_EQ(InEvent(R"({"repository": {"full_name": "pytorch/pytorch"}, "pull_request": {"number": 8, "head": {"sha": ")" + kSha +
                    R"("}}})"),
            (std::vector<Reference>{{Kind::kPullRequest, 8, kSha}}));
}

TEST(ReferencesInEventTest, ElsewhereTakesOnlyNumbersFromTitleAndBody) {
  EXPECT_EQ(InEvent(R"({"repository": {"full_name": "a/b"}, "issue": {"number": 1,
      "title": "see pytorch/pytorch#5 and evilpytorch/pytorch#6",
      "body": "https://github.com/pytorch/pytorch/pull/8, again https://github.com/pytorch/pytorch/pull/8; $(id) #9"}})"),
            (std::vector<Reference>{{Kind::kPullRequest, 8, ""}, {Kind::kIssue, 5, ""}}));
  EXPECT_TRUE(InEvent(R"({"repository": {"full_name": "pytorch/pytorch"}, "issue": {"number": 1234567890123}})").empty());
  EXPECT_TRUE(InEvent(R"({"repository": 5, "issue": "x"})").empty());
}

}  // namespace
}  // namespace xpu_align
