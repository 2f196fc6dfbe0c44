// Progress: what a person sees while a stage runs. Text given here is already safe for a terminal
// (UntrustedText::ForLogLine).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace xpu_align {

class Progress {
 public:
  virtual ~Progress() = default;
  // A stage begins; `total` steps are expected, 0 when unknown.
  virtual void StageStarted(const std::string& stage, size_t total) = 0;
  // One step is done; `what` names it. Implementations throttle.
  virtual void Step(const std::string& what) = 0;
  virtual void StageFinished(const std::string& summary) = 0;
  // Work that can take minutes begins and has ended by `limit_millis`. Tick is called again and again while it lasts
  // and shows, throttled, for how long it has.
  virtual void Working(const std::string& what, int64_t limit_millis) {
    (void)what, (void)limit_millis;
  }
  virtual void Tick() {}
  // What the stage still needs, by what it has measured; nothing when that can not be said. Once given, it is shown
  // instead of an estimate from the number of steps.
  virtual void Left(std::optional<int64_t> millis) { (void)millis; }
  // Something the user should know or act on; shown at once.
  virtual void Note(const std::string& text) = 0;
  virtual void Warn(const std::string& text) = 0;
};

}  // namespace xpu_align
