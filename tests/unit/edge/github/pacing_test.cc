#include "edge/github/pacing.h"

#include <gtest/gtest.h>

#include "edge/github/api.h"

namespace xpu_align {
namespace {

constexpr int64_t kNow = 1'000'000;

TEST(Pacing, GoodAndFinalAnswersGoOn) {
  Pacing pacing;
  for (const int status : {200, 301, 401, 403, 404, 410, 422, 451})
    EXPECT_EQ(pacing.After({.status = status, .remaining = 17}, kNow).pace, Pace::kGoOn) << status;
  EXPECT_EQ(pacing.After({.status = 200, .remaining = 0, .reset_at = kNow + 9}, kNow).pace,
            Pace::kGoOn);  // the last one
}

TEST(Pacing, PrimaryLimitWaitsForTheReset) {
  Pacing pacing;
  const auto decision = pacing.After({.status = 403, .remaining = 0, .reset_at = kNow + 60}, kNow);
  EXPECT_EQ(decision.pace, Pace::kWait);
  EXPECT_EQ(decision.wait_millis, 61'000);
  EXPECT_EQ(pacing.After({.status = 429, .remaining = 0, .reset_at = kNow - 5}, kNow).wait_millis, 1'000);
}

TEST(Pacing, RetryAfterIsObeyedFirst) {
  Pacing pacing;
  EXPECT_EQ(
      pacing.After({.status = 403, .retry_after_seconds = 7, .remaining = 0, .reset_at = kNow + 60}, kNow).wait_millis,
      7'000);
  EXPECT_EQ(pacing.After({.status = 429, .retry_after_seconds = 0}, kNow).wait_millis, 1'000);
}

TEST(Pacing, SecondaryLimitWithoutATimeDoubles) {
  Pacing pacing;
  EXPECT_EQ(pacing.After({.status = 429}, kNow).wait_millis, 60'000);
  EXPECT_EQ(pacing.After({.status = 403, .remaining = 4000, .says_rate_limited = true}, kNow).wait_millis, 120'000);
  EXPECT_EQ(pacing.After({.status = 200, .says_rate_limited = true}, kNow).wait_millis, 240'000);  // GraphQL
  EXPECT_EQ(pacing.After({.status = 200}, kNow).pace, Pace::kGoOn);
  EXPECT_EQ(pacing.After({.status = 429}, kNow).wait_millis, 60'000);  // begins anew
}

TEST(Pacing, BudgetIsNeverOverdrawn) {
  Pacing pacing(100'000);
  EXPECT_EQ(pacing.After({.status = 429, .retry_after_seconds = 70}, kNow).pace, Pace::kWait);
  EXPECT_EQ(pacing.BudgetLeftMillis(), 30'000);
  const auto decision = pacing.After({.status = 429, .retry_after_seconds = 31}, kNow);
  EXPECT_EQ(decision.pace, Pace::kGiveUp);
  EXPECT_EQ(decision.reason, "rate limit, Retry-After: 31 s to wait, 30 s left of the wait budget");
  EXPECT_EQ(pacing.After({.status = 429, .retry_after_seconds = 30}, kNow).pace, Pace::kWait);
  EXPECT_EQ(pacing.BudgetLeftMillis(), 0);
}

TEST(Pacing, HugeTimesDoNotOverflow) {
  Pacing pacing;
  EXPECT_EQ(pacing.After({.status = 429, .retry_after_seconds = INT64_MAX}, kNow).pace, Pace::kGiveUp);
  EXPECT_EQ(pacing.After({.status = 403, .remaining = 0, .reset_at = INT64_MAX}, kNow).pace, Pace::kGiveUp);
}

TEST(Pacing, SlowServerAsksForLessAndDeadOneEnds) {
  Pacing pacing;
  EXPECT_EQ(pacing.After({.status = 502}, kNow).pace, Pace::kShrink);
  EXPECT_EQ(pacing.After({.status = 504}, kNow).wait_millis, 2'000);
  EXPECT_EQ(pacing.After({.status = 0}, kNow).pace, Pace::kWait);
  EXPECT_EQ(pacing.After({.status = 500}, kNow).pace, Pace::kGiveUp);
  EXPECT_EQ(pacing.After({.status = 503}, kNow).wait_millis, 1'000);  // counted anew
}

TEST(Pacing, ReserveIsLeftToTheOthers) {
  Pacing pacing(100'000);
  const auto answer = [&](int64_t remaining, int64_t seconds, Allowance allowance) {
    pacing.After({.status = 200, .remaining = remaining, .reset_at = kNow + seconds}, kNow, allowance);
  };
  answer(50, 60, Allowance::kCore);
  EXPECT_EQ(pacing.Before(Allowance::kCore, kNow).pace, Pace::kGoOn);
  answer(49, 60, Allowance::kCore);
  EXPECT_EQ(pacing.Before(Allowance::kGraphql, kNow).pace, Pace::kGoOn);  // counted apart
  const auto wait = pacing.Before(Allowance::kCore, kNow);
  EXPECT_EQ(wait.pace, Pace::kWait);
  EXPECT_EQ(wait.wait_millis, 61'000);
  EXPECT_EQ(pacing.Before(Allowance::kCore, kNow + 61).pace, Pace::kGoOn);
  answer(3, 3600, Allowance::kGraphql);
  for (int again = 0; again < 2; ++again) {
    const auto decision = pacing.Before(Allowance::kGraphql, kNow);
    EXPECT_EQ(decision.pace, Pace::kGiveUp);
    EXPECT_EQ(decision.reason,
              "only 3 requests are left of an allowance that others share, 50 stay reserved for them: 3601 s to wait, "
              "39 s left of the wait budget");
  }
  EXPECT_EQ(pacing.Before(Allowance::kGraphql, kNow + 3600).pace, Pace::kGoOn);
  answer(1, 60, Allowance::kSearch);
  EXPECT_EQ(pacing.Before(Allowance::kSearch, kNow).pace, Pace::kGoOn);
}

TEST(Pacing, AllowanceOfNobodyElseIsUsedToTheEnd) {
  Pacing pacing(100'000, 0);
  pacing.After({.status = 200, .remaining = 0, .reset_at = kNow + 60}, kNow);
  EXPECT_EQ(pacing.Before(Allowance::kCore, kNow).pace, Pace::kGoOn);
}

TEST(Pacing, CountIsNotWaitedForLong) {
  Pacing pacing;
  EXPECT_EQ(pacing.After({.status = 403, .remaining = 0, .reset_at = kNow + 60}, kNow, Allowance::kSearch).pace,
            Pace::kWait);
  EXPECT_EQ(pacing.After({.status = 429, .retry_after_seconds = 62}, kNow, Allowance::kSearch).pace, Pace::kGiveUp);
  EXPECT_EQ(pacing.BudgetLeftMillis(), 539'000);  // what is not waited for is not spent
}

TEST(Pacing, FailedServerSaysWhenToComeBack) {
  Pacing pacing;
  EXPECT_EQ(pacing.After({.status = 503, .retry_after_seconds = 30}, kNow).wait_millis, 30'000);
  EXPECT_EQ(pacing.After({.status = 503, .retry_after_seconds = 1}, kNow).wait_millis, 2'000);
}

TEST(Api, NextLinkOfAHeader) {
  EXPECT_EQ(NextLink(R"(<https://x/a?page=2>; rel="next", <https://x/a?page=9>; rel="last")"), "https://x/a?page=2");
  EXPECT_EQ(NextLink(R"(<https://x/first>; rel="prev", <https://x/a,b;c>; rel="next")"), "https://x/a,b;c");
  EXPECT_EQ(NextLink(R"(<https://x/cut; rel="prev", <https://x/a>; rel="next")"), "https://x/a");
  for (const char* none : {"", "<", "<>", "<a", R"(<https://x>; rel="last")", R"(rel="next")", ">< rel=\"next\""})
    EXPECT_EQ(NextLink(none), "") << none;
}

TEST(Api, GraphqlAddressOfBothForms) {
  EXPECT_EQ(GraphqlAddress("https://api.github.com"), "https://api.github.com/graphql");
  EXPECT_EQ(GraphqlAddress("https://ghe.example/api/v3"), "https://ghe.example/api/graphql");
}

}  // namespace
}  // namespace xpu_align
