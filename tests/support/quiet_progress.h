// QuietProgress: a Progress of tests that keeps warnings for assertions.
#pragma once
#include <string>
#include <vector>

#include "ports/progress.h"

namespace xpu_align {

class QuietProgress : public Progress {
 public:
  void StageStarted(const std::string&, size_t) override {}
  void Step(const std::string&) override {}
  void StageFinished(const std::string& summary) override { summary_ = summary; }
  void Note(const std::string&) override {}
  void Warn(const std::string& text) override { warnings_.push_back(text); }

  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::string& summary() const { return summary_; }

 private:
  std::vector<std::string> warnings_;
  std::string summary_;
};

}  // namespace xpu_align
