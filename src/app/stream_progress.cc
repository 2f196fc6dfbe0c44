#include "app/stream_progress.h"

#include <algorithm>
#include <ostream>

#include "json/json.h"

namespace xpu_align {
namespace {

constexpr int64_t kTerminalMillis = 100;    // between two states of the line
constexpr int64_t kHeartbeatMillis = 15000;  // between two lines of a log

class StreamProgress : public Progress {
 public:
  StreamProgress(std::ostream& stream, ProgressStyle style, Clock& clock) : stream_(stream), style_(style), clock_(clock) {}

  void StageStarted(const std::string& stage, size_t total) override {
    stage_ = stage, total_ = total, done_ = 0;
    started_ = clock_.MonotonicMillis(), shown_ = started_;
    if (style_ == ProgressStyle::kJson) return Event("stage-started", "");
    if (style_ == ProgressStyle::kActions) {
      stream_ << "::group::" << stage << (total ? " (" + std::to_string(total) + ")" : "") << std::endl;
    } else if (style_ == ProgressStyle::kPlain) {
      stream_ << stage << (total ? ": " + std::to_string(total) + " to do" : "") << std::endl;
    }
  }

  void Step(const std::string& what) override {
    ++done_;
    if (style_ == ProgressStyle::kJson) return Event("step", what);
    const int64_t now = clock_.MonotonicMillis();
    const int64_t pause = style_ == ProgressStyle::kTerminal ? kTerminalMillis : kHeartbeatMillis;
    if (now - shown_ < pause) return;
    shown_ = now;
    if (style_ == ProgressStyle::kTerminal) {
      stream_ << "\r\x1b[K" << Position(now) << "  " << what << std::flush;
      line_open_ = true;
    } else {
      stream_ << Position(now) << "  " << what << std::endl;
    }
  }

  void StageFinished(const std::string& summary) override {
    if (style_ == ProgressStyle::kJson) return Event("stage-finished", summary);
    CloseLine();
    if (style_ == ProgressStyle::kActions) stream_ << "::endgroup::\n";
    stream_ << stage_ << ": " << summary << " (" << Seconds(clock_.MonotonicMillis() - started_) << ")" << std::endl;
  }

  void Note(const std::string& text) override { Say("note", text); }
  void Warn(const std::string& text) override { Say("warning", text); }

 private:
  static std::string Seconds(int64_t millis) {
    return std::to_string(millis / 1000) + "." + std::to_string(millis / 100 % 10) + " s";
  }

  std::string Position(int64_t now) const {
    std::string text = stage_ + " " + std::to_string(done_) + (total_ ? "/" + std::to_string(total_) : "");
    if (total_ && done_ && done_ < total_) {
      const auto done = static_cast<int64_t>(done_), total = static_cast<int64_t>(total_);
      text += ", about " + Seconds((now - started_) / done * (total - done)) + " left";
    }
    return text;
  }

  void Say(const std::string& level, const std::string& text) {
    if (style_ == ProgressStyle::kJson) return Event(level, text);
    CloseLine();
    const bool command = style_ == ProgressStyle::kActions && level == "warning";
    stream_ << (command ? "::warning::" : level + ": ") << text << std::endl;
  }

  void CloseLine() {
    if (line_open_) stream_ << "\r\x1b[K" << std::flush;
    line_open_ = false;
  }

  void Event(const std::string& name, const std::string& text) {
    stream_ << WriteJsonLine(Json().Set("event", name).Set("stage", stage_).Set("done", done_).Set("total", total_).SetIfAny("text", text))
            << std::endl;
  }

  std::ostream& stream_;
  ProgressStyle style_;
  Clock& clock_;
  std::string stage_;
  size_t total_ = 0, done_ = 0;
  int64_t started_ = 0, shown_ = 0;
  bool line_open_ = false;
};

}  // namespace

std::unique_ptr<Progress> MakeStreamProgress(std::ostream& stream, ProgressStyle style, Clock& clock) {
  return std::make_unique<StreamProgress>(stream, style, clock);
}

}  // namespace xpu_align
