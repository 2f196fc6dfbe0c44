#include "filter/already_processed.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

Window WindowOf(const char* start, const char* end) { return *Window::Of(*ParseDate(start), *ParseDate(end)); }

// Scanned on the 25th with an answer, and asked about in a window that overlaps: the 24th to the 26th.
struct Case {
  Candidate candidate;
  HistoryEntry entry;
  Window window = WindowOf("2026-11-24", "2026-11-26");
};

Case Of(CandidateId id) {
  Case result{.candidate = {.id = id}, .entry = {.row = {.id = id, .reached = Reached::kDone}}};
  result.candidate.updated_at = result.entry.row.updated_at = "2026-11-25T10:00:00Z";
  result.candidate.text_sha256 = result.entry.row.text_sha256 = "aa";
  result.candidate.events = {{"created", "2026-11-25T10:00:00Z"}};
  result.entry.run.scope.target = "xpu";
  result.entry.run.window = WindowOf("2026-11-25", "2026-11-25");
  result.entry.row.bucket = Bucket::kNotReproduced;
  return result;
}
Case Issue() { return Of(CandidateId::OfIssue(7)); }
Case PullRequest() { return Of(CandidateId::OfPullRequest(7)); }
Case Commit() { return Of(CandidateId::OfCommit(std::string(40, 'a'))); }

bool IsRejected(const Case& c, std::string_view target = "xpu") {
  return FindProcessed(c.candidate, c.window, target, std::span(&c.entry, 1)) != nullptr;
}

TEST(AlreadyProcessedTest, UnchangedCandidatesOfEveryKindAreRejected) {
  EXPECT_TRUE(IsRejected(Issue()));
  EXPECT_TRUE(IsRejected(PullRequest()));
  EXPECT_TRUE(IsRejected(Commit()));
}

TEST(AlreadyProcessedTest, OnlyAWindowThatEndedBeforeThisOneCounts) {
  Case c = Issue();
  c.window = c.entry.run.window;  // the same night again
  EXPECT_FALSE(IsRejected(c));
  c.window = WindowOf("2026-11-20", "2026-11-24");  // an older one, made up for later
  EXPECT_FALSE(IsRejected(c));
  c.window = WindowOf("2026-11-24", "2026-11-25");  // wider, and ending with it
  EXPECT_FALSE(IsRejected(c));
}

TEST(AlreadyProcessedTest, AnotherTargetKnowsNothing) { EXPECT_FALSE(IsRejected(Issue(), "cuda")); }

TEST(AlreadyProcessedTest, OnlyAnAnswerCounts) {
  Case c = Issue();
  for (const Bucket bucket : {Bucket::kConfirmed, Bucket::kRelatedFailure, Bucket::kNotReproduced, Bucket::kBlockedPlatform,
                              Bucket::kBlockedScriptError, Bucket::kNeedsPerformanceHarness}) {
    c.entry.row.bucket = bucket;
    EXPECT_TRUE(IsRejected(c)) << Name(bucket);
  }
  for (const Bucket bucket : {Bucket::kBlockedEnv, Bucket::kBlockedFetch}) {
    c.entry.row.bucket = bucket;
    EXPECT_FALSE(IsRejected(c)) << Name(bucket);
  }
  c.entry.row.bucket.reset();
  EXPECT_FALSE(IsRejected(c));
  for (const Reached reached : {Reached::kTitleRejected, Reached::kDeepRejected, Reached::kPending}) {
    c = Issue();
    c.entry.row.reached = reached;
    EXPECT_FALSE(IsRejected(c)) << Name(reached);
  }
}

TEST(AlreadyProcessedTest, AMemberOfAChainHasTheAnswerOfTheOneThatStandsForIt) {
  Case c = PullRequest();
  c.entry.row.reached = Reached::kChained;
  EXPECT_TRUE(IsRejected(c));
  c.entry.row.bucket = Bucket::kBlockedEnv;
  EXPECT_FALSE(IsRejected(c));
}

TEST(AlreadyProcessedTest, AnIssueWithNewTextIsLookedAtAgain) {
  Case c = Issue();
  c.candidate.text_sha256 = "bb";
  EXPECT_FALSE(IsRejected(c));
  c.candidate.text_sha256 = c.entry.row.text_sha256 = "";  // not known: in doubt it passes
  EXPECT_FALSE(IsRejected(c));
}

TEST(AlreadyProcessedTest, AnIssueWithNewLabelsIsNot) {
  Case c = Issue();
  c.candidate.updated_at = "2026-11-26T10:00:00Z";
  c.candidate.events.push_back({"updated", "2026-11-26T10:00:00Z"});
  EXPECT_TRUE(IsRejected(c));
}

TEST(AlreadyProcessedTest, AnUpdatedPullRequestMayHaveANewHead) {
  Case c = PullRequest();
  c.candidate.updated_at = "2026-11-26T10:00:00Z";
  EXPECT_FALSE(IsRejected(c));
  c.candidate.updated_at = c.entry.row.updated_at = "";
  EXPECT_FALSE(IsRejected(c));
}

TEST(AlreadyProcessedTest, APullRequestThatLandsAfterItWasProcessedIsLookedAtAgain) {
  Case c = PullRequest();
  c.candidate.events.push_back({"merged", "2026-11-26T01:00:00Z"});
  EXPECT_FALSE(IsRejected(c));
  c.entry.row.merged_at = "2026-11-25T23:00:00Z";  // landed, was reverted, and landed again
  EXPECT_FALSE(IsRejected(c));
  c.entry.row.merged_at = "2026-11-26T01:00:00Z";  // the landing that was seen
  EXPECT_TRUE(IsRejected(c));
}

TEST(AlreadyProcessedTest, TheNewestAnswerIsNamed) {
  Case newer = Issue(), older = Issue();
  older.entry.run.window = WindowOf("2026-11-24", "2026-11-24");
  const std::vector<HistoryEntry> entries{newer.entry, older.entry};
  const HistoryEntry* found = FindProcessed(newer.candidate, newer.window, "xpu", entries);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->run.window.Name(), "2026-11-25-to-2026-11-25");
}

}  // namespace
}  // namespace xpu_align
