#include "app/fix_facts.h"

#include <gtest/gtest.h>

#include <set>

#include "support/memory_repository.h"
#include "support/shipped_rules.h"

namespace xpu_align {
namespace {

const std::string kFix(40, 'a'), kRevert(40, 'b'), kReland(40, 'c'), kBuild(40, 'd');

// A clone in which the build contains some commits.
class Clone : public MemoryRepository {
 public:
  explicit Clone(std::set<std::string> in_build) : MemoryRepository(kBuild, {}), in_build_(std::move(in_build)) {}
  Answer IsAncestor(const std::string& ancestor, const std::string& descendant) override {
    if (ancestor == unknown || descendant != kBuild) return Answer::kUnknown;
    return in_build_.contains(ancestor) ? Answer::kYes : Answer::kNo;
  }
  std::string unknown;

 private:
  std::set<std::string> in_build_;
};

Details Member(const CandidateId& id, const char* title, const char* path = nullptr) {
  Details details{.id = id, .title = UntrustedText(title), .state = "closed"};
  if (path) details.files = {{.path = UntrustedText(path), .status = "modified"}};
  return details;
}

Details Commit(const std::string& sha, const char* title, const char* path) {
  Details details = Member(CandidateId::OfCommit(sha), title, path);
  details.sha = sha;
  return details;
}

constexpr const char* kShared = "aten/src/ATen/native/Ring.cpp";
constexpr const char* kTwin = "aten/src/ATen/native/cuda/Ring.cu";

class FixFactsTest : public testing::Test {
 protected:
  FixFacts Facts(Clone clone, const std::string& build = kBuild) {
    static const DeepFilter deep = *DeepFilter::FromJson(ShippedRules().paths, ShippedRules().deep);
    return FactsOfChain(row_, chain_, build, deep, clone);
  }
  void SetState(const char* state, const std::string& commit) {
    row_.chain = Chain{.key = "issue-1", .leader = "issue-1", .state = state, .commit = commit};
  }

  LedgerRow row_{.id = CandidateId::OfIssue(1)};
  std::vector<Details> chain_ = {Member(CandidateId::OfIssue(1), "ring is wrong"),
                                 Member(CandidateId::OfPullRequest(2), "Fix ring", kShared),
                                 Commit(kFix, "Fix ring (#2)", kShared)};
};

TEST_F(FixFactsTest, ALandedFixIsInTheBuildOrNot) {
  SetState("landed", kFix);
  EXPECT_EQ(Facts(Clone({kFix})).state, FixState::kInBuild);
  EXPECT_EQ(Facts(Clone({})).state, FixState::kNotInBuild);
  EXPECT_EQ(Facts(Clone({})).landing, FixLanding::kTrunk);
  EXPECT_EQ(Facts(Clone({}), "").state, FixState::kUnknown);
  EXPECT_EQ(Facts(Clone({})).commit, kFix);
}

TEST_F(FixFactsTest, ARevertedFixIsNoFix) {
  chain_.push_back(Commit(kRevert, "Revert \"Fix ring (#2)\"", kShared));
  SetState("reverted", kRevert);
  const FixFacts facts = Facts(Clone({kFix, kRevert}));
  EXPECT_EQ(facts.state, FixState::kNotInBuild);
  EXPECT_EQ(facts.commit, "");
  EXPECT_EQ(facts.landing, FixLanding::kClosedUnmerged);
  chain_[1].state = "open";
  EXPECT_EQ(Facts(Clone({kFix, kRevert})).landing, FixLanding::kOpen);
}

TEST_F(FixFactsTest, ABuildFromBeforeTheRevertHasTheFix) {
  chain_.push_back(Commit(kRevert, "Revert \"Fix ring (#2)\"", kShared));
  SetState("reverted", kRevert);
  const FixFacts facts = Facts(Clone({kFix}));
  EXPECT_EQ(facts.state, FixState::kInBuild);
  EXPECT_EQ(facts.commit, kFix);
  EXPECT_EQ(Facts(Clone({})).state, FixState::kNotInBuild);
}

TEST_F(FixFactsTest, WhetherTheBuildHasTheRevertMayBeUnknown) {
  chain_.push_back(Commit(kRevert, "Revert \"Fix ring (#2)\"", kShared));
  SetState("reverted", kRevert);
  Clone clone({kFix});
  clone.unknown = kRevert;
  EXPECT_EQ(Facts(clone).state, FixState::kUnknown);
  EXPECT_EQ(Facts(Clone({kFix}), "").state, FixState::kUnknown);
}

TEST_F(FixFactsTest, OfSeveralLandingsTheChainSaysWhichCounts) {
  chain_.push_back(Commit(kReland, "Reland \"Fix ring (#2)\"", kShared));
  SetState("landed", kReland);
  EXPECT_EQ(Facts(Clone({kFix})).state, FixState::kNotInBuild);
  EXPECT_EQ(Facts(Clone({kFix, kReland})).commit, kReland);
}

TEST_F(FixFactsTest, ARevertAloneIsNoFixEither) {
  row_ = {.id = CandidateId::OfCommit(kRevert)};
  chain_ = {Commit(kRevert, "Revert \"Fix ring (#2)\"", kShared)};
  EXPECT_EQ(Facts(Clone({kRevert})).state, FixState::kNoFix);
  chain_ = {Commit(kFix, "Fix ring (#2)", kShared)};
  EXPECT_EQ(Facts(Clone({kFix})).state, FixState::kInBuild);
}

TEST_F(FixFactsTest, TheFilesAreThoseOfTheFixThatLanded) {
  chain_[2] = Commit(kFix, "Fix ring (#3)", kTwin);
  SetState("landed", kFix);
  const FixFacts facts = Facts(Clone({kFix}));
  EXPECT_EQ(facts.reach, FixReach::kTwinOnly);
  EXPECT_EQ(facts.files, std::vector<std::string>{kTwin});
}

}  // namespace
}  // namespace xpu_align
