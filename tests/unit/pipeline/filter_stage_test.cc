#include "pipeline/filter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/schema.h"
#include "support/shipped_rules.h"
#include "support/memory_run_store.h"

namespace xpu_align {
namespace {

class Notes : public Progress {
 public:
  void StageStarted(const std::string& stage, size_t total) override { lines.push_back(stage + " " + std::to_string(total)); }
  void Step(const std::string&) override { ++steps; }
  void StageFinished(const std::string& summary) override { lines.push_back(summary); }
  void Note(const std::string& text) override { lines.push_back(text); }
  void Warn(const std::string& text) override { lines.push_back(text); }
  std::vector<std::string> lines;
  size_t steps = 0;
};

const std::string kSha = "20fb7bd04e0b5c1d2e3f405162738495a6b7c8d9";
constexpr const char* kShared = "aten/src/ATen/native/Ring.cpp";
constexpr const char* kMetal = "aten/src/ATen/native/mps/Ring.mm";

// A run directory made by hand. A body with the word "script" has a script, one with "test" a test.
class FilterStageTest : public testing::Test {
 protected:
  void AddRaw(const char* id_text, const char* title) {
    const CandidateId id = *CandidateId::Parse(id_text);
    Candidate candidate{.id = id, .title = UntrustedText(title), .url = std::string("https://github.com/o/r/") + id_text};
    if (id.kind() == Kind::kCommit) candidate.sha = kSha;
    raw_.Append(ToJson(candidate));
    store_.Write(paths::kRawCandidates, WriteJson(Json()
                                                      .Set("schema", SchemaOf("raw-candidates"))
                                                      .Set("repository", "pytorch/pytorch")
                                                      .Set("candidates", raw_)))
        .value();
    titles_.insert_or_assign(id_text, title);
  }
  void AddDetails(const char* id_text, const char* body, const char* path = nullptr) {
    Details details{.id = *CandidateId::Parse(id_text)};
    if (details.id.kind() == Kind::kCommit) details.sha = kSha;
    details.title = UntrustedText(titles_[id_text]);
    details.body = UntrustedText(body);
    if (path) details.files = {{.path = UntrustedText(path), .status = "modified", .additions = 3, .patch = UntrustedText("@@ -1 +1 @@\n+x();\n")}};
    Save(details);
  }
  void Add(const char* id_text, const char* title, const char* body, const char* path = nullptr) {
    AddRaw(id_text, title);
    AddDetails(id_text, body, path);
  }
  void Save(const Details& details) { store_.Write(paths::Details(details.id), WriteJson(ToJson(details))).value(); }

  FilterStatistics Run() {
    static const TitleFilter title = *TitleFilter::FromJson(ShippedRules().title);
    static const DeepFilter deep = *DeepFilter::FromJson(ShippedRules().paths, ShippedRules().deep);
    const auto material = [](const Details& details) {
      const std::string_view body = details.body.ForMatching();
      return body.contains("script") ? Material::kScript : body.contains("test") ? Material::kTest : Material::kNone;
    };
    auto statistics = RunFilter(store_, {title, deep, material}, progress_);
    EXPECT_TRUE(statistics) << statistics.error().message;
    return statistics.value_or(FilterStatistics{});
  }
  std::string Deep(const char* id) {
    const LedgerRow row = store_.Row(id);
    return std::string(Name(row.deep_status)) + (row.deep_reason.rule.empty() ? "" : " ") + row.deep_reason.rule;
  }

  MemoryRunStore store_;
  Notes progress_;
  Json raw_ = Json::EmptyArray();
  std::map<std::string, std::string> titles_;
};

TEST_F(FilterStageTest, HandMadeDirectoryWithRawCandidatesAndDetailsIsEnough) {
  Add("issue-1", "ring is wrong", "a script");
  AddRaw("issue-2", "DISABLED test_ring (__main__.TestRing)");
  Add("pr-3", "Fix ring on Metal", "a test", kMetal);
  Add("pr-4", "Revert \"[BE] Use a span in the ring\"", "a test", kShared);
  const FilterStatistics statistics = Run();
  EXPECT_EQ(store_.Row("issue-1").title_status, TitleStatus::kPass);
  EXPECT_EQ(Deep("issue-1"), "pass");
  EXPECT_EQ(store_.Row("issue-2").title_status, TitleStatus::kReject);
  EXPECT_EQ(store_.Row("issue-2").title_rule, "disabled-test");
  EXPECT_EQ(Deep("issue-2"), "pending");
  EXPECT_EQ(Deep("pr-3"), "reject platform-exclusive");
  EXPECT_EQ(Deep("pr-4"), "pass");
  EXPECT_EQ(store_.Row("pr-4").areas, (std::vector<std::string>{"aten", "shared"}));
  EXPECT_EQ(statistics.candidates, 4u);
  EXPECT_EQ(statistics.title_rejected, 1u);
  EXPECT_EQ(statistics.deep_rejected, 1u);
  EXPECT_EQ(statistics.passed, 2u);
  EXPECT_EQ(statistics.title_rules, (std::map<std::string, size_t>{{"disabled-test", 1}}));
  EXPECT_EQ(statistics.protections, (std::map<std::string, size_t>{{"revert-or-reland", 1}}));
  EXPECT_EQ(statistics.deep_reasons, (std::map<std::string, size_t>{{"platform-exclusive", 1}}));
  EXPECT_EQ(statistics.deep_rules, (std::map<std::string, size_t>{{"diff-exclusive", 1}}));
  EXPECT_EQ(progress_.steps, 4u);
  EXPECT_EQ(progress_.lines, (std::vector<std::string>{"filter 4", "2 of 4 candidates go on"}));
}

TEST_F(FilterStageTest, AChainHasOneLeaderAndNamesIt) {
  Add("issue-10", "ring is wrong", "a script");
  Add("pr-20", "Fix ring", "Fixes #10, with a test", kShared);
  Add("commit-20fb7bd04e0b", "Fix ring (#20)", "Fix ring (#20)", kShared);
  const FilterStatistics statistics = Run();
  EXPECT_EQ(Deep("issue-10"), "pass");
  EXPECT_EQ(Deep("pr-20"), "reject duplicate-chain");
  EXPECT_EQ(Deep("commit-20fb7bd04e0b"), "reject duplicate-chain");
  EXPECT_TRUE(store_.Row("pr-20").deep_reason.text.contains("issue-10"));
  const Chain expected{"issue-10", "issue-10", {"issue-10", "pr-20", "commit-20fb7bd04e0b"},
                       "landed", kSha};
  for (const char* id : {"issue-10", "pr-20", "commit-20fb7bd04e0b"}) EXPECT_EQ(store_.Row(id).chain, expected) << id;
  EXPECT_EQ(statistics.chains, 1u);
  EXPECT_EQ(statistics.deep_reasons, (std::map<std::string, size_t>{{"duplicate-chain", 2}}));
}

TEST_F(FilterStageTest, AMemberRejectedForItselfIsInNoChain) {
  Add("issue-10", "ring is wrong", "a script");
  Add("pr-20", "Fix ring", "Fixes #10, with a test", kMetal);
  Run();
  EXPECT_EQ(Deep("issue-10"), "pass");
  EXPECT_EQ(Deep("pr-20"), "reject platform-exclusive");
  EXPECT_FALSE(store_.Row("issue-10").chain);
}

TEST_F(FilterStageTest, ChainWithoutAnyMaterialIsRejectedWithItsLeader) {
  Add("issue-10", "ring is wrong", "it does not work");
  Add("commit-20fb7bd04e0b", "Trace ring", "Fixes #10", "torch/_dynamo/ring.py");
  Run();
  EXPECT_EQ(Deep("issue-10"), "reject insufficient-repro-context");
  EXPECT_EQ(Deep("commit-20fb7bd04e0b"), "reject duplicate-chain");
}

TEST_F(FilterStageTest, PassingCandidateRevivesWhatItBelongsTo) {
  Add("issue-10", "DISABLED test_ring (__main__.TestRing)", "a script");
  Add("pr-20", "Fix ring", "Fixes #10, with a test", kShared);
  const FilterStatistics statistics = Run();
  const LedgerRow row = store_.Row("issue-10");
  EXPECT_EQ(row.title_status, TitleStatus::kPass);
  EXPECT_EQ(row.history, (std::vector<HistoryEvent>{{"revived", "pr-20 links to it (closes)"}}));
  EXPECT_EQ(Deep("issue-10"), "pass");
  EXPECT_EQ(Deep("pr-20"), "reject duplicate-chain");
  EXPECT_EQ(statistics.revived, 1u);
  EXPECT_EQ(statistics.title_rejected, 0u);
}

TEST_F(FilterStageTest, RevivalGoesOnFromRevivedCandidates) {
  Add("issue-10", "DISABLED test_ring (__main__.TestRing)", "a script");
  Add("pr-20", "[WIP] ring", "Fixes #10", kShared);
  Add("pr-30", "Fix ring", "Reland of #20\nReverts #20\n a test", kShared);
  EXPECT_EQ(Run().revived, 2u);
  EXPECT_EQ(store_.Row("issue-10").history[0].text, "pr-20 links to it (closes)");
}

TEST_F(FilterStageTest, MentionsAndRejectedCandidatesReviveNothing) {
  Add("issue-10", "DISABLED test_ring (__main__.TestRing)", "a script");
  Add("pr-20", "Fix ring", "See #10, with a test", kShared);
  Add("pr-21", "Fix ring on Metal", "Fixes #10, with a test", kMetal);
  EXPECT_EQ(Run().revived, 0u);
  EXPECT_EQ(store_.Row("issue-10").title_status, TitleStatus::kReject);
}

TEST_F(FilterStageTest, WithoutDetailsRevivalIsOnlyNoted) {
  AddRaw("issue-10", "DISABLED test_ring (__main__.TestRing)");
  Add("pr-20", "Fix ring", "Fixes #10, with a test", kShared);
  const FilterStatistics statistics = Run();
  EXPECT_EQ(store_.Row("issue-10").title_status, TitleStatus::kReject);
  ASSERT_EQ(statistics.notes.size(), 1u);
  EXPECT_EQ(statistics.notes[0],
            "issue-10 stays rejected by the title rule disabled-test, though pr-20 links to it (closes): its details "
            "were not fetched");
}

TEST_F(FilterStageTest, WhatGitHubRefusesPassesForJudge) {
  AddRaw("issue-10", "ring is wrong");
  Save({.id = *CandidateId::Parse("issue-10"), .title = UntrustedText("ring is wrong"), .fetch_failure = "HTTP 451"});
  Run();
  EXPECT_EQ(Deep("issue-10"), "pass");
  EXPECT_TRUE(store_.Row("issue-10").hold.empty());
}

TEST_F(FilterStageTest, MissingOrDamagedDetailsHoldOnlyTheirCandidate) {
  AddRaw("issue-1", "ring is wrong");
  AddRaw("issue-2", "ring is slow");
  Add("issue-3", "ring crashes", "a script");
  store_.Write("artifacts/details/issue-2.json", "{\"schema\":").value();
  EXPECT_EQ(Run().undecided, 2u);
  EXPECT_EQ(Deep("issue-1"), "pending");
  EXPECT_EQ(store_.Row("issue-1").hold, "details are not there");
  EXPECT_TRUE(store_.Row("issue-2").hold.starts_with("details can not be used: "));
  EXPECT_EQ(Deep("issue-3"), "pass");
  AddDetails("issue-1", "a script");
  EXPECT_EQ(Run().undecided, 1u);
  EXPECT_EQ(Deep("issue-1"), "pass");
  EXPECT_TRUE(store_.Row("issue-1").hold.empty());
}

TEST_F(FilterStageTest, TitleColumnsOfCollectStandAndUnknownMembersAreKept) {
  Add("issue-1", "DISABLED test_ring (__main__.TestRing)", "a script");
  LedgerRow row{.id = *CandidateId::Parse("issue-1"), .title = UntrustedText("ring"), .url = "u"};
  row.other = Json().Set("from_the_future", 1);
  ASSERT_TRUE(store_.Append(row, Durability::kNow));
  Run();
  EXPECT_EQ(store_.Row("issue-1").title_status, TitleStatus::kPass);
  EXPECT_EQ(Deep("issue-1"), "pass");
  EXPECT_EQ(store_.Row("issue-1").other.IntOr("from_the_future"), 1);
}

TEST_F(FilterStageTest, CallingItAgainChangesNothing) {
  Add("issue-10", "DISABLED test_ring (__main__.TestRing)", "a script");
  Add("pr-20", "Fix ring", "Fixes #10, with a test", kShared);
  AddRaw("pr-30", "Fix lanes");
  Run();
  const std::string bytes = *store_.Read(paths::kLedger);
  EXPECT_EQ(Run().revived, 0u);
  EXPECT_EQ(*store_.Read(paths::kLedger), bytes);
}

TEST_F(FilterStageTest, RowsThatHaveRunAreNotTouched) {
  Add("issue-10", "ring is wrong", "nothing");
  Add("pr-20", "Fix ring", "Fixes #10", kShared);
  LedgerRow done{.id = *CandidateId::Parse("issue-10"), .title = UntrustedText("t"), .url = "u"};
  done.deep_status = DeepStatus::kPass;
  done.local_status = LocalStatus::kDone;
  done.bucket = Bucket::kNotReproduced;
  LedgerRow promoted{.id = *CandidateId::Parse("pr-20"), .title = UntrustedText("t"), .url = "u"};
  promoted.deep_status = DeepStatus::kPass;
  promoted.history = {{"promoted", "issue-10 was blocked"}};
  ASSERT_TRUE(store_.Append(done, Durability::kNow));
  ASSERT_TRUE(store_.Append(promoted, Durability::kNow));
  Run();
  EXPECT_EQ(ToJson(store_.Row("issue-10")), ToJson(done));
  EXPECT_EQ(ToJson(store_.Row("pr-20")), ToJson(promoted));
}

TEST_F(FilterStageTest, WorksFromALedgerAloneAndSaysWhenThereIsNothing) {
  LedgerRow row{.id = *CandidateId::Parse("issue-1"), .title = UntrustedText("ring"), .url = "u"};
  ASSERT_TRUE(store_.Append(row, Durability::kNow));
  titles_["issue-1"] = "ring";
  AddDetails("issue-1", "a script");
  EXPECT_EQ(Run().passed, 1u);

  MemoryRunStore empty;
  const TitleFilter title = *TitleFilter::FromJson(ShippedRules().title);
  const DeepFilter deep = *DeepFilter::FromJson(ShippedRules().paths, ShippedRules().deep);
  const FilterRules rules{title, deep, [](const Details&) { return Material::kNone; }};
  EXPECT_EQ(RunFilter(empty, rules, progress_).error().kind, ErrorKind::kNotFound);
  ASSERT_TRUE(empty.Write(paths::kRawCandidates, "{}"));
  EXPECT_EQ(RunFilter(empty, rules, progress_).error().kind, ErrorKind::kProtocol);
}

}  // namespace
}  // namespace xpu_align
