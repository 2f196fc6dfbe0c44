#include "unit/pipeline/execute_fixture.h"

namespace xpu_align {
namespace {



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
  EXPECT_EQ(evidence.attempts[0].script_sha256, Sha256Hex("script of issue-1"));
  EXPECT_EQ(Row("issue-1").evidence_sha256, Sha256Hex(store_.files["artifacts/evidence/issue-1.json"]));
  EXPECT_EQ(Row("issue-1").local_status, LocalStatus::kPending);
  EXPECT_EQ(store_.files["artifacts/output_issue-1.log"], "RESULT: not-reproduced\n");
  EXPECT_TRUE(store_.files.contains("artifacts/output_issue-1.proof1.log"));
  EXPECT_FALSE(store_.files["artifacts/evidence/issue-1.json"].contains("duration"));
  const Json timing = (*ParseJson(store_.files["artifacts/timing.json"]))["execute"].ArrayOf("issue-1")[0];
  EXPECT_EQ(timing.IntOr("duration_millis"), 12);
  EXPECT_EQ(timing.StringOr("device_counters"), "not available");
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

TEST_F(ExecuteTest, CachesAreKeptByTheCanaryAndGivenToFirstAttemptsOnly) {
  target_.other.Set("seed_caches", true);
  Add("issue-1", CompileUse::kCompiled);
  Add("issue-2");
  ExpectCanaries(true);
  runner_.Expect("repro_issue-1.py target verdict fork-server", Exited(1, "", "RuntimeError"));
  runner_.Expect("repro_issue-1.py target verdict process", Exited(1, "", "RuntimeError"));
  runner_.Expect("repro_issue-1.py cpu verdict fork-server", Exited(0));
  runner_.Expect("repro_issue-1.py eager verdict process TORCH_COMPILE_DISABLE=1", Exited(0));
  ExpectCleanRun("issue-2");
  ASSERT_TRUE(Run());
  std::vector<std::string_view> caches;
  for (const AttemptRequest& request : runner_.requests) caches.push_back(Name(request.caches));
  EXPECT_EQ(caches, (std::vector<std::string_view>{"empty", "empty", "kept", "seeded", "empty", "seeded", "empty", "empty",
                                                   "empty"}));
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
