#include "pipeline/gaps.h"

#include <gtest/gtest.h>

#include <string>

namespace xpu_align {
namespace {

Date Day(const char* text) { return *ParseDate(text); }

HistoryRun Scan(const char* start, const char* end, RunOutcome outcome = RunOutcome::kComplete) {
  HistoryRun run{.window = {Day(start), Day(end)}};
  run.outcome = outcome;
  return run;
}

std::string Gaps(const char* day, const std::vector<HistoryRun>& runs) {
  std::string text;
  for (const Window& gap : GapsBefore(Day(day), runs)) text += (text.empty() ? "" : " ") + gap.Name();
  return text;
}

TEST(GapsTest, NoneWithoutACompleteRun) {
  EXPECT_EQ(Gaps("2026-11-29", {}), "");
  EXPECT_EQ(Gaps("2026-11-29", {Scan("2026-11-25", "2026-11-25", RunOutcome::kPartial)}), "");
}

TEST(GapsTest, NoneWhenTheNightBeforeIsComplete) {
  EXPECT_EQ(Gaps("2026-11-29", {Scan("2026-11-28", "2026-11-28")}), "");
}

TEST(GapsTest, MissedAndPartialNightsAreOneGap) {
  EXPECT_EQ(Gaps("2026-11-29", {Scan("2026-11-25", "2026-11-25"), Scan("2026-11-27", "2026-11-27", RunOutcome::kPartial),
                                Scan("2026-11-28", "2026-11-28", RunOutcome::kFailed)}),
            "2026-11-26-to-2026-11-28");
}

TEST(GapsTest, HolesBetweenCompleteRunsAreFound) {
  EXPECT_EQ(Gaps("2026-12-02", {Scan("2026-11-24", "2026-11-26"), Scan("2026-11-28", "2026-11-28"),
                                Scan("2026-11-30", "2026-12-01")}),
            "2026-11-27-to-2026-11-27 2026-11-29-to-2026-11-29");
}

TEST(GapsTest, ACompleteRunFillsThePartialOneOfTheSameDay) {
  EXPECT_EQ(Gaps("2026-11-29", {Scan("2026-11-27", "2026-11-28", RunOutcome::kPartial), Scan("2026-11-27", "2026-11-28")}), "");
}

TEST(GapsTest, OlderThanTwoWeeksIsNotTold) {
  EXPECT_EQ(Gaps("2026-11-29", {Scan("2026-11-01", "2026-11-01"), Scan("2026-11-17", "2026-11-28")}),
            "2026-11-15-to-2026-11-16");
}

std::string CatchUpText(const char* day, const std::vector<HistoryRun>& runs) {
  const CatchUp result = CatchUpTo(Day(day), runs);
  return result.window.Name() + " after " + (result.last_complete ? FormatDate(*result.last_complete) : "nothing") +
         (result.left_out ? " without " + result.left_out->Name() : "");
}

TEST(CatchUpTest, TheDayAloneWithoutACompleteRun) {
  EXPECT_EQ(CatchUpText("2026-11-29", {Scan("2026-11-20", "2026-11-20", RunOutcome::kPartial)}),
            "2026-11-29-to-2026-11-29 after nothing");
}

TEST(CatchUpTest, BeginsAfterTheLastCompleteRun) {
  EXPECT_EQ(CatchUpText("2026-11-29", {Scan("2026-11-20", "2026-11-25"), Scan("2026-11-22", "2026-11-22"),
                                       Scan("2026-11-27", "2026-11-27", RunOutcome::kPartial)}),
            "2026-11-26-to-2026-11-29 after 2026-11-25");
  EXPECT_EQ(CatchUpText("2026-11-29", {Scan("2026-11-28", "2026-11-28")}), "2026-11-29-to-2026-11-29 after 2026-11-28");
}

TEST(CatchUpTest, AWindowThatCoversTheDayIsGoneOnWith) {
  EXPECT_EQ(CatchUpText("2026-11-29", {Scan("2026-11-26", "2026-11-29")}), "2026-11-26-to-2026-11-29 after 2026-11-29");
}

TEST(CatchUpTest, FourteenDaysAtMost) {
  EXPECT_EQ(CatchUpText("2026-11-29", {Scan("2026-11-15", "2026-11-15")}), "2026-11-16-to-2026-11-29 after 2026-11-15");
  EXPECT_EQ(CatchUpText("2026-11-29", {Scan("2026-11-13", "2026-11-13")}),
            "2026-11-16-to-2026-11-29 after 2026-11-13 without 2026-11-14-to-2026-11-15");
}

TEST(CatchUpTest, ALaterWindowSaysNothingAboutTheDay) {
  EXPECT_EQ(CatchUpText("2026-11-20", {Scan("2026-11-18", "2026-11-18"), Scan("2026-11-28", "2026-11-28")}),
            "2026-11-19-to-2026-11-20 after 2026-11-18");
}

}  // namespace
}  // namespace xpu_align
