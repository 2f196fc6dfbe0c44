#include "edge/github/pacing.h"

#include <algorithm>

namespace xpu_align {
namespace {

constexpr int kMaxFailures = 4;                  // in a row, then the server counts as dead
constexpr int64_t kFirstFailureWait = 1'000;     // doubled each time
constexpr int64_t kFirstSecondaryWait = 60'000;  // at least a minute, doubled each time
constexpr int64_t kLongestSearchWait = 61'000;   // search only checks a count: no night waits for it

// A week stands for all that is longer, so that no number of a server overflows.
constexpr int64_t kWeek = 7 * 86'400;
int64_t MillisOf(int64_t seconds) { return std::clamp<int64_t>(seconds, 1, kWeek) * 1000; }

int64_t MillisUntil(int64_t reset_at, int64_t now) {
  return MillisOf(std::clamp(reset_at, now, now + kWeek) - now + 1);
}

}  // namespace

bool IsRateLimited(const AnswerFacts& facts) {
  if (facts.status == 429 || facts.says_rate_limited) return true;
  return facts.status == 403 && (facts.retry_after_seconds || facts.remaining == 0);
}

PaceDecision Pacing::Wait(Pace pace, int64_t millis, const std::string& reason) {
  if (millis > left_millis_)
    return {Pace::kGiveUp, 0,
            reason + ": " + std::to_string(millis / 1000) + " s to wait, " + std::to_string(left_millis_ / 1000) +
                " s left of the wait budget"};
  left_millis_ -= millis;
  return {pace, millis, reason};
}

PaceDecision Pacing::Before(Allowance allowance, int64_t now_seconds) {
  Known& known = known_[static_cast<size_t>(allowance)];
  if (allowance == Allowance::kSearch || !known.remaining || *known.remaining >= reserve_) return {};
  PaceDecision decision;
  if (known.reset_at > now_seconds)
    decision =
        Wait(Pace::kWait, MillisUntil(known.reset_at, now_seconds),
             "only " + std::to_string(*known.remaining) + " requests are left of an allowance that others share, " +
                 std::to_string(reserve_) + " stay reserved for them");
  if (decision.pace != Pace::kGiveUp) known = {};
  return decision;
}

PaceDecision Pacing::AfterLimit(const AnswerFacts& facts, int64_t now_seconds) {
  if (facts.retry_after_seconds)
    return Wait(Pace::kWait, MillisOf(*facts.retry_after_seconds), "rate limit, Retry-After");
  if (facts.remaining == 0 && facts.reset_at)
    return Wait(Pace::kWait, MillisUntil(*facts.reset_at, now_seconds), "primary rate limit");
  const int64_t wait = kFirstSecondaryWait << std::min(secondary_++, 10);
  return Wait(Pace::kWait, wait, "secondary rate limit");
}

PaceDecision Pacing::After(const AnswerFacts& facts, int64_t now_seconds, Allowance allowance) {
  Known& known = known_[static_cast<size_t>(allowance)];
  if (IsRateLimited(facts)) {
    known = {};
    const int64_t left = left_millis_;
    PaceDecision decision = AfterLimit(facts, now_seconds);
    if (allowance != Allowance::kSearch || decision.wait_millis <= kLongestSearchWait) return decision;
    left_millis_ = left;
    return {Pace::kGiveUp, 0, decision.reason + ": too long a wait for a count"};
  }
  if (facts.remaining && facts.reset_at) known = {facts.remaining, *facts.reset_at};
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
  const int64_t asked = facts.retry_after_seconds ? MillisOf(*facts.retry_after_seconds) : 0;
  return Wait(too_slow ? Pace::kShrink : Pace::kWait, std::max(asked, kFirstFailureWait << (failures_ - 1)),
              "the server failed");
}

}  // namespace xpu_align
