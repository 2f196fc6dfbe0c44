// What execute does about a device: canaries, health checks, strikes, the budget of the stage.
#include "unit/pipeline/execute_fixture.h"

namespace xpu_align {
namespace {

TEST_F(ExecuteTest, CrashIsFollowedByCanariesAndTheRunGoesOn) {
  Add("issue-1");
  Add("issue-2");
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Ended(OutcomeKind::kSignalled, "SIGSEGV"));
  ExpectHealthy();
  runner_.Expect("repro_issue-1.py target verdict process", Ended(OutcomeKind::kSignalled, "SIGSEGV"));
  ExpectHealthy();
  runner_.Expect("repro_issue-1.py cpu verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-1.py target proof fork-server", Ended(OutcomeKind::kSignalled, "SIGSEGV"));
  ExpectHealthy();
  runner_.Expect("repro_issue-2.py target verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-2.py target proof fork-server", Exited(0));
  const auto summary = Run();
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->ran, 2u);
  EXPECT_EQ(EvidenceOf("issue-1").incident, "");
}

TEST_F(ExecuteTest, DeviceThatDoesNotComeBackHoldsTheRest) {
  Add("issue-1");
  Add("issue-2");
  ExpectCanaries();
  AttemptResult hung = Ended(OutcomeKind::kTimedOut);
  hung.output = "so far\n";
  runner_.Expect("repro_issue-1.py target verdict fork-server", hung);
  for (int i = 0; i < 4; ++i) runner_.Expect("canary_eager.py target verdict process", Exited(1, "", "RuntimeError"));
  const auto done = Run();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::kDevice);
  EXPECT_EQ(done.error().message, "the canary 'eager' fails: RuntimeError: m; 2 candidates wait for a healthy device");
  EXPECT_EQ(clock_.slept, (std::vector<int64_t>{2'000, 10'000, 30'000}));
  EXPECT_EQ(EvidenceOf("issue-1").incident, "the canary 'eager' fails: RuntimeError: m");
  for (const char* id : {"issue-1", "issue-2"}) {
    EXPECT_EQ(Row(id).hold, "the canary 'eager' fails: RuntimeError: m");
    EXPECT_EQ(Row(id).evidence_sha256, "");
  }
  EXPECT_EQ(EvidenceOf("issue-1").attempts.size(), 1u);  // no second attempt on a sick device
  EXPECT_EQ(store_.files["artifacts/output_issue-1.log"], "so far\n");
  // The next run starts over with both; the one that hung is last.
  ExpectCanaries();
  for (const char* id : {"issue-2", "issue-1"}) ExpectCleanRun(id);
  EXPECT_EQ(Run()->ran, 2u);
  EXPECT_EQ(Row("issue-1").hold, "");
}

TEST_F(ExecuteTest, BrokenCompilerHoldsCompiledScriptsOnly) {
  Add("issue-1", CompileUse::kCompiled);
  Add("issue-2");
  runner_.Expect("canary_import.py target verdict process", Exited(0));
  runner_.Expect("canary_eager.py target verdict process", Exited(0));
  for (int i = 0; i < 2; ++i)
    runner_.Expect("canary_compiled.py target verdict process", Exited(1, "", "InductorError"));
  runner_.Expect("repro_issue-2.py target verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-2.py target proof fork-server", Exited(0));
  EXPECT_EQ(Run().error().kind, ErrorKind::kDevice);
  EXPECT_TRUE(clock_.slept.empty());  // unlike a device, a compiler does not get better by waiting
  EXPECT_EQ(Row("issue-1").hold, "the canary 'compiled' fails: InductorError: m");
  EXPECT_EQ(Row("issue-2").hold, "");
  EXPECT_NE(Row("issue-2").evidence_sha256, "");
}

TEST_F(ExecuteTest, BrokenCompilerIsNotAskedAgain) {
  Add("issue-1", CompileUse::kCompiled);
  Add("issue-2");
  runner_.Expect("canary_import.py target verdict process", Exited(0));
  runner_.Expect("canary_eager.py target verdict process", Exited(0));
  for (int i = 0; i < 2; ++i)
    runner_.Expect("canary_compiled.py target verdict process", Exited(1, "", "InductorError"));
  for (const char* isolation : {"fork-server", "process"}) {
    runner_.Expect(std::string("repro_issue-2.py target verdict ") + isolation, Ended(OutcomeKind::kSignalled, "SIGSEGV"));
    ExpectHealthy();
  }
  runner_.Expect("repro_issue-2.py cpu verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-2.py target proof fork-server", Ended(OutcomeKind::kSignalled, "SIGSEGV"));
  ExpectHealthy();
  EXPECT_EQ(Run().error().kind, ErrorKind::kDevice);
}

TEST_F(ExecuteTest, TargetWithoutACompilerHasNoCanaryForIt) {
  target_.has_compiler = false;
  Add("issue-1", CompileUse::kCompiled);
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(0));
  ASSERT_TRUE(Run());
}

TEST_F(ExecuteTest, CrashOnTheReferenceAsksOnlyTheEagerCanaries) {
  target_.is_reference = true;
  PreflightDecides(Isolation::kProcess);
  Add("issue-1", CompileUse::kCompiled);
  ExpectCanaries(true);
  for (int i = 0; i < 2; ++i)
    runner_.Expect("repro_issue-1.py target verdict process", Ended(OutcomeKind::kSignalled, "SIGSEGV"));
  runner_.Expect("repro_issue-1.py eager verdict process TORCH_COMPILE_DISABLE=1", Exited(0));
  ExpectHealthy();
  ASSERT_TRUE(Run());
}

TEST_F(ExecuteTest, SecondHangEndsDeviceWorkWithACheckpoint) {
  for (const char* id : {"issue-1", "issue-2", "issue-3"}) Add(id);
  ExpectCanaries();
  for (const std::string id : {"issue-1", "issue-2"}) {
    runner_.Expect("repro_" + id + ".py target verdict fork-server", Ended(OutcomeKind::kTimedOut));
    ExpectHealthy();
    runner_.Expect("repro_" + id + ".py target verdict process", Ended(OutcomeKind::kTimedOut));
    ExpectHealthy();
    runner_.Expect("repro_" + id + ".py cpu verdict fork-server", Exited(0));
    runner_.Expect("repro_" + id + ".py target proof fork-server", Ended(OutcomeKind::kTimedOut));
    ExpectHealthy();
  }
  const auto summary = Run();
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->ran, 2u);
  EXPECT_EQ(summary->held, 1u);
  EXPECT_EQ(Row("issue-3").hold, "a second candidate hung on the device; device work ended for this run");
}

TEST_F(ExecuteTest, TheOwnersCommandRunsOnceBeforeTheLastTry) {
  Add("issue-1");
  size_t tries_before = 0;
  recover_ = [&]() -> Status {
    tries_before = runner_.requests.size();
    return {};
  };
  runner_.Expect("canary_import.py target verdict process", Exited(0));
  for (int i = 0; i < 3; ++i) runner_.Expect("canary_eager.py target verdict process", Exited(1, "", "RuntimeError"));
  runner_.Expect("canary_eager.py target verdict process", Exited(0));
  ExpectCleanRun("issue-1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(tries_before, 4u);
  EXPECT_EQ(clock_.slept, (std::vector<int64_t>{2'000, 10'000, 30'000}));
}

class FallbackControlTest : public ExecuteTest {
 protected:
  FallbackControlTest() {
    target_.other.Set("fallback_control", Json()
                                              .Set("expressions", Json().Append("torch.linalg.eig(x)"))
                                              .Set("operators", Json().Append("aten::linalg_eig")));
    Add("issue-1");
    ExpectCanaries();
  }
  CanaryResult RunWith(const std::vector<std::string>& found, const char* how) {
    AttemptResult control = Exited(0);
    control.report.fallback_operators = found;
    Json fallbacks = Json::EmptyObject();
    for (const std::string& name : found) fallbacks.Set(name, how);
    control.report.other.Set("fallbacks", fallbacks);
    runner_.Expect("canary_fallback_control.py target proof process", control);
    ExpectCleanRun("issue-1");
    EXPECT_EQ(Run()->ran, 1u);  // a detector that fails is no reason to stop
    return EvidenceOf("issue-1").canaries.at(2);
  }
};

TEST_F(FallbackControlTest, AKnownFallbackThatIsSeenPasses) {
  const CanaryResult control = RunWith({"aten::linalg_eig"}, "registration");
  EXPECT_EQ(control.name, "fallback-control");
  EXPECT_TRUE(control.passed);
  EXPECT_TRUE(progress_.warnings.empty());
  EXPECT_TRUE(runner_.requests[2].script.contains("    torch.linalg.eig(x)\n"));
}

TEST_F(FallbackControlTest, AKnownFallbackThatIsMissedTakesTheTrust) {
  EXPECT_FALSE(RunWith({}, "").passed);
  EXPECT_EQ(progress_.warnings.size(), 1u);
}

TEST_F(FallbackControlTest, TheListOfNamesAloneProvesNothing) {
  EXPECT_FALSE(RunWith({"aten::linalg_eig"}, "list").passed);
}

TEST_F(FallbackControlTest, ADetectorThatSuspectsEverythingIsNone) {
  EXPECT_FALSE(RunWith({"aten::add.Tensor", "aten::linalg_eig"}, "registration").passed);
}

class StageBudgetTest : public ExecuteTest {
 protected:
  StageBudgetTest() {
    Add("issue-1");
    Add("issue-2");
    runner_.on_run = [this](const AttemptRequest& request) {
      if (request.file_name.starts_with("repro_")) clock_.monotonic_millis += 50'000;
    };
  }
};

TEST_F(StageBudgetTest, WhatWouldNotFitWaitsForTheNextRun) {
  budget_millis_ = 200'000;
  ExpectCanaries();
  ExpectCleanRun("issue-1");  // ends at 100 s; another attempt could last until 220 s
  const auto summary = Run();
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->ran, 1u);
  EXPECT_EQ(summary->held, 1u);
  EXPECT_EQ(summary->stopped, "the stage budget of 200 s has no room for an attempt of up to 120 s");
  EXPECT_EQ(Row("issue-2").hold, summary->stopped);
  EXPECT_FALSE(store_.files.contains("artifacts/evidence/issue-2.json"));
  EXPECT_EQ(progress_.notes, std::vector<std::string>{"took longest: issue-1 100 s"});

  clock_.monotonic_millis = 0;
  ExpectCanaries();
  ExpectCleanRun("issue-2");
  const auto rest = Run();
  EXPECT_EQ(rest->ran, 1u);
  EXPECT_EQ(rest->resumed, 1u);
  EXPECT_EQ(rest->stopped, "");
  EXPECT_EQ(Row("issue-2").hold, "");
}

TEST_F(StageBudgetTest, WhoWasInterruptedGoesAfterWhoHasNotBegun) {
  budget_millis_ = 150'000;
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(0));
  EXPECT_EQ(Run()->held, 2u);
  EXPECT_EQ(Row("issue-1").evidence_sha256, "");
  EXPECT_NE(EvidenceOf("issue-1").incident, "");

  budget_millis_ = 0;
  ExpectCanaries();
  ExpectCleanRun("issue-2");
  ExpectCleanRun("issue-1");
  EXPECT_EQ(Run()->ran, 2u);
}

TEST_F(StageBudgetTest, ShorterOnesStillFit) {
  Add("issue-1", CompileUse::kCompiled);
  budget_millis_ = 300'000;  // less than the 420 s of a script that compiles
  ExpectCanaries(true);
  ExpectCleanRun("issue-2");
  const auto summary = Run();
  EXPECT_EQ(summary->ran, 1u);
  EXPECT_EQ(summary->held, 1u);
}

TEST_F(StageBudgetTest, ProgressSaysWhatRunsAndHowLongTheRestWillTake) {
  ExpectCanaries();
  ExpectCleanRun("issue-1");
  ExpectCleanRun("issue-2");
  ASSERT_TRUE(Run());
  EXPECT_EQ(progress_.working,
            (std::vector<std::string>{"canaries 0", "issue-1 target verdict 120000", "issue-1 target proof 120000",
                                      "issue-2 target verdict 120000", "issue-2 target proof 120000"}));
  EXPECT_EQ(progress_.left, (std::vector<std::optional<int64_t>>{std::nullopt, 100'000}));
}

TEST_F(ExecuteTest, AProcessThatCanNotBeEndedKeepsWhatWasSeen) {
  Add("issue-1");
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(1, "one", "RuntimeError"));
  runner_.Expect("repro_issue-1.py target verdict process", Fail(ErrorKind::kDevice, "can not be ended"));
  EXPECT_EQ(Run().error().message, "can not be ended; 1 candidates wait for a healthy device");
  EXPECT_EQ(EvidenceOf("issue-1").attempts.size(), 1u);
  EXPECT_EQ(EvidenceOf("issue-1").incident, "can not be ended");
  EXPECT_EQ(Row("issue-1").hold, "can not be ended");
}

TEST_F(ExecuteTest, SandboxFailureEndsTheStage) {
  Add("issue-1");
  runner_.Expect("canary_import.py target verdict process", Fail(ErrorKind::kSandbox, "no namespaces"));
  EXPECT_EQ(Run().error().kind, ErrorKind::kSandbox);
  EXPECT_TRUE(store_.appended.empty());
}

}  // namespace
}  // namespace xpu_align
