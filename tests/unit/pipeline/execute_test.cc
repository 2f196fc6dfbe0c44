#include "pipeline/execute.h"

#include "digest/sha256.h"
#include "model/schema.h"
#include "support/judge_cases.h"
#include "unit/pipeline/execute_world.h"

namespace xpu_align {
namespace {

class ExecuteTest : public testing::Test {
 protected:
  ExecuteTest() {
    target_.name = target_.device = "xpu";
    target_.module = "torch.xpu";
    target_.availability = "torch.xpu.is_available()";
    PreflightDecides(Isolation::kForkServer);
  }
  void PreflightDecides(Isolation isolation) {
    store_.files["artifacts/environment.json"] = WriteJson(Json()
                                                               .Set("schema", SchemaOf("environment"))
                                                               .Set("torch_version", "2.15")
                                                               .Set("sandbox_level", "namespaces")
                                                               .Set("isolation", Name(isolation)));
  }

  void Add(const char* id, CompileUse compile_use = CompileUse::kEager, std::optional<Refusal> refusal = std::nullopt,
           Oracle oracle = judge_cases::Exception("ValueError", "m")) {
    const auto parsed = *CandidateId::Parse(id);
    store_.rows.insert_or_assign(parsed, LedgerRow{.id = parsed, .deep_status = DeepStatus::kPass});
    Composition composition{.id = parsed};
    composition.compile_use = compile_use;
    composition.refusal = refusal;
    composition.target = target_.name;
    composition.spans = {{"body", 1, 9, std::string(64, 'c')}};
    composition.oracle = std::move(oracle);
    composition.script_sha256 = Sha256Hex(std::string("script of ") + id);
    composition.reference_script_sha256 = Sha256Hex(std::string("reference of ") + id);
    store_.files[paths::Composition(parsed)] = WriteJson(ToJson(composition));
    store_.files[paths::Script(parsed)] = std::string("script of ") + id;
    store_.files[paths::ReferenceScript(parsed)] = std::string("reference of ") + id;
  }
  void ExpectCanaries(bool compiled = false) {
    runner_.Expect("canary_import.py target verdict process", Exited(0));
    runner_.Expect("canary_eager.py target verdict process", Exited(0));
    if (compiled) runner_.Expect("canary_compiled.py target verdict process", Exited(0));
  }
  void ExpectHealthy() { runner_.Expect("canary_eager.py target verdict process", Exited(0)); }
  void ExpectCleanRun(const std::string& id) {
    runner_.Expect("repro_" + id + ".py target verdict fork-server", Exited(0));
    runner_.Expect("repro_" + id + ".py target proof fork-server", Exited(0));
  }
  Result<ExecuteSummary> Run() {
    const Judge judge = judge_cases::MakeJudge(target_);
    return Execute({judge, attempts_, asked_for_, budget_millis_, recover_}, store_, runner_, clock_, progress_);
  }
  const LedgerRow& Row(const char* id) { return store_.rows.at(*CandidateId::Parse(id)); }
  Evidence EvidenceOf(const std::string& id) {
    return *EvidenceFromJson(*ParseJson(store_.files.at("artifacts/evidence/" + id + ".json")));
  }
  std::vector<std::string> Kinds(const Evidence& evidence) {
    std::vector<std::string> kinds;
    for (const Attempt& a : evidence.attempts)
      kinds.push_back(std::string(Name(a.arm)) + " " + std::string(Name(a.role)) + std::to_string(a.number) + " " +
                      a.isolation);
    return kinds;
  }

  TargetProfile target_;
  AttemptSettings attempts_;
  std::optional<Isolation> asked_for_;
  int64_t budget_millis_ = 0;
  std::function<Status()> recover_;
  MemoryStore store_;
  StrictRunner runner_;
  VirtualClock clock_;
  SilentProgress progress_;
};

TEST_F(ExecuteTest, PassingScriptRunsOnceAndIsProved) {
  Add("issue-1");
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(0, "RESULT: not-reproduced\n"));
  runner_.Expect("repro_issue-1.py target proof fork-server", Exited(0));
  const auto summary = Run();
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->ran, 1u);
  const Evidence evidence = EvidenceOf("issue-1");
  EXPECT_EQ(Kinds(evidence), (std::vector<std::string>{"target verdict1 fork-server", "target proof1 fork-server"}));
  ASSERT_EQ(evidence.canaries.size(), 3u);
  EXPECT_EQ(evidence.canaries[2].detail, "not available: the target has no CPU fallback");
  EXPECT_EQ(evidence.sandbox_level, "namespaces");
  EXPECT_EQ(evidence.attempts[0].device_counters, "not available");
  EXPECT_EQ(evidence.attempts[0].script_sha256, Sha256Hex("script of issue-1"));
  EXPECT_EQ(Row("issue-1").evidence_sha256, Sha256Hex(store_.files["artifacts/evidence/issue-1.json"]));
  EXPECT_EQ(Row("issue-1").local_status, LocalStatus::kPending);
  EXPECT_EQ(store_.files["artifacts/output_issue-1.log"], "RESULT: not-reproduced\n");
  EXPECT_TRUE(store_.files.contains("artifacts/output_issue-1.proof1.log"));
  EXPECT_FALSE(store_.files["artifacts/evidence/issue-1.json"].contains("duration"));
  EXPECT_EQ(
      (*ParseJson(store_.files["artifacts/timing.json"]))["execute"].ArrayOf("issue-1")[0].IntOr("duration_millis"),
      12);
}

TEST_F(ExecuteTest, FailureIsRepeatedFreshAndComparedWithTheCpu) {
  Add("issue-1");
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(1, "one", "RuntimeError"));
  runner_.Expect("repro_issue-1.py target verdict process", Exited(1, "two", "RuntimeError"));
  runner_.Expect("repro_issue-1.py cpu verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-1.py target proof fork-server", Exited(1));
  ASSERT_TRUE(Run());
  EXPECT_EQ(runner_.requests[4].script, "reference of issue-1");
  EXPECT_EQ(store_.files["artifacts/output_issue-1.log"], "one");  // what the judge reads
  EXPECT_EQ(store_.files["artifacts/output_issue-1.target2.log"], "two");
}

TEST_F(ExecuteTest, ThirdAttemptWhenTwoDisagree) {
  Add("issue-1");
  target_.is_reference = true;
  PreflightDecides(Isolation::kProcess);
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict process", Exited(1, "1", "ValueError"));
  runner_.Expect("repro_issue-1.py target verdict process", Exited(0, "2"));
  runner_.Expect("repro_issue-1.py target verdict process", Exited(1, "3", "ValueError"));
  ASSERT_TRUE(Run());
  EXPECT_EQ(EvidenceOf("issue-1").attempts.size(), 3u);  // the reference target has neither CPU arm nor proof
  EXPECT_EQ(store_.files["artifacts/output_issue-1.log"], "1");
  EXPECT_EQ(EvidenceOf("issue-1").attempts[0].log, "artifacts/output_issue-1.log");
}

TEST_F(ExecuteTest, ScriptThatSaysConfirmedLooksFailed) {
  Add("issue-1");
  target_.is_reference = true;
  PreflightDecides(Isolation::kProcess);
  AttemptResult mismatch = Exited(0);
  mismatch.report.result_line = "confirmed";
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict process", mismatch);
  runner_.Expect("repro_issue-1.py target verdict process", mismatch);
  ASSERT_TRUE(Run());
}

TEST_F(ExecuteTest, CompiledFailureGetsTheEagerArmAndNeverAProof) {
  Add("issue-1", CompileUse::kCompiled);
  ExpectCanaries(true);
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(1, "", "RuntimeError"));
  runner_.Expect("repro_issue-1.py target verdict process", Exited(1, "", "RuntimeError"));
  runner_.Expect("repro_issue-1.py cpu verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-1.py eager verdict process TORCH_COMPILE_DISABLE=1", Exited(0));
  ASSERT_TRUE(Run());
  EXPECT_EQ(runner_.requests[3].timeout_millis, 420'000);
}

TEST_F(ExecuteTest, RefusedRejectedFollowingAndScriptlessRowsDoNotRun) {
  Add("issue-1", CompileUse::kEager, Refusal::kPerfOnly);
  Add("issue-2");
  store_.rows.at(*CandidateId::Parse("issue-2")).deep_status = DeepStatus::kReject;
  Add("issue-3");
  store_.files.erase("scripts/repro_issue-3.py");
  Add("issue-4");
  store_.rows.at(*CandidateId::Parse("issue-4")).chain = Chain{"issue-1", "pr-9", {"issue-4", "pr-9"}};
  const auto summary = Run();
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->ran, 0u);
}

TEST_F(ExecuteTest, ResumeKeepsEvidenceOfTheSameScriptOnly) {
  Add("issue-1");
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-1.py target proof fork-server", Exited(0));
  ASSERT_TRUE(Run());
  const std::string first = store_.files["artifacts/evidence/issue-1.json"];
  store_.rows.at(*CandidateId::Parse("issue-1")).evidence_sha256.clear();  // killed between evidence and ledger
  EXPECT_EQ(Run()->resumed, 1u);
  EXPECT_EQ(Row("issue-1").evidence_sha256, Sha256Hex(first));
  EXPECT_EQ(Run()->resumed, 1u);
  EXPECT_EQ(store_.appended, (std::vector<std::string>{"issue-1", "issue-1"}));  // the mended row, not again

  store_.files["scripts/repro_issue-1.py"] = "another";
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-1.py target proof fork-server", Exited(0));
  EXPECT_EQ(Run()->ran, 1u);
}

TEST_F(ExecuteTest, EqualBehaviourGivesEqualBytes) {
  std::string bytes[2];
  const char* outputs[] = {"at 0x7f00deadbeef after 1.5 s\n", "at 0x7e00cafecafe after 2.25 s\n"};
  for (int i = 0; i < 2; ++i) {
    store_.files.erase("artifacts/evidence/issue-1.json");
    Add("issue-1");
    ExpectCanaries();
    runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(0, outputs[i]));
    runner_.Expect("repro_issue-1.py target proof fork-server", Exited(0));
    ASSERT_TRUE(Run());
    bytes[i] = store_.files["artifacts/evidence/issue-1.json"];
  }
  EXPECT_EQ(bytes[0], bytes[1]);
  EXPECT_EQ(EvidenceOf("issue-1").attempts[0].tail, UntrustedText("at <address> after <duration>\n"));
}

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

TEST_F(ExecuteTest, CleanRunThatIsTheFindingIsRepeatedAndCompared) {
  AttemptResult clean = Exited(0);
  clean.report.live_tensors["xpu"] = 1;
  Add("issue-1", CompileUse::kEager, std::nullopt, judge_cases::OfKind(OracleKind::kMissingError));
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", clean);
  runner_.Expect("repro_issue-1.py target proof fork-server", Exited(0));
  runner_.Expect("repro_issue-1.py target verdict process", clean);
  runner_.Expect("repro_issue-1.py cpu verdict fork-server", Exited(1, "", "ValueError"));
  ASSERT_TRUE(Run());
  EXPECT_EQ(Kinds(EvidenceOf("issue-1")),
            (std::vector<std::string>{"target verdict1 fork-server", "target proof1 fork-server", "target verdict2 process",
                                      "cpu verdict1 fork-server"}));
}

TEST_F(ExecuteTest, ThreeRunsAreTheMost) {
  target_.is_reference = true;
  PreflightDecides(Isolation::kProcess);
  const auto prints = [](const char* text) { return Exited(0, text); };
  Add("issue-1", CompileUse::kEager, std::nullopt, judge_cases::OfKind(OracleKind::kComparison, "equal: False"));
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict process", prints("equal: False\n"));
  runner_.Expect("repro_issue-1.py target verdict process", prints("equal: True\n"));
  runner_.Expect("repro_issue-1.py target verdict process", prints("equal: True\n"));
  ASSERT_TRUE(Run());
  EXPECT_EQ(EvidenceOf("issue-1").attempts.size(), 3u);
}

TEST_F(ExecuteTest, FallbackToProcessesIsSaidOnceAndInEveryEvidence) {
  Add("issue-1");
  Add("issue-2");
  AttemptResult result = Exited(0);
  result.isolation_reason = "the fork server did not start: the imports left 3 threads";
  ExpectCanaries();
  for (const std::string id : {"issue-1", "issue-2"}) {
    runner_.Expect("repro_" + id + ".py target verdict fork-server", result);
    runner_.Expect("repro_" + id + ".py target proof fork-server", result);
  }
  ASSERT_TRUE(Run());
  EXPECT_EQ(progress_.notes, (std::vector<std::string>{"a fresh process for each script: " + result.isolation_reason}));
  for (const char* id : {"issue-1", "issue-2"})
    for (const Attempt& attempt : EvidenceOf(id).attempts) EXPECT_EQ(attempt.isolation_reason, result.isolation_reason);
}

TEST_F(ExecuteTest, InterruptedAttemptLeavesItsRowPending) {
  Add("issue-1");
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Fail(ErrorKind::kCancelled, "interrupted"));
  EXPECT_EQ(Run().error().kind, ErrorKind::kCancelled);
  EXPECT_TRUE(store_.appended.empty());
  EXPECT_FALSE(store_.files.contains("artifacts/evidence/issue-1.json"));
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

TEST_F(ExecuteTest, OperatorsThatFellBackAreNamed) {
  Add("issue-1");
  target_.fallback_texts = {"The operator '([^' ]+) on the XPU backend is falling back"};
  const std::string warning = "The operator 'aten::eig on the XPU backend is falling back to run on the CPU.\n";
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(0, warning + warning));
  runner_.Expect("repro_issue-1.py target proof fork-server", Exited(0));
  ASSERT_TRUE(Run());
  EXPECT_EQ(EvidenceOf("issue-1").attempts[0].report.fallback_operators, std::vector<std::string>{"aten::eig"});
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

TEST_F(ExecuteTest, AnIsolationThatWasAskedForWins) {
  asked_for_ = Isolation::kProcess;
  Add("issue-1");
  ExpectCanaries();
  runner_.Expect("repro_issue-1.py target verdict process", Exited(0));
  runner_.Expect("repro_issue-1.py target proof process", Exited(0));
  ASSERT_TRUE(Run());
  EXPECT_EQ(Kinds(EvidenceOf("issue-1")), (std::vector<std::string>{"target verdict1 process", "target proof1 process"}));
}

}  // namespace
}  // namespace xpu_align
