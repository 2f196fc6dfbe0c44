#include "pipeline/stage_pace.h"

#include "unit/pipeline/execute_world.h"

namespace xpu_align {
namespace {

TEST(StagePace, WithoutABudgetThereIsAlwaysTime) {
  VirtualClock clock;
  const StagePace pace(clock, 0);
  clock.monotonic_millis = 1'000'000'000;
  EXPECT_TRUE(pace.HasTimeFor(420'000));
}

TEST(StagePace, ALimitFitsToTheLastMillisecond) {
  VirtualClock clock;
  clock.monotonic_millis = 7'000;  // the stage does not begin with the machine
  const StagePace pace(clock, 600'000);
  EXPECT_TRUE(pace.HasTimeFor(600'000));
  EXPECT_FALSE(pace.HasTimeFor(600'001));
  clock.monotonic_millis += 480'000;
  EXPECT_TRUE(pace.HasTimeFor(120'000));
  EXPECT_FALSE(pace.HasTimeFor(420'000));
}

TEST(StagePace, AKindThatWasNotMeasuredHasNoEstimate) {
  VirtualClock clock;
  StagePace pace(clock, 0);
  EXPECT_EQ(pace.Left(1, 0), std::nullopt);
  EXPECT_EQ(pace.Left(0, 0), 0);
  pace.Measured(CompileUse::kEager, 4'000);
  pace.Measured(CompileUse::kEager, 8'000);
  EXPECT_EQ(pace.Left(3, 0), 18'000);
  EXPECT_EQ(pace.Left(3, 1), std::nullopt);
  pace.Measured(CompileUse::kCompiled, 60'000);
  EXPECT_EQ(pace.Left(3, 2), 138'000);
}

}  // namespace
}  // namespace xpu_align
