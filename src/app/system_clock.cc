#include "app/system_clock.h"

#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

namespace xpu_align {
namespace {

std::atomic<bool> stop_requested{false};  // the one global: signal handlers have no other place

class SystemClock : public Clock {
 public:
  explicit SystemClock(std::optional<int64_t> fixed) : fixed_(fixed) {}

  int64_t NowSeconds() override {
    if (fixed_) return *fixed_;
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  }
  int64_t MonotonicMillis() override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  Status SleepMillis(int64_t millis) override {
    const int64_t end = MonotonicMillis() + millis;
    for (int64_t left = millis; left > 0; left = end - MonotonicMillis()) {
      if (StopRequested()) return Fail(ErrorKind::kCancelled, "interrupted while waiting");
      std::this_thread::sleep_for(std::chrono::milliseconds(std::min<int64_t>(left, 200)));
    }
    return {};
  }

 private:
  std::optional<int64_t> fixed_;
};

}  // namespace

std::unique_ptr<Clock> MakeSystemClock(const std::string& source_date_epoch) {
  int64_t seconds = 0;
  const char* end = source_date_epoch.data() + source_date_epoch.size();
  if (source_date_epoch.empty() || std::from_chars(source_date_epoch.data(), end, seconds).ptr != end)
    return std::make_unique<SystemClock>(std::nullopt);
  return std::make_unique<SystemClock>(seconds);
}

void CatchStopSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop_requested = true; };
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool StopRequested() { return stop_requested; }

}  // namespace xpu_align
