#include "model/ledger_row.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace xpu_align {
namespace {

TEST(CandidateIdTest, OnlyTheGrammarIsAnId) {
  for (const char* valid : {"issue-1", "pr-197444", "commit-20fb7bd04e0b"})
    EXPECT_EQ(CandidateId::Parse(valid)->Text(), valid);
  for (const char* invalid : {"", "issue-", "issue-0", "issue-01", "issue-1a", "pr-../x", "commit-20fb7bd04e0",
                              "commit-20FB7BD04E0B", "tag-1", "issue-1234567890123", "issue"})
    EXPECT_FALSE(CandidateId::Parse(invalid)) << invalid;
}

TEST(CandidateIdTest, SortsByKindThenNumber) {
  std::vector<CandidateId> ids;
  for (const char* text : {"commit-20fb7bd04e0b", "pr-2", "issue-10", "issue-9"}) ids.push_back(*CandidateId::Parse(text));
  std::ranges::sort(ids);
  EXPECT_EQ(ids[0].Text(), "issue-9");
  EXPECT_EQ(ids[1].Text(), "issue-10");
  EXPECT_EQ(ids[3].Text(), "commit-20fb7bd04e0b");
}

LedgerRow FullRow() {
  LedgerRow row{.id = *CandidateId::Parse("issue-7"), .title = UntrustedText("t"), .url = "u"};
  row.deep_status = DeepStatus::kPass;
  row.local_status = LocalStatus::kDone;
  row.bucket = Bucket::kConfirmed;
  row.deep_reason = {"r", "text"};
  row.areas = {"inductor"};
  row.chain = Chain{"issue-7", "issue-7", {"issue-7", "pr-8"}};
  row.decided_by = DecidedBy::kRun;
  row.signature = {"same", "RuntimeError: x", "f"};
  row.verdict = Verdict::kTrackUpstream;
  row.fix_state = FixState::kNotInBuild;
  row.fix_commit = "c";
  row.route_repository = "pytorch/pytorch";
  row.history = {{"revived", "by pr-8"}};
  return row;
}

TEST(LedgerRowTest, JsonRoundTripKeepsEverythingAndWhatIsUnknown) {
  Json json = ToJson(FullRow());
  json.Set("from_the_future", 1);
  const auto row = LedgerRowFromJson(json);
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_EQ(ToJson(*row), json);
}

TEST(LedgerRowTest, ContradictionsAndUnknownValuesAreRefused) {
  const auto with = [](std::string_view key, Json value) { return ToJson(FullRow()).Set(key, std::move(value)); };
  for (const Json& bad : {with("local_bucket", "maybe"), with("local_status", "pending"), with("deep_status", "reject"),
                          with("title_status", "reject"), with("verdict", "x"), with("id", "../7"), with("title", 1)})
    EXPECT_EQ(LedgerRowFromJson(bad).error().kind, ErrorKind::kProtocol) << WriteJsonLine(bad);
}

TEST(LedgerRowTest, ThereAreEightBucketsAndSixVerdictsWithTheProceduresNames) {
  std::vector<std::string_view> names;
  for (const Bucket bucket : AllBuckets()) names.push_back(Name(bucket));
  EXPECT_EQ(names, (std::vector<std::string_view>{"confirmed", "related-failure", "not-reproduced", "blocked-env",
                                                  "blocked-platform", "blocked-fetch", "blocked-script-error",
                                                  "needs-performance-harness"}));
  EXPECT_EQ(AllVerdicts().size(), 6u);
}

}  // namespace
}  // namespace xpu_align
