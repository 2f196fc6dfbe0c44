#include "pipeline/preflight.h"

#include "unit/pipeline/execute_world.h"

namespace xpu_align {
namespace {

class PreflightTest : public testing::Test {
 protected:
  PreflightTest() {
    settings_.target.name = settings_.target.device = "xpu";
    settings_.isolation = Isolation::kProcess;
    runner_.probe = InterpreterFacts{"3.12.3", "2.15.0.dev20261129+xpu", "abc", "Arc", true, {}};
    clock_.now_seconds = 1'796'040'000;  // 2026-11-30T12:00:00Z
  }
  Result<InterpreterFacts> Run() { return Preflight(settings_, store_, runner_, clock_, progress_); }
  Json Environment() { return *ParseJson(store_.files.at("artifacts/environment.json")); }

  PreflightSettings settings_;
  MemoryStore store_;
  StrictRunner runner_;
  VirtualClock clock_;
  SilentProgress progress_;
};

TEST_F(PreflightTest, HealthyMachine) {
  runner_.Expect("collect_env.py target verdict process", Exited(0, "PyTorch version: 2.15\n"));
  ASSERT_TRUE(Run());
  EXPECT_EQ(store_.files["artifacts/collect_env.txt"], "PyTorch version: 2.15\n");
  EXPECT_EQ(Environment().StringOr("sandbox_level"), "namespaces+landlock+seccomp");
  EXPECT_EQ(Environment().StringOr("torch_version"), "2.15.0.dev20261129+xpu");
  EXPECT_EQ(Environment().StringOr("isolation"), "process");
  EXPECT_EQ(Environment().ArrayOf("checks").size(), 6u);
  EXPECT_TRUE(progress_.warnings.empty());
}

TEST_F(PreflightTest, OldNightlyOnlyWarns) {
  clock_.now_seconds += 10 * 86'400;
  runner_.Expect("collect_env.py target verdict process", Exited(1));
  ASSERT_TRUE(Run());
  EXPECT_EQ(progress_.warnings.size(), 2u);  // and collect_env failed
  EXPECT_TRUE(progress_.warnings[0].starts_with("nightly is fresh: 11 days old")) << progress_.warnings[0];
}

TEST_F(PreflightTest, AnOldNightlyNamesTheCommandThatMakesItNew) {
  settings_.nightly_max_age_days = 0;
  settings_.upgrade_command = "pip install it";
  runner_.Expect("collect_env.py target verdict process", Exited(0));
  ASSERT_TRUE(Run());
  EXPECT_EQ(progress_.warnings, std::vector<std::string>{"nightly is fresh: 1 days old; pip install it"});
}

TEST_F(PreflightTest, ANightlyOfTheLastDayThatIsAllowedIsFresh) {
  settings_.nightly_max_age_days = 1;
  runner_.Expect("collect_env.py target verdict process", Exited(0));
  ASSERT_TRUE(Run());
  EXPECT_TRUE(progress_.warnings.empty());
}

TEST_F(PreflightTest, AReleaseHasNoAge) {
  settings_.nightly_max_age_days = 0;
  runner_.probe->torch_version = "2.14.1+debian";
  runner_.Expect("collect_env.py target verdict process", Exited(0));
  ASSERT_TRUE(Run());
  for (const Json& check : Environment().ArrayOf("checks")) EXPECT_NE(check.StringOr("name"), "nightly is fresh");
}

TEST_F(PreflightTest, AFullDiskEndsItBeforeTheSandboxIsAsked) {
  settings_.free_bytes = (uint64_t{1} << 30) - 1;
  EXPECT_EQ(Run().error().kind, ErrorKind::kFileSystem);
  EXPECT_EQ(Environment().ArrayOf("checks").size(), 1u);
  EXPECT_EQ(Environment().ArrayOf("checks")[0].StringOr("remedy"),
            "make room, or choose another --workspace; 1024 MiB are needed");
  settings_.free_bytes = uint64_t{1} << 30;
  runner_.Expect("collect_env.py target verdict process", Exited(0));
  EXPECT_TRUE(Run());
}

TEST_F(PreflightTest, AnInterpreterThatDoesNotRunNamesTheRemedy) {
  runner_.probe = Fail(ErrorKind::kDevice, "the interpreter does not start");
  const auto result = Run();
  EXPECT_EQ(result.error().kind, ErrorKind::kDevice);
  EXPECT_TRUE(result.error().message.contains("python -m venv .venv")) << result.error().message;
}

TEST_F(PreflightTest, WhatAnUpgradeChangedIsWrittenDown) {
  settings_.upgrade = Json().Set("index_url", "https://index");
  runner_.Expect("collect_env.py target verdict process", Exited(0));
  ASSERT_TRUE(Run());
  EXPECT_EQ(Environment()["upgrade"].StringOr("index_url"), "https://index");
}

TEST_F(PreflightTest, FailuresNameTheRemedyAndAreWrittenDown) {
  settings_.target.other = Json().Set("remedies", Json().Set("device", "load the runtime"));
  runner_.probe->device_available = false;
  const auto no_device = Run();
  EXPECT_EQ(no_device.error().kind, ErrorKind::kDevice);
  EXPECT_EQ(no_device.error().message, "preflight: not so: device available; load the runtime");
  EXPECT_FALSE(Environment().ArrayOf("checks").back().BoolOr("passed", true));

  runner_.probe->torch_version.clear();
  runner_.probe->import_error = UntrustedText("ModuleNotFoundError: No module named 'torch'");
  EXPECT_EQ(
      Run().error().message,
      "preflight: not so: torch imports (ModuleNotFoundError: No module named 'torch'); reinstall torch for the target "
      "into this interpreter's environment");

  runner_.self_test = Fail(ErrorKind::kSandbox, "no namespaces");
  EXPECT_EQ(Run().error().kind, ErrorKind::kSandbox);
  EXPECT_EQ(Environment().StringOr("sandbox_level", "none"), "");
}

class ForkServerSelfTest : public PreflightTest {
 protected:
  ForkServerSelfTest() { settings_.isolation.reset(); }
  void Expect(const char* child, AttemptResult result) {
    runner_.Expect(std::string(child) + " target verdict fork-server", std::move(result));
  }
  void ExpectCollectEnv() { runner_.Expect("collect_env.py target verdict process", Exited(0)); }
};

TEST_F(ForkServerSelfTest, ThreeGoodChildrenDecideForIt) {
  Expect("fork_healthy.py", Exited(0));
  Expect("fork_dies.py", Ended(OutcomeKind::kSignalled, "SIGABRT"));
  Expect("fork_after.py", Exited(0));
  ExpectCollectEnv();
  ASSERT_TRUE(Run());
  EXPECT_EQ(Environment().StringOr("isolation"), "fork-server");
  EXPECT_TRUE(progress_.warnings.empty());
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(runner_.requests[i].script.contains("device=\"xpu\""));
}

TEST_F(ForkServerSelfTest, AChildThatCannotUseTheDeviceDecidesAgainstIt) {
  Expect("fork_healthy.py", Exited(1, "", "RuntimeError"));
  ExpectCollectEnv();
  ASSERT_TRUE(Run());
  EXPECT_EQ(Environment().StringOr("isolation"), "process");
  ASSERT_EQ(progress_.warnings.size(), 1u);
  EXPECT_EQ(progress_.warnings[0], "fork server self-test: fork_healthy.py: RuntimeError: m; each script gets a "
                                   "fresh interpreter, which is slower");
}

TEST_F(ForkServerSelfTest, ADeathThatHarmsTheNextChildDecidesAgainstIt) {
  Expect("fork_healthy.py", Exited(0));
  Expect("fork_dies.py", Ended(OutcomeKind::kSignalled, "SIGABRT"));
  Expect("fork_after.py", Ended(OutcomeKind::kTimedOut));
  ExpectCollectEnv();
  ASSERT_TRUE(Run());
  EXPECT_EQ(Environment().StringOr("isolation"), "process");
}

TEST_F(ForkServerSelfTest, ASurvivorOfItsOwnAbortDecidesAgainstIt) {
  Expect("fork_healthy.py", Exited(0));
  Expect("fork_dies.py", Exited(0));
  ExpectCollectEnv();
  ASSERT_TRUE(Run());
  EXPECT_EQ(Environment().StringOr("isolation"), "process");
}

}  // namespace
}  // namespace xpu_align
