// Pacing: what to do before and after a request to GitHub's API, as a value: go on, wait, ask for less, or give
// up. Reads no clock and waits for nothing. Used by api.cc.
// Sources: GitHub documentation, "Rate limits for the REST API" and "Rate limits ... for the GraphQL API".
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace xpu_align {

// What GitHub counts apart.
enum class Allowance { kCore, kSearch, kGraphql };

// What matters of an answer.
struct AnswerFacts {
  int status = 0;  // 0: no answer, or one that is not what its format says
  std::optional<int64_t> retry_after_seconds;
  std::optional<int64_t> remaining;  // x-ratelimit-remaining
  std::optional<int64_t> reset_at;   // x-ratelimit-reset, seconds since the epoch
  bool says_rate_limited = false;    // in words: a message, or a GraphQL error inside a 200
};

// A refusal that waiting mends, whatever its status says.
bool IsRateLimited(const AnswerFacts& facts);

enum class Pace {
  kGoOn,    // the answer is good or final: the caller judges it
  kWait,    // the same request again after `wait_millis`
  kShrink,  // the server was too slow: the same with fewer elements after `wait_millis`
  kGiveUp,  // `reason` says which patience is spent
};

struct PaceDecision {
  Pace pace = Pace::kGoOn;
  int64_t wait_millis = 0;
  std::string reason;
};

// A token's allowance is shared with all workflows of a repository: so many requests are left to them.
inline constexpr int64_t kReserve = 50;

class Pacing {
 public:
  // All waiting together never exceeds the budget. `reserve`: 0 where nobody shares the allowance.
  explicit Pacing(int64_t budget_millis = 600'000, int64_t reserve = kReserve)
      : left_millis_(budget_millis), reserve_(reserve) {}

  // Never kShrink. Waits for the reset rather than touch the reserve. Search has no reserve, it is nobody's lifeline.
  PaceDecision Before(Allowance allowance, int64_t now_seconds);
  PaceDecision After(const AnswerFacts& facts, int64_t now_seconds, Allowance allowance = Allowance::kCore);
  int64_t BudgetLeftMillis() const { return left_millis_; }

 private:
  struct Known {
    std::optional<int64_t> remaining;
    int64_t reset_at = 0;
  };
  PaceDecision Wait(Pace pace, int64_t millis, const std::string& reason);
  PaceDecision AfterLimit(const AnswerFacts& facts, int64_t now_seconds);

  int64_t left_millis_;
  int64_t reserve_;
  std::array<Known, 3> known_;
  int failures_ = 0;   // in a row
  int secondary_ = 0;  // secondary limits in a row, without a time given
};

}  // namespace xpu_align
