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
  Result<ExecuteSummary> Run() {
    const Judge judge = judge_cases::MakeJudge(target_);
    return Execute({judge, attempts_, asked_for_}, store_, runner_, clock_, progress_);
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
  EXPECT_EQ(evidence.canaries.size(), 2u);
  EXPECT_EQ(evidence.sandbox_level, "namespaces");
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
  runner_.Expect("repro_issue-1.py target verdict process", Ended(OutcomeKind::kSignalled, "SIGSEGV"));
  runner_.Expect("repro_issue-1.py cpu verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-1.py target proof fork-server", Ended(OutcomeKind::kSignalled, "SIGSEGV"));
  ExpectCanaries();
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
  runner_.Expect("repro_issue-1.py target verdict fork-server", Ended(OutcomeKind::kTimedOut));
  runner_.Expect("repro_issue-1.py target verdict process", Ended(OutcomeKind::kTimedOut));
  runner_.Expect("repro_issue-1.py cpu verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-1.py target proof fork-server", Ended(OutcomeKind::kTimedOut));
  runner_.Expect("canary_import.py target verdict process", Exited(0));
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
  // The next run starts over with both.
  ExpectCanaries();
  for (const char* id : {"issue-1", "issue-2"}) {
    runner_.Expect("repro_" + std::string(id) + ".py target verdict fork-server", Exited(0));
    runner_.Expect("repro_" + std::string(id) + ".py target proof fork-server", Exited(0));
  }
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
  for (const char* isolation : {"fork-server", "process"})
    runner_.Expect(std::string("repro_issue-2.py target verdict ") + isolation, Ended(OutcomeKind::kSignalled, "SIGSEGV"));
  runner_.Expect("repro_issue-2.py cpu verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-2.py target proof fork-server", Ended(OutcomeKind::kSignalled, "SIGSEGV"));
  ExpectCanaries();
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
  ExpectCanaries();
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
    runner_.Expect("repro_" + id + ".py target verdict process", Ended(OutcomeKind::kTimedOut));
    runner_.Expect("repro_" + id + ".py cpu verdict fork-server", Exited(0));
    runner_.Expect("repro_" + id + ".py target proof fork-server", Ended(OutcomeKind::kTimedOut));
    ExpectCanaries();
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
