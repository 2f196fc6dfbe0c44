#include "judge/settle.h"

#include <gtest/gtest.h>

#include <set>

#include "support/judge_cases.h"

namespace xpu_align::judge_cases {
namespace {

const std::string kFix(40, '1');

SettleInput Row(Bucket bucket) {
  SettleInput input{.row = {.id = CandidateId::OfIssue(7)}};
  input.row.local_status = LocalStatus::kDone;
  input.row.bucket = bucket;
  input.judgement.bucket = bucket;
  return input;
}
// Confirmed twice; the CPU arm is fine; the fix is in the build.
SettleInput Finding() {
  SettleInput input = Row(Bucket::kConfirmed);
  input.row.signature = {"same", "RuntimeError: bad", "f1"};
  input.judgement.stable = true;
  input.judgement.cpu_fine = true;
  input.judgement.distinctive = true;
  input.fix = {.state = FixState::kInBuild, .commit = kFix, .reach = FixReach::kShared, .landing = FixLanding::kTrunk};
  return input;
}
SettleInput CpuSame() {
  SettleInput input = Finding();
  input.judgement.cpu_same = true;
  input.judgement.cpu_fine = false;
  return input;
}
SettleInput With(SettleInput input, void (*change)(SettleInput&)) {
  change(input);
  return input;
}

struct VerdictCase {
  const char* name;
  std::optional<Verdict> verdict;
  const char* rule;
  const char* recheck_after;
  SettleInput input;
};

std::vector<VerdictCase> VerdictCases() {
  const SettleInput finding = Finding();
  const SettleInput pass = Row(Bucket::kNotReproduced);
  return {
      {"blocked", {}, "no-run", "", Row(Bucket::kBlockedEnv)},
      {"known elsewhere", Verdict::kDuplicate, "duplicate", "",
       With(finding, [](SettleInput& i) { i.known = {{"other", "x"}, {"f1", "issue-3"}}; })},
      {"duplicate comes before the CPU arm", Verdict::kDuplicate, "duplicate", "",
       With(CpuSame(), [](SettleInput& i) { i.known = {{"f1", "issue-3"}}; })},
      {"a bare crash has no fingerprint of its own", Verdict::kNeedsXpuFix, "fix-in-build", "", With(finding, [](SettleInput& i) {
         i.known = {{"f1", "issue-3"}};
         i.judgement.distinctive = false;
       })},
      {"known by another fingerprint", Verdict::kNeedsXpuFix, "fix-in-build", "",
       With(finding, [](SettleInput& i) { i.known = {{"f2", "issue-3"}}; })},
      {"known limit", Verdict::kNonIssue, "non-issue", "",
       With(finding, [](SettleInput& i) { i.known = {{"f1", "limit", KnownKind::kLimit}}; })},
      {"labelled as no bug", Verdict::kNonIssue, "non-issue", "",
       With(finding, [](SettleInput& i) { i.chain = {Details{.id = CandidateId::OfIssue(7), .labels = {"wontfix"}}}; })},
      {"the label of a pull request that follows the report", Verdict::kNeedsXpuFix, "fix-in-build", "",
       With(finding, [](SettleInput& i) { i.chain = {Details{.id = CandidateId::OfPullRequest(8), .labels = {"invalid"}}}; })},
      {"a label that says nothing", Verdict::kNeedsXpuFix, "fix-in-build", "",
       With(finding, [](SettleInput& i) { i.chain = {Details{.id = CandidateId::OfIssue(7), .labels = {"triaged"}}}; })},
      {"flaky", Verdict::kVerificationGap, "unstable", "",
       With(pass, [](SettleInput& i) { i.judgement.reason = {"flaky", "flaky 1/3"}; })},
      {"not stable", Verdict::kVerificationGap, "unstable", "",
       With(finding, [](SettleInput& i) { i.judgement.stable = false; })},
      {"device fault alone", Verdict::kVerificationGap, "device-fault-alone", "",
       With(finding, [](SettleInput& i) { i.row.signature.signature_class = "gpu-fault"; })},
      {"CPU the same, fix in the build", Verdict::kTrackUpstream, "cpu-same", "the next build", CpuSame()},
      {"CPU the same, fix not in the build", Verdict::kTrackUpstream, "cpu-same", "111111111111 is in the build",
       With(CpuSame(), [](SettleInput& i) { i.fix.state = FixState::kNotInBuild; })},
      {"CPU the same, no clone", Verdict::kTrackUpstream, "cpu-same", "the fix is in the build",
       With(CpuSame(), [](SettleInput& i) { i.fix = {}; })},
      {"fixed in the kernel repository", Verdict::kTrackUpstream, "fixed-after-pin",
       "the pin of example/testdev-kernels is raised",
       With(finding, [](SettleInput& i) { i.fix.kernel = KernelFix::kInMainAfterPin; })},
      {"only the target fails", Verdict::kNeedsXpuFix, "fix-in-build", "", finding},
      {"no CPU arm", Verdict::kVerificationGap, "no-reference", "",
       With(finding, [](SettleInput& i) { i.judgement.cpu_fine = false; })},
      {"twin fix in trunk, not in the build", Verdict::kNeedsXpuFix, "twin-fix", "", With(finding, [](SettleInput& i) {
         i.fix.state = FixState::kNotInBuild;
         i.fix.reach = FixReach::kTwinOnly;
       })},
      {"twin fix in trunk without a CPU arm", Verdict::kVerificationGap, "no-reference", "",
       With(finding, [](SettleInput& i) {
         i.judgement.cpu_fine = false;
         i.fix.state = FixState::kNotInBuild;
         i.fix.reach = FixReach::kTwinOnly;
       })},
      {"twin fix still open", Verdict::kTrackUpstream, "twin-fix", "the fix is in trunk", With(finding, [](SettleInput& i) {
         i.fix.state = FixState::kNotInBuild;
         i.fix.reach = FixReach::kTwinOnly;
         i.fix.landing = FixLanding::kOpen;
       })},
      {"shared fix not in the build", Verdict::kTrackUpstream, "fix-not-in-build", "111111111111 is in the build",
       With(finding, [](SettleInput& i) { i.fix.state = FixState::kNotInBuild; })},
      {"no fix known", Verdict::kTrackUpstream, "no-fix-known", "a fix is linked to the chain",
       With(finding, [](SettleInput& i) { i.fix = {.state = FixState::kNoFix}; })},
      {"no clone", Verdict::kVerificationGap, "fix-unknown", "the commit of the build is known",
       With(finding, [](SettleInput& i) { i.fix = {}; })},
      {"passes after a failure", Verdict::kFixed, "fixed", "",
       With(pass, [](SettleInput& i) { i.earlier_failures = {"f1"}; })},
      {"passes", {}, "passes", "", pass},
  };
}

TEST(Settle, VerdictTable) {
  for (const VerdictCase& c : VerdictCases()) {
    SCOPED_TRACE(c.name);
    const Settlement settlement = Settle(c.input, TestDevice());
    EXPECT_EQ(settlement.verdict ? Name(*settlement.verdict) : "none", c.verdict ? Name(*c.verdict) : "none");
    EXPECT_EQ(settlement.reason.rule, c.rule);
    EXPECT_EQ(settlement.recheck_after, c.recheck_after);
    EXPECT_FALSE(settlement.reason.text.empty());
    EXPECT_EQ(settlement.route_repository.empty(), !c.input.row.IsFinding());
  }
}

TEST(Settle, APassWithTheFixInTheBuildIsNotCalledFixed) {
  SettleInput pass = Row(Bucket::kNotReproduced);
  pass.fix.state = FixState::kInBuild;
  const Settlement settlement = Settle(pass, TestDevice());
  EXPECT_FALSE(settlement.verdict.has_value());
  EXPECT_EQ(settlement.reason.text, "fix in the build, no earlier failure here");
}

// Whatever the inputs, the CPU alone never asks for a fix of a device.
TEST(Settle, ReferenceTargetNeverNeedsAFixOfTheTarget) {
  for (const VerdictCase& c : VerdictCases()) {
    const Settlement settlement = Settle(c.input, CpuTarget());
    EXPECT_NE(settlement.verdict, Verdict::kNeedsXpuFix) << c.name;
    if (c.input.row.IsFinding()) {
      EXPECT_EQ(settlement.route_repository, "pytorch/pytorch") << c.name;
      EXPECT_EQ(settlement.route_rule, "reference-target") << c.name;
    }
  }
}

struct RouteCase {
  const char* rule;
  const char* repository;
  SettleInput input;
};

std::vector<RouteCase> RouteCases() {
  const SettleInput unknown = With(Finding(), [](SettleInput& i) { i.fix = {}; });
  return {
      {"cpu-same", "pytorch/pytorch", CpuSame()},
      {"upstream-kernel", "pytorch/pytorch", With(unknown, [](SettleInput& i) {
         i.fix.reach = FixReach::kTwinOnly;
         i.fix.files = {"aten/src/ATen/native/testdev/Foo.cpp"};
       })},
      {"shared-code", "pytorch/pytorch", Finding()},
      {"twin-kernel", "example/testdev-kernels", With(unknown, [](SettleInput& i) { i.fix.reach = FixReach::kTwinOnly; })},
      {"target-kernel", "example/testdev-kernels",
       With(unknown, [](SettleInput& i) { i.judgement.suspected_component = "kernel"; })},
      {"backend-gap", "example/testdev-kernels",
       With(unknown, [](SettleInput& i) { i.judgement.suspected_component = "driver"; })},
      {"unsure", "pytorch/pytorch", With(unknown, [](SettleInput& i) { i.judgement.suspected_component = "inductor"; })},
      {"unsure", "pytorch/pytorch", unknown},
  };
}

TEST(Settle, RouteTable) {
  for (const RouteCase& c : RouteCases()) {
    const Settlement settlement = Settle(c.input, TestDevice());
    EXPECT_EQ(settlement.route_rule, c.rule);
    EXPECT_EQ(settlement.route_repository, c.repository) << c.rule;
  }
  TargetProfile homeless = TestDevice();
  homeless.kernel_repository.clear();
  const Settlement settlement = Settle(RouteCases()[3].input, homeless);
  EXPECT_EQ(settlement.route_rule, "no-kernel-repository");
  EXPECT_EQ(settlement.route_repository, "pytorch/pytorch");
}

TEST(SettleRules, EveryRuleDecidesACase) {
  std::set<std::string> decided{"route:reference-target", "route:no-kernel-repository"};  // tests above
  for (const VerdictCase& c : VerdictCases()) decided.insert(Settle(c.input, TestDevice()).reason.rule);
  for (const RouteCase& c : RouteCases()) decided.insert("route:" + Settle(c.input, TestDevice()).route_rule);
  std::set<std::string> described;
  for (const RuleDescription& rule : SettleRules()) {
    EXPECT_TRUE(described.insert(rule.id).second) << rule.id << " is described twice";
    EXPECT_FALSE(rule.asks.empty() || rule.answers.empty()) << rule.id;
  }
  EXPECT_EQ(decided, described);
}

}  // namespace
}  // namespace xpu_align::judge_cases
