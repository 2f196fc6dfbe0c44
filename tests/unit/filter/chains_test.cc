#include "filter/chains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace xpu_align {
namespace {

const std::string kSha = "20fb7bd04e0b5c1d2e3f405162738495a6b7c8d9";

class World {
 public:
  Details& Add(const char* id, std::vector<Link> links = {}, Runnable runnable = Runnable::kNothing,
               DeepStatus standing = DeepStatus::kPass) {
    details_.push_back({.id = *CandidateId::Parse(id),
                        .title = UntrustedText("t"),
                        .association = "CONTRIBUTOR",
                        .links = std::move(links)});
    candidates_.push_back({&details_.back(), runnable, standing});
    return details_.back();
  }
  void SetScript(std::string script) { candidates_.back().script = std::move(script); }
  void SetRole(ChainRole role) { candidates_.back().role = role; }
  void SetTime(std::string at) { candidates_.back().at = std::move(at); }
  // Of the only chain: "landed 20fb".
  std::string State() {
    const std::vector<Chain> chains = FindChains(candidates_);
    EXPECT_EQ(chains.size(), 1u);
    return chains[0].state + (chains[0].commit.empty() ? "" : " " + chains[0].commit.substr(0, 4));
  }
  // "leader: member member; ..."
  std::string Chains() {
    const std::string forward = Text(candidates_);
    std::ranges::reverse(candidates_);
    EXPECT_EQ(Text(candidates_), forward);  // the order of the input does not matter
    return forward;
  }

 private:
  static std::string Text(const std::vector<ChainCandidate>& candidates) {
    std::string text;
    for (const Chain& chain : FindChains(candidates)) {
      EXPECT_EQ(chain.key, chain.members.front());
      text += (text.empty() ? "" : "; ") + chain.leader + ":";
      for (const std::string& member : chain.members) text += " " + member;
    }
    return text;
  }
  std::deque<Details> details_;
  std::vector<ChainCandidate> candidates_;
};

TEST(FindChainsTest, IssuePullRequestAndCommitAreOne) {
  World world;
  world.Add("issue-10");
  world.Add("pr-20", {{"closes", "issue-10"}}).landed_sha = kSha;
  world.Add("commit-20fb7bd04e0b");
  world.Add("issue-11");
  EXPECT_EQ(world.Chains(), "issue-10: issue-10 pr-20 commit-20fb7bd04e0b");
}

// A chain of two reports would run one script for both: only who answers for it may say that they are one.
TEST(FindChainsTest, AStrangerMovesOnlyHimselfAndBehindWhatPasses) {
  for (const char* association : {"NONE", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN", ""}) {
    World world;
    world.Add("issue-10", {}, Runnable::kScript);
    world.Add("issue-11", {}, Runnable::kScript);
    world.Add("pr-20", {{"closes", "issue-10"}, {"closes", "issue-11"}}, Runnable::kScript).association = association;
    world.Add("pr-30", {}, Runnable::kTest);
    world.Add("pr-31", {{"stack", "pr-30"}}, Runnable::kScript).association = association;
    EXPECT_EQ(world.Chains(), "issue-10: issue-10 pr-20") << association;
  }
}

TEST(FindChainsTest, AStrangerStandsForWhatHasNoMaterialAndJoinsWhenLanded) {
  World world;
  world.Add("issue-10", {}, Runnable::kNothing, DeepStatus::kReject);
  world.Add("pr-20", {{"closes", "issue-10"}}, Runnable::kScript).association = "NONE";
  world.Add("issue-11", {}, Runnable::kScript);
  world.Add("issue-12", {}, Runnable::kScript);
  Details& landed = world.Add("pr-21", {{"closes", "issue-11"}, {"closes", "issue-12"}});
  landed.association = "NONE";
  landed.landed_sha = kSha;
  EXPECT_EQ(world.Chains(), "pr-20: issue-10 pr-20; issue-11: issue-11 issue-12 pr-21");
}

TEST(FindChainsTest, TheTimelineOfAnIssueOnlyRepeatsWhatOthersSay) {
  World world;
  world.Add("issue-10", {{"closes", "pr-20"}}, Runnable::kScript);
  world.Add("issue-11", {{"closes", "pr-20"}}, Runnable::kScript);
  world.Add("pr-20", {{"closes", "issue-10"}}, Runnable::kScript).association = "NONE";
  EXPECT_EQ(world.Chains(), "issue-10: issue-10 pr-20");
}

TEST(FindChainsTest, OfEqualScriptsTheOldestIsTheOriginal) {
  World world;
  world.Add("issue-12", {}, Runnable::kScript).association = "NONE";
  world.SetScript("a");
  world.Add("pr-11", {}, Runnable::kScript);
  world.SetScript("a");
  world.Add("issue-22", {}, Runnable::kScript).association = "NONE";
  world.SetScript("b");
  world.Add("pr-23", {}, Runnable::kScript);
  world.SetScript("b");
  EXPECT_EQ(world.Chains(), "issue-22: issue-22 pr-23");
}

TEST(FindChainsTest, NumbersOfUnknownKindAreResolved) {
  World world;
  world.Add("pr-20");
  world.Add("pr-21", {{"reverts", "issue-20"}});
  world.Add("issue-30");
  world.Add("issue-31", {{"closes", "pr-30"}});
  EXPECT_EQ(world.Chains(), "issue-30: issue-30 issue-31; pr-20: pr-20 pr-21");
}

TEST(FindChainsTest, NumberAtTheEndOfATitleIsThePullRequestButNotOfAnIssue) {
  World world;
  world.Add("pr-20");
  world.Add("commit-20fb7bd04e0b").title = UntrustedText("Fix ring (#20)");
  world.Add("issue-30").title = UntrustedText("ring is wrong since (#20)");
  EXPECT_EQ(world.Chains(), "pr-20: pr-20 commit-20fb7bd04e0b");
}

TEST(FindChainsTest, StacksRevertsRelandsAndPicksJoinMentionsDoNot) {
  World world;
  world.Add("pr-1", {{"stack", "pr-2"}, {"mentions", "pr-9"}});
  world.Add("pr-2", {{"stack", "pr-1"}, {"stack", "pr-2"}});
  world.Add("pr-3", {{"relands", "pr-2"}});
  world.Add("pr-4", {{"cherry-picks", kSha}});
  world.Add("commit-20fb7bd04e0b", {{"resolved-by", "pr-3"}});
  world.Add("pr-9", {{"unheard-of", "pr-1"}, {"closes", "not an id"}, {"closes", "issue-777"}});
  EXPECT_EQ(world.Chains(), "pr-1: pr-1 pr-2 pr-3 pr-4 commit-20fb7bd04e0b");
}

TEST(FindChainsTest, LeaderHasAScriptThenATestThenIsTheIssue) {
  World script, test, none, passing, lowest;
  script.Add("issue-1", {}, Runnable::kTest);
  script.Add("pr-2", {{"closes", "issue-1"}}, Runnable::kScript);
  EXPECT_EQ(script.Chains(), "pr-2: issue-1 pr-2");
  test.Add("issue-1");
  test.Add("pr-2", {{"closes", "issue-1"}}, Runnable::kTest);
  EXPECT_EQ(test.Chains(), "pr-2: issue-1 pr-2");
  none.Add("commit-20fb7bd04e0b", {{"closes", "issue-100"}});
  none.Add("issue-100");
  EXPECT_EQ(none.Chains(), "issue-100: issue-100 commit-20fb7bd04e0b");
  passing.Add("issue-1", {}, Runnable::kNothing, DeepStatus::kReject);
  passing.Add("pr-2", {{"closes", "issue-1"}});
  EXPECT_EQ(passing.Chains(), "pr-2: issue-1 pr-2");
  lowest.Add("issue-10", {{"closes", "issue-9"}}, Runnable::kScript);
  lowest.Add("issue-9", {}, Runnable::kScript);
  EXPECT_EQ(lowest.Chains(), "issue-9: issue-9 issue-10");
}

TEST(FindChainsTest, NothingLinkedIsNoChain) {
  World world;
  EXPECT_EQ(world.Chains(), "");
  world.Add("issue-1", {{"closes", "issue-1"}});
  world.Add("pr-2");
  EXPECT_EQ(world.Chains(), "");
}

TEST(FindChainsTest, ALongStackIsOneChain) {
  World world;
  for (int i = 1; i <= 2000; ++i)
    world.Add(("pr-" + std::to_string(i)).c_str(), {{"stack", "pr-" + std::to_string(i % 2000 + 1)}});
  EXPECT_EQ(std::ranges::count(world.Chains(), ' '), 2000);
}

TEST(FindChainsTest, EqualScriptsJoinWithoutALink) {
  World world;
  world.Add("issue-1");
  world.SetScript("a");
  world.Add("issue-2");
  world.SetScript("b");
  world.Add("pr-3");
  world.SetScript("a");
  world.Add("issue-4");
  EXPECT_EQ(world.Chains(), "issue-1: issue-1 pr-3");
}

TEST(FindChainsTest, TwoReportsInOneStackStayTwo) {
  World world;
  world.Add("issue-1");
  world.Add("issue-2");
  world.Add("pr-3", {{"closes", "issue-1"}, {"stack", "pr-4"}, {"stack", "pr-5"}});
  world.Add("pr-4", {{"closes", "issue-2"}, {"stack", "pr-3"}, {"stack", "pr-5"}});
  world.Add("pr-5", {{"stack", "pr-3"}, {"stack", "pr-4"}});
  EXPECT_EQ(world.Chains(), "issue-1: issue-1 pr-3 pr-5; issue-2: issue-2 pr-4");
}

TEST(FindChainsTest, ATestToggleNeitherLeadsNorCountsAsAReport) {
  World world;
  world.Add("issue-1");
  world.SetRole(ChainRole::kTestToggle);
  world.Add("issue-2");
  world.Add("pr-3", {{"closes", "issue-1"}, {"closes", "issue-2"}});
  EXPECT_EQ(world.Chains(), "issue-2: issue-1 issue-2 pr-3");
  World stack;
  stack.Add("issue-1");
  stack.SetRole(ChainRole::kTestToggle);
  stack.Add("issue-2");
  stack.Add("pr-3", {{"closes", "issue-1"}, {"stack", "pr-4"}});
  stack.Add("pr-4", {{"closes", "issue-2"}});
  EXPECT_EQ(stack.Chains(), "issue-2: issue-1 issue-2 pr-3 pr-4");
}

// The trunk decides: an issue's state and the merged flag do not.
TEST(FindChainsTest, TheLastTrunkCommitIsTheState) {
  const std::string a(40, 'a'), b(40, 'b'), c(40, 'c');
  World world;
  world.Add("issue-1").state = "closed";
  world.Add("pr-2", {{"closes", "issue-1"}}).state = "closed";
  EXPECT_EQ(world.State(), "open");
  world.Add(("commit-" + a.substr(0, 12)).c_str(), {{"resolved-by", "pr-2"}}).sha = a;
  world.SetTime("2026-11-28T01:00:00Z");
  EXPECT_EQ(world.State(), "landed aaaa");
  Details& revert = world.Add(("commit-" + b.substr(0, 12)).c_str(), {{"reverts", a}});
  revert.sha = b;
  revert.title = UntrustedText("Revert \"Fix the ring (#2)\"");
  world.SetTime("2026-11-28T02:00:00Z");
  EXPECT_EQ(world.State(), "reverted bbbb");
  Details& again = world.Add(("commit-" + c.substr(0, 12)).c_str(), {{"reverts", b}});
  again.sha = c;
  again.title = UntrustedText("Revert \"Revert \"Fix the ring (#2)\"\"");
  world.SetTime("2026-11-28T03:00:00Z");
  EXPECT_EQ(world.State(), "landed cccc");
}

TEST(FindChainsTest, ALandedPullRequestWhoseCommitIsOutsideOfTheWindow) {
  World world;
  world.Add("issue-1");
  world.Add("pr-2", {{"closes", "issue-1"}}).landed_sha = kSha;
  EXPECT_EQ(world.State(), "landed 20fb");
  Details& back_out = world.Add("commit-bbbbbbbbbbbb", {{"reverts", "pr-2"}});
  back_out.sha = std::string(40, 'b');
  back_out.title = UntrustedText("Back out the ring");
  EXPECT_EQ(world.State(), "reverted bbbb");
}

TEST(FindChainsTest, AListOfManyIsNoPartOfEach) {
  const auto links_to = [](size_t count) {
    std::vector<Link> links;
    for (size_t i = 1; i <= count; ++i) links.push_back({"closes", "issue-" + std::to_string(i)});
    return links;
  };
  World few, many;
  few.Add("issue-1");
  few.Add("pr-100", links_to(kMostJoined));
  EXPECT_EQ(few.Chains(), "issue-1: issue-1 pr-100");
  many.Add("issue-1");
  many.Add("pr-100", links_to(kMostJoined + 1));
  EXPECT_EQ(many.Chains(), "");
}

}  // namespace
}  // namespace xpu_align
