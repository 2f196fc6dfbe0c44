// Progress: what a person sees while a stage runs. Text given here is already safe for a terminal
// (UntrustedText::ForLogLine).
#pragma once
#include <cstddef>
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
  // Something the user should know or act on; shown at once.
  virtual void Note(const std::string& text) = 0;
  virtual void Warn(const std::string& text) = 0;
};

}  // namespace xpu_align
