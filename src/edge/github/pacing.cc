#include "edge/github/pacing.h"

#include <algorithm>

namespace xpu_align {
namespace {

constexpr int kMaxFailures = 4;                  // in a row, then the server counts as dead
constexpr int64_t kFirstFailureWait = 1'000;     // doubled each time
constexpr int64_t kFirstSecondaryWait = 60'000;  // at least a minute, doubled each time

// A week stands for all that is longer, so that no number of a server overflows.
constexpr int64_t kWeek = 7 * 86'400;
int64_t MillisOf(int64_t seconds) { return std::clamp<int64_t>(seconds, 1, kWeek) * 1000; }

bool IsRateLimited(const AnswerFacts& facts) {
  if (facts.status == 429 || facts.says_rate_limited) return true;
  return facts.status == 403 && (facts.retry_after_seconds || facts.remaining == 0);
}

}  // namespace

PaceDecision Pacing::Wait(Pace pace, int64_t millis, const std::string& reason) {
  if (millis > left_millis_)
    return {Pace::kGiveUp, 0,
            reason + ": " + std::to_string(millis / 1000) + " s to wait, " + std::to_string(left_millis_ / 1000) +
                " s left of the wait budget"};
  left_millis_ -= millis;
  return {pace, millis, reason};
}

PaceDecision Pacing::After(const AnswerFacts& facts, int64_t now_seconds) {
  if (IsRateLimited(facts)) {
    if (facts.retry_after_seconds)
      return Wait(Pace::kWait, MillisOf(*facts.retry_after_seconds), "rate limit, Retry-After");
    if (facts.remaining == 0 && facts.reset_at)
      return Wait(Pace::kWait,
                  MillisOf(std::clamp(*facts.reset_at, now_seconds, now_seconds + kWeek) - now_seconds + 1),
                  "primary rate limit");
    const int64_t wait = kFirstSecondaryWait << std::min(secondary_++, 10);
    return Wait(Pace::kWait, wait, "secondary rate limit");
  }
  secondary_ = 0;
  const bool failed = facts.status == 0 || facts.status >= 500;
  if (!failed) {
    failures_ = 0;
    return {};
  }
  if (++failures_ >= kMaxFailures) {
    failures_ = 0;
    return {Pace::kGiveUp, 0, std::to_string(kMaxFailures) + " attempts failed"};
  }
  const bool too_slow = facts.status == 502 || facts.status == 504;
  return Wait(too_slow ? Pace::kShrink : Pace::kWait, kFirstFailureWait << (failures_ - 1), "the server failed");
}

}  // namespace xpu_align
