#include "app/stream_progress.h"

#include <algorithm>
#include <ostream>

#include "json/json.h"

namespace xpu_align {
namespace {

constexpr int64_t kTerminalMillis = 100;    // between two states of the line
constexpr int64_t kStepMillis = 15'000;     // between two lines of a log
constexpr int64_t kHeartbeatMillis = 30'000;  // without a line, while one thing takes long
constexpr int64_t kTerminalTickMillis = 1'000;

class StreamProgress : public Progress {
 public:
  StreamProgress(std::ostream& stream, ProgressStyle style, Clock& clock) : stream_(stream), style_(style), clock_(clock) {}

  void StageStarted(const std::string& stage, size_t total) override {
    stage_ = stage, total_ = total, done_ = 0;
    started_ = clock_.MonotonicMillis(), shown_ = started_;
    work_.clear();
    stage_estimates_ = false;
    if (style_ == ProgressStyle::kJson) return Event("stage-started", "");
    if (style_ == ProgressStyle::kActions) {
      stream_ << "::group::" << stage << (total ? " (" + std::to_string(total) + ")" : "") << std::endl;
    } else if (style_ == ProgressStyle::kPlain) {
      stream_ << stage << (total ? ": " + std::to_string(total) + " to do" : "") << std::endl;
    }
  }

  void Step(const std::string& what) override {
    ++done_;
    work_.clear();
    if (style_ == ProgressStyle::kJson) return Event("step", what);
    Show(what, style_ == ProgressStyle::kTerminal ? kTerminalMillis : kStepMillis);
  }

  void Working(const std::string& what, int64_t limit_millis) override {
    work_ = what, limit_ = limit_millis, work_started_ = clock_.MonotonicMillis();
    if (style_ == ProgressStyle::kTerminal) Show(what, kTerminalMillis);
  }

  void Tick() override {
    if (work_.empty()) return;
    const int64_t now = clock_.MonotonicMillis();
    std::string text = work_ + ", " + Seconds(now - work_started_);
    if (limit_ > 0) text += " of at most " + Seconds(limit_);
    const int64_t pause = style_ == ProgressStyle::kTerminal ? kTerminalTickMillis : kHeartbeatMillis;
    if (style_ != ProgressStyle::kJson) return Show(text, pause);
    if (now - shown_ < pause) return;
    shown_ = now;
    Event("heartbeat", text);
  }

  void Left(std::optional<int64_t> millis) override { stage_estimates_ = true, left_ = millis; }

  void StageFinished(const std::string& summary) override {
    work_.clear();
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

  // One line, unless the last is younger than `pause`.
  void Show(const std::string& text, int64_t pause) {
    const int64_t now = clock_.MonotonicMillis();
    if (now - shown_ < pause) return;
    shown_ = now;
    if (style_ == ProgressStyle::kTerminal) {
      stream_ << "\r\x1b[K" << Position(now) << "  " << text << std::flush;
      line_open_ = true;
    } else {
      stream_ << Position(now) << "  " << text << std::endl;
    }
  }

  std::string Position(int64_t now) const {
    std::string text = stage_ + " " + std::to_string(done_) + (total_ ? "/" + std::to_string(total_) : "");
    if (stage_estimates_) {
      if (left_) text += ", about " + Seconds(*left_) + " left";
    } else if (total_ && done_ && done_ < total_) {
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
    Json event = Json().Set("event", name).Set("stage", stage_).Set("done", done_).Set("total", total_).SetIfAny("text", text);
    if (stage_estimates_ && left_) event.Set("left_millis", *left_);
    stream_ << WriteJsonLine(event) << std::endl;
  }

  std::ostream& stream_;
  ProgressStyle style_;
  Clock& clock_;
  std::string stage_;
  size_t total_ = 0, done_ = 0;
  int64_t started_ = 0, shown_ = 0;
  std::string work_;  // what is being done now and can take long; empty: nothing
  int64_t limit_ = 0, work_started_ = 0;
  bool stage_estimates_ = false;
  std::optional<int64_t> left_;  // as the stage says
  bool line_open_ = false;
};

}  // namespace

std::unique_ptr<Progress> MakeStreamProgress(std::ostream& stream, ProgressStyle style, Clock& clock) {
  return std::make_unique<StreamProgress>(stream, style, clock);
}

}  // namespace xpu_align
