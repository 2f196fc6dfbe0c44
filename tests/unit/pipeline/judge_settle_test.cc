// The judge and settle stages over a run directory in memory.
#include <gtest/gtest.h>

#include "pipeline/judge.h"
#include "pipeline/settle.h"
#include "support/judge_cases.h"
#include "support/memory_run_store.h"
#include "support/quiet_progress.h"

namespace xpu_align {
namespace {

using namespace judge_cases;

struct World {
  MemoryRunStore store;
  QuietProgress progress;
  Judge judge = MakeJudge(TestDevice());

  CandidateId Row(int number) {
    const CandidateId id = CandidateId::OfIssue(number);
    LedgerRow row{.id = id};
    row.title = UntrustedText("title");
    row.deep_status = DeepStatus::kPass;
    CHECK(store.Append(row, Durability::kStageEnd).has_value());
    CHECK(store.Write(paths::Details(id), WriteJson(ToJson(Details{.id = id}))).has_value());
    return id;
  }
  void Give(const CandidateId& id, Composition composition) {
    composition.id = id;
    CHECK(store.Write(paths::Composition(id), WriteJson(ToJson(composition))).has_value());
  }
  void Give(const CandidateId& id, Evidence evidence) {
    evidence.id = id;
    CHECK(store.Write(paths::Evidence(id), WriteJson(ToJson(evidence))).has_value());
  }
  void GiveDetails(const Details& details) {
    CHECK(store.Write(paths::Details(details.id), WriteJson(ToJson(details))).has_value());
  }
  JudgeOutcome JudgeAll() {
    const auto outcome = JudgeStage(store, judge, progress);
    CHECK(outcome.has_value());
    return *outcome;
  }
  SettleOutcome SettleAll(const SettleFacts& facts = {}) {
    const auto outcome = SettleStage(store, judge, facts, progress);
    CHECK(outcome.has_value());
    return *outcome;
  }
  LedgerRow At(int number) { return store.Row("issue-" + std::to_string(number)); }
  std::string Ledger() { return *store.Read(paths::kLedger); }
};

const Composition kReported = Reports(Exception("RuntimeError", "expected 5 but got 7"));
const Attempt kFails = Raised("RuntimeError", "expected 3 but got 4");

FixFacts InBuild() {
  return {.state = FixState::kInBuild, .commit = std::string(40, '1'), .reach = FixReach::kShared};
}

TEST(JudgeStage, GivesEachKindOfRowItsBucket) {
  World world;
  world.GiveDetails({.id = world.Row(1), .fetch_failure = "HTTP 410"});
  Composition refused = kReported;
  refused.refusal = Refusal::kPerfOnly;
  refused.refusal_text = "only timings";
  world.Give(world.Row(2), refused);
  const CandidateId ran = world.Row(3);
  world.Give(ran, kReported);
  world.Give(ran, Evidence(Twice(kFails).Cpu(Clean())));
  world.Give(world.Row(4), kReported);  // composed, not run
  const JudgeOutcome outcome = world.JudgeAll();
  EXPECT_EQ(outcome.judged, 3u);
  EXPECT_EQ(outcome.pending, 1u);
  EXPECT_EQ(world.At(1).bucket, Bucket::kBlockedFetch);
  EXPECT_EQ(world.At(1).decided_by, DecidedBy::kFetch);
  EXPECT_EQ(world.At(2).bucket, Bucket::kNeedsPerformanceHarness);
  EXPECT_EQ(world.At(2).decided_by, DecidedBy::kPrecheck);
  EXPECT_EQ(world.At(2).bucket_reason, (Reason{"perf-only", "only timings"}));
  EXPECT_EQ(world.At(3).bucket, Bucket::kConfirmed);
  EXPECT_EQ(world.At(3).decided_by, DecidedBy::kRun);
  EXPECT_EQ(world.At(3).signature.signature_class, "same");
  EXPECT_EQ(world.At(3).signature.text, "RuntimeError: expected <n> but got <n>");
  EXPECT_EQ(world.At(4).local_status, LocalStatus::kPending);
  EXPECT_FALSE(world.At(4).bucket.has_value());
  EXPECT_TRUE(world.progress.warnings().empty());
}

TEST(JudgeStage, LeavesRejectedAndHeldRowsAlone) {
  World world;
  for (const int number : {1, 2, 3}) {
    const CandidateId id = world.Row(number);
    world.Give(id, kReported);
    world.Give(id, Evidence(Twice(kFails)));
  }
  LedgerRow title = world.At(1), deep = world.At(2), held = world.At(3);
  title.title_status = TitleStatus::kReject;
  deep.deep_status = DeepStatus::kReject;
  held.hold = "device incident";
  for (const LedgerRow& row : {title, deep, held}) ASSERT_TRUE(world.store.Append(row, Durability::kNow).has_value());
  EXPECT_EQ(world.JudgeAll().judged, 0u);
  for (const int number : {1, 2, 3}) EXPECT_FALSE(world.At(number).bucket.has_value());
}

TEST(JudgeStage, OneDamagedFileCostsItsOwnRowOnly) {
  World world;
  for (const int number : {1, 2}) {
    const CandidateId id = world.Row(number);
    world.Give(id, kReported);
    world.Give(id, Evidence(Twice(kFails)));
  }
  ASSERT_TRUE(world.store.Write("artifacts/evidence/issue-1.json", "{\"schema\": ").has_value());
  const JudgeOutcome outcome = world.JudgeAll();
  EXPECT_EQ(outcome.judged, 1u);
  EXPECT_EQ(outcome.pending, 1u);
  ASSERT_EQ(world.progress.warnings().size(), 1u);
  EXPECT_NE(world.progress.warnings()[0].find("issue-1"), std::string::npos);
  EXPECT_FALSE(world.At(1).bucket.has_value());
  EXPECT_EQ(world.At(2).bucket, Bucket::kConfirmed);
}

TEST(JudgeStage, AnotherBucketForgetsTheVerdict) {
  World world;
  const CandidateId id = world.Row(1);
  world.Give(id, kReported);
  world.Give(id, Evidence(Twice(kFails).Cpu(Clean())));
  world.JudgeAll();
  world.SettleAll();
  ASSERT_TRUE(world.At(1).verdict.has_value());
  world.Give(id, Evidence(Seen({Clean()})));
  world.JudgeAll();
  EXPECT_EQ(world.At(1).bucket, Bucket::kNotReproduced);
  EXPECT_FALSE(world.At(1).verdict.has_value());
  EXPECT_EQ(world.At(1).route_repository, "");
}

TEST(SettleStage, NeedsTheCloneForAFixOfTheTarget) {
  World world;
  const CandidateId id = world.Row(1);
  world.Give(id, kReported);
  world.Give(id, Evidence(Twice(kFails).Cpu(Clean())));
  world.JudgeAll();
  EXPECT_EQ(world.SettleAll().settled, 1u);
  EXPECT_EQ(world.At(1).verdict, Verdict::kVerificationGap);
  EXPECT_EQ(world.At(1).fix_state, FixState::kUnknown);
  EXPECT_EQ(world.At(1).route_repository, "example/testdev-kernels");
  EXPECT_EQ(world.At(1).route_rule, "target-kernel");

  world.SettleAll({.fix = [](const auto&, const auto&) { return InBuild(); }});
  EXPECT_EQ(world.At(1).verdict, Verdict::kNeedsXpuFix);
  EXPECT_EQ(world.At(1).fix_commit, std::string(40, '1'));
  EXPECT_EQ(world.At(1).recheck_after, "");
}

TEST(SettleStage, AFailingCloneIsUnknownAndSaid) {
  World world;
  const CandidateId id = world.Row(1);
  world.Give(id, kReported);
  world.Give(id, Evidence(Twice(kFails).Cpu(Clean())));
  world.JudgeAll();
  world.SettleAll({.fix = [](const auto&, const auto&) -> Result<FixFacts> {
    return Fail(ErrorKind::kGit, "no such object");
  }});
  EXPECT_EQ(world.At(1).verdict, Verdict::kVerificationGap);
  ASSERT_EQ(world.progress.warnings().size(), 1u);
  EXPECT_NE(world.progress.warnings()[0].find("no such object"), std::string::npos);
}

TEST(SettleStage, TheLaterOfTwoEqualFindingsIsTheDuplicate) {
  World world;
  for (const int number : {10, 9}) {
    const CandidateId id = world.Row(number);
    world.Give(id, kReported);
    world.Give(id, Evidence(Twice(kFails).Cpu(Clean())));
  }
  world.JudgeAll();
  world.SettleAll({.fix = [](const auto&, const auto&) { return InBuild(); }});
  EXPECT_EQ(world.At(9).verdict, Verdict::kNeedsXpuFix);
  EXPECT_EQ(world.At(10).verdict, Verdict::kDuplicate);
  EXPECT_NE(world.At(10).verdict_reason.text.find("issue-9"), std::string::npos);
}

TEST(SettleStage, FactsAreAskedWithTheWholeChainLeaderFirst) {
  World world;
  const CandidateId leader = world.Row(2), member = world.Row(1);
  world.Give(leader, kReported);
  world.Give(leader, Evidence(Twice(kFails).Cpu(Clean())));
  LedgerRow row = world.At(2);
  row.chain = Chain{"issue-1", "issue-2", {"issue-1", "issue-2", "pr-5"}};
  ASSERT_TRUE(world.store.Append(row, Durability::kNow).has_value());
  world.JudgeAll();
  std::vector<std::string> asked;
  world.SettleAll({.fix = [&](const auto&, const std::vector<Details>& chain) {
    for (const Details& details : chain) asked.push_back(details.id.Text());
    return InBuild();
  }});
  EXPECT_EQ(asked, (std::vector<std::string>{"issue-2", "issue-1"}));  // of pr-5 there are no details
}

TEST(SettleStage, FixedNeedsAnEarlierFailure) {
  World world;
  const CandidateId id = world.Row(1);
  world.Give(id, kReported);
  world.Give(id, Evidence(Seen({Clean()})));
  world.JudgeAll();
  EXPECT_EQ(world.SettleAll().settled, 0u);
  EXPECT_EQ(world.At(1).verdict_reason.rule, "passes");
  world.SettleAll({.earlier_failures = [](const auto&) { return std::vector<std::string>{"f"}; }});
  EXPECT_EQ(world.At(1).verdict, Verdict::kFixed);
}

TEST(SettleStage, RefusesALedgerThatTheEvidenceDoesNotCarry) {
  World world;
  const CandidateId id = world.Row(1);
  world.Give(id, kReported);
  world.Give(id, Evidence(Twice(kFails).Cpu(Clean())));
  world.JudgeAll();
  world.Give(id, Evidence(Seen({Clean()})));
  world.SettleAll();
  EXPECT_FALSE(world.At(1).verdict.has_value());
  ASSERT_EQ(world.progress.warnings().size(), 1u);
}

TEST(JudgeAndSettle, TwiceGivesTheSameBytes) {
  World world;
  for (const int number : {1, 2, 3}) {
    const CandidateId id = world.Row(number);
    world.Give(id, kReported);
    world.Give(id, Evidence(number == 2 ? Seen({Clean()}) : Twice(kFails).Cpu(Clean())));
  }
  const SettleFacts facts{.fix = [](const auto&, const auto&) { return InBuild(); }};
  world.JudgeAll();
  const std::string judged = world.Ledger();
  world.JudgeAll();
  EXPECT_EQ(world.Ledger(), judged);
  world.SettleAll(facts);
  const std::string settled = world.Ledger();
  EXPECT_NE(settled, judged);
  world.SettleAll(facts);
  EXPECT_EQ(world.Ledger(), settled);
  world.JudgeAll();
  world.SettleAll(facts);
  EXPECT_EQ(world.Ledger(), settled);
}

}  // namespace
}  // namespace xpu_align
