#include "app/stream_progress.h"

#include <gtest/gtest.h>

#include <sstream>

namespace xpu_align {
namespace {

class HandClock : public Clock {
 public:
  int64_t NowSeconds() override { return 0; }
  int64_t MonotonicMillis() override { return now; }
  Status SleepMillis(int64_t) override { return {}; }
  int64_t now = 0;
};

class StreamProgressTest : public testing::Test {
 protected:
  void Begin(ProgressStyle style) { progress_ = MakeStreamProgress(stream_, style, clock_); }
  std::string Said() {
    std::string text = stream_.str();
    stream_.str("");
    return text;
  }
  // As the sandbox does it while a script runs.
  void Wait(int64_t millis) {
    for (const int64_t end = clock_.now + millis; clock_.now < end; clock_.now += 500) progress_->Tick();
    progress_->Tick();
  }

  std::ostringstream stream_;
  HandClock clock_;
  std::unique_ptr<Progress> progress_;
};

TEST_F(StreamProgressTest, OneScriptThatTakesLongIsSeenEveryThirtySeconds) {
  Begin(ProgressStyle::kPlain);
  progress_->StageStarted("execute", 3);
  EXPECT_EQ(Said(), "execute: 3 to do\n");
  progress_->Working("issue-1", 120'000);
  Wait(95'000);
  EXPECT_EQ(Said(),
            "execute 0/3  issue-1, 30.0 s of at most 120.0 s\n"
            "execute 0/3  issue-1, 60.0 s of at most 120.0 s\n"
            "execute 0/3  issue-1, 90.0 s of at most 120.0 s\n");
  progress_->Step("issue-1");
  Wait(60'000);  // nothing is being done: nothing is said
  EXPECT_EQ(Said(), "");
}

TEST_F(StreamProgressTest, TheStagesOwnEstimateReplacesTheOneFromSteps) {
  Begin(ProgressStyle::kPlain);
  progress_->StageStarted("execute", 4);
  clock_.now = 20'000;
  progress_->Step("issue-1");
  EXPECT_EQ(Said(), "execute: 4 to do\nexecute 1/4, about 60.0 s left  issue-1\n");
  progress_->Left(std::nullopt);  // it knows that it does not know
  clock_.now = 40'000;
  progress_->Step("issue-2");
  EXPECT_EQ(Said(), "execute 2/4  issue-2\n");
  progress_->Left(840'000);
  clock_.now = 60'000;
  progress_->Step("issue-3");
  EXPECT_EQ(Said(), "execute 3/4, about 840.0 s left  issue-3\n");
}

TEST_F(StreamProgressTest, JsonHasHeartbeatsToo) {
  Begin(ProgressStyle::kJson);
  progress_->StageStarted("execute", 1);
  Said();
  progress_->Left(5'000);
  progress_->Working("issue-1", 0);
  Wait(30'000);
  EXPECT_EQ(Said(),
            "{\"done\":0,\"event\":\"heartbeat\",\"left_millis\":5000,\"stage\":\"execute\",\"text\":\"issue-1, 30.0 s\","
            "\"total\":1}\n");
}

}  // namespace
}  // namespace xpu_align
