#include "judge/judge.h"

#include <gtest/gtest.h>

#include <set>

#include "support/judge_cases.h"

namespace xpu_align::judge_cases {
namespace {

std::vector<Case> AllCases() {
  std::vector<Case> all;
  for (auto& table : {EvidenceCases(), OutcomeCases(), IncumbentCases()}) all.insert(all.end(), table.begin(), table.end());
  return all;
}

Judgement Decide(const Case& c) {
  return MakeJudge(c.target.value_or(TestDevice())).Decide(c.composition, c.evidence);
}

class JudgeTable : public testing::TestWithParam<Case> {};

TEST_P(JudgeTable, Decides) {
  const Case& c = GetParam();
  const Judgement judgement = Decide(c);
  EXPECT_EQ(Name(judgement.bucket), Name(c.expected.bucket));
  EXPECT_EQ(judgement.reason.rule, c.expected.rule);
  EXPECT_EQ(judgement.signature.signature_class, c.expected.failure_class);
  EXPECT_EQ(judgement.cpu_same, c.expected.cpu_same);
  EXPECT_FALSE(judgement.reason.text.empty());
  // A finding is stable and has an identity; nothing else has one.
  const bool finding = judgement.bucket == Bucket::kConfirmed || judgement.bucket == Bucket::kRelatedFailure;
  EXPECT_EQ(judgement.signature.fingerprint.size(), finding ? 64u : 0u);
  EXPECT_TRUE(!finding || judgement.stable);
  ASSERT_FALSE(judgement.trace.empty());
  // The files that carry evidence carry all of it.
  const auto composition = CompositionFromJson(ToJson(c.composition));
  const auto evidence = EvidenceFromJson(ToJson(c.evidence));
  ASSERT_TRUE(composition && evidence);
  const Judgement again = MakeJudge(c.target.value_or(TestDevice())).Decide(*composition, *evidence);
  EXPECT_EQ(again.reason, judgement.reason);
  EXPECT_EQ(again.signature, judgement.signature);
}

INSTANTIATE_TEST_SUITE_P(Evidence, JudgeTable, testing::ValuesIn(EvidenceCases()), [](const auto& i) { return i.param.name; });
INSTANTIATE_TEST_SUITE_P(Outcome, JudgeTable, testing::ValuesIn(OutcomeCases()), [](const auto& i) { return i.param.name; });
INSTANTIATE_TEST_SUITE_P(Incumbent, JudgeTable, testing::ValuesIn(IncumbentCases()), [](const auto& i) { return i.param.name; });

TEST(JudgeRules, EveryRuleDecidesACase) {
  std::set<std::string> decided{"fetch-failure", "precheck"};  // these have tests of their own, below
  for (const Case& c : AllCases()) {
    const std::string rule = Decide(c).reason.rule;
    decided.insert(rule.substr(0, rule.find(':')));
  }
  std::set<std::string> described;
  for (const RuleDescription& rule : JudgeRules()) {
    EXPECT_TRUE(described.insert(rule.id).second) << rule.id << " is described twice";
    EXPECT_FALSE(rule.asks.empty() || rule.answers.empty()) << rule.id;
  }
  EXPECT_EQ(decided, described);
}

// Modes 2 and 9 and the first half of 11 are stopped before anything runs; see Refusals.
TEST(JudgeRules, EveryIncumbentModeOfEvidenceHasACase) {
  std::set<std::string> modes{"mode_02", "mode_09"};
  for (const Case& c : IncumbentCases()) modes.insert(c.name.substr(0, 7));
  const std::set<std::string> expected{"mode_01", "mode_02", "mode_03", "mode_04", "mode_05", "mode_06",
                                       "mode_07", "mode_08", "mode_09", "mode_10", "mode_11"};
  EXPECT_EQ(modes, expected);
}

TEST(Judge, TraceHoldsEveryQuestionUpToTheAnswer) {
  const Case c{"x", {}, Reports(OfKind(OracleKind::kHang)), Seen({WithoutProof(Clean())}), std::nullopt};
  const Judgement judgement = Decide(c);
  ASSERT_EQ(judgement.reason.rule, "no-device-proof");
  ASSERT_EQ(judgement.trace.size(), 15u);
  EXPECT_EQ(judgement.trace.front(), (Reason{"incident", "no"}));
  EXPECT_EQ(judgement.trace.back(), judgement.reason);
}

TEST(Judge, IncidentAndCanaryAreDecidedByTheIncident) {
  Seen seen({Clean()});
  seen.canaries.push_back({"compiled", false, "no compiler"});
  const Judge judge = MakeJudge(TestDevice());
  EXPECT_EQ(judge.Decide(Reports(OfKind(OracleKind::kHang)), seen).decided_by, DecidedBy::kIncident);
  EXPECT_EQ(judge.Decide(Reports(OfKind(OracleKind::kHang)), Seen({Clean()})).decided_by, DecidedBy::kRun);
}

TEST(Judge, AsksForAnotherAttemptOnlyWhileAFindingIsOpen) {
  const Judge judge = MakeJudge(TestDevice());
  const Composition reported = Reports(Exception("RuntimeError", "expected 5 but got 7"));
  const Attempt fails = Raised("RuntimeError", "expected 3 but got 4");
  EXPECT_TRUE(judge.NeedsAnotherAttempt(reported, Seen({fails})));
  EXPECT_TRUE(judge.NeedsAnotherAttempt(reported, Seen({fails, Clean()})));
  EXPECT_FALSE(judge.NeedsAnotherAttempt(reported, Seen({fails, fails})));
  EXPECT_FALSE(judge.NeedsAnotherAttempt(reported, Seen({fails, Clean(), Clean()})));
  EXPECT_FALSE(judge.NeedsAnotherAttempt(reported, Seen({Clean()})));
  EXPECT_FALSE(judge.NeedsAnotherAttempt(reported, Seen({Raised("ModuleNotFoundError", "No module named 'x'")})));
  EXPECT_TRUE(judge.NeedsAnotherAttempt(Reports(OfKind(OracleKind::kMissingError)), Seen({Clean()})));
  const Attempt unrelated = Raised("ValueError", "something else");
  EXPECT_FALSE(judge.NeedsAnotherAttempt(reported, Seen({unrelated, unrelated})));
  EXPECT_TRUE(judge.NeedsAnotherAttempt(reported, Seen({unrelated, fails})));
  EXPECT_EQ(judge.Decide(reported, Seen({unrelated, fails, fails})).deciding_attempt, 2);
}

TEST(Judge, EagerControlIsNamedInTheReason) {
  const Attempt fails = Raised("RuntimeError", "expected 3 but got 4");
  const Composition reported = Reports(Exception("RuntimeError", "expected 5 but got 7"), CompileUse::kCompiled);
  const Judge judge = MakeJudge(TestDevice());
  const std::string with = judge.Decide(reported, Twice(Compiled(fails)).Eager(fails)).reason.text;
  const std::string without = judge.Decide(reported, Twice(Compiled(fails)).Eager(Clean())).reason.text;
  EXPECT_NE(with.find("no compile bug (stage eager)"), std::string::npos) << with;
  EXPECT_EQ(without.find("no compile bug"), std::string::npos) << without;
}

TEST(Judge, FallbackReasonNamesTheOperatorsOnce) {
  Seen seen({Clean("The operator 'aten::eig on the testdev backend is falling back"), Proof({{"testdev", 1}})});
  seen.attempts[0].report.fallback_operators = {"aten::svd", "aten::eig"};
  EXPECT_EQ(MakeJudge(TestDevice()).Decide(Reports(OfKind(OracleKind::kHang)), seen).reason.text,
            "ran on the CPU instead of testdev: aten::eig, aten::svd");
}

TEST(Judge, PrintedResultIsRecordedWhenItDiffers) {
  Attempt printed = Clean();
  printed.report.result_line = "confirmed";
  const Judge judge = MakeJudge(TestDevice());
  EXPECT_EQ(judge.Decide(Reports(OfKind(OracleKind::kHang)), Seen({printed})).trace.back().rule, "printed-result");
  printed.report.result_line = "not-reproduced";
  EXPECT_EQ(judge.Decide(Reports(OfKind(OracleKind::kHang)), Seen({printed})).trace.back().rule, "clean-finish");
}

TEST(Judge, NamesTheSuspectedComponent) {
  const Judge judge = MakeJudge(TestDevice());
  const auto component = [&](const Attempt& attempt, CompileUse use) {
    return judge.Decide(Reports(OfKind(OracleKind::kHang), use), Twice(attempt).Cpu(Clean())).suspected_component;
  };
  EXPECT_EQ(component(Raised("RuntimeError", "could not create a primitive"), CompileUse::kEager), "onednn");
  EXPECT_EQ(component(Raised("RuntimeError", "bad shape"), CompileUse::kEager), "kernel");
  EXPECT_EQ(component(Compiled(Raised("RuntimeError", "bad loop", {Script(), Torch("_inductor/ir.py", "realize")})),
                      CompileUse::kCompiled),
            "inductor");
  EXPECT_EQ(component(Compiled(Raised("RuntimeError", "bad trace", {Script(), Torch("_dynamo/guards.py", "check")})),
                      CompileUse::kCompiled),
            "");
}

TEST(JudgeMake, RefusesMalformedRules) {
  const auto refused = [](const Json& json, const TargetProfile& target) {
    const auto judge = Judge::Make(json, target);
    return !judge && judge.error().kind == ErrorKind::kConfig;
  };
  Json finding = JudgeJson();
  finding.Set("adaptation_errors", Json().Append(Json().Set("id", "x").Set("pattern", "y").Set("bucket", "confirmed")));
  EXPECT_TRUE(refused(finding, TestDevice()));
  Json broken = JudgeJson();
  broken.Set("faults", Json().Append(Json().Set("id", "x").Set("pattern", "(")));
  EXPECT_TRUE(refused(broken, TestDevice()));
  Json empty = JudgeJson();
  empty.Remove("own_semantics");
  EXPECT_TRUE(refused(empty, TestDevice()));
  TargetProfile profile = TestDevice();
  profile.fallback_texts = {"["};
  EXPECT_TRUE(refused(JudgeJson(), profile));
}

TEST(Refusals, EachHasItsBucket) {
  const std::pair<Refusal, Bucket> expected[] = {
      {Refusal::kPerfOnly, Bucket::kNeedsPerformanceHarness},  // incumbent mode 9
      {Refusal::kNeedsMultiDevice, Bucket::kBlockedEnv},
      {Refusal::kNeedsModel, Bucket::kBlockedEnv},
      {Refusal::kNeedsFile, Bucket::kBlockedEnv},
      {Refusal::kNoCounterpart, Bucket::kBlockedPlatform},
      {Refusal::kAbsentApiOracle, Bucket::kBlockedScriptError},
      {Refusal::kSourceTextOracle, Bucket::kBlockedScriptError},  // incumbent mode 2
      {Refusal::kNoTargetOperation, Bucket::kBlockedScriptError},
      {Refusal::kBroadExcept, Bucket::kBlockedScriptError},  // incumbent mode 11
      {Refusal::kNoOracle, Bucket::kBlockedScriptError},
      {Refusal::kNotPython, Bucket::kBlockedScriptError},
      {Refusal::kUnsafeHarnessAccess, Bucket::kBlockedScriptError}};
  for (const auto& [refusal, bucket] : expected) {
    const Judgement judgement = JudgeRefusal(refusal, "line 3");
    EXPECT_EQ(Name(judgement.bucket), Name(bucket)) << Name(refusal);
    EXPECT_EQ(judgement.decided_by, DecidedBy::kPrecheck);
    EXPECT_EQ(judgement.reason, (Reason{std::string(Name(refusal)), "line 3"}));
  }
}

TEST(FetchFailure, IsBlockedFetch) {
  const Judgement judgement = JudgeFetchFailure("HTTP 410\nGone");
  EXPECT_EQ(judgement.bucket, Bucket::kBlockedFetch);
  EXPECT_EQ(judgement.decided_by, DecidedBy::kFetch);
  EXPECT_EQ(judgement.reason.rule, "fetch-failure");
  EXPECT_EQ(judgement.reason.text.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace xpu_align::judge_cases
