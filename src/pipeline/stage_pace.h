// StagePace: how much time the stage still has, and how much it still needs by what was measured so far. It never
// guesses: without a measured script of a kind there is no estimate. Used by execute.
#pragma once
#include <cstdint>
#include <optional>

#include "model/composition.h"
#include "ports/clock.h"

namespace xpu_align {

class StagePace {
 public:
  // `budget_millis` of 0: no limit. The stage begins now.
  StagePace(Clock& clock, int64_t budget_millis) : clock_(clock), begin_(clock.MonotonicMillis()), budget_(budget_millis) {}

  // Whether something that may take `limit_millis` is over before the budget is, whatever it does.
  bool HasTimeFor(int64_t limit_millis) const;
  int64_t ElapsedMillis() const { return clock_.MonotonicMillis() - begin_; }

  // A candidate took this long, all of its attempts together.
  void Measured(CompileUse kind, int64_t millis);
  // For so many candidates more.
  std::optional<int64_t> Left(size_t eager, size_t compiled) const;

 private:
  struct Mean {
    int64_t sum = 0, count = 0;
  };

  Clock& clock_;
  int64_t begin_, budget_;
  Mean eager_, compiled_;
};

}  // namespace xpu_align
