// Clock: the time of day and waiting. Pacing decides how long; only this waits.
// Tests pass a virtual one.
#pragma once
#include <cstdint>

#include "text/error.h"

namespace xpu_align {

class Clock {
 public:
  virtual ~Clock() = default;
  // Seconds since the epoch, UTC.
  virtual int64_t NowSeconds() = 0;
  // Milliseconds of a clock that never goes back; for durations.
  virtual int64_t MonotonicMillis() = 0;
  // kCancelled when a signal asked to stop meanwhile.
  virtual Status SleepMillis(int64_t millis) = 0;
};

}  // namespace xpu_align
