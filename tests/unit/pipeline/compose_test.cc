#include "pipeline/compose.h"

#include "support/memory_run_store.h"
#include "unit/compose/compose_fixtures.h"

namespace xpu_align {
namespace {

class SilentProgress : public Progress {
 public:
  void StageStarted(const std::string&, size_t total) override { total_ = total; }
  void Step(const std::string&) override {}
  void StageFinished(const std::string&) override {}
  void Note(const std::string&) override {}
  void Warn(const std::string&) override {}
  size_t total_ = 0;
};

class ComposeStageTest : public testing::Test {
 protected:
  void Add(const Details& details, DeepStatus deep = DeepStatus::kPass) {
    LedgerRow row{.id = details.id, .title = details.title, .url = details.url, .deep_status = deep};
    ASSERT_TRUE(store_.Append(row, Durability::kStageEnd));
    ASSERT_TRUE(store_.Write(paths::Details(details.id), WriteJson(ToJson(details))));
  }
  Details WithNumber(int64_t number, const std::string& body) {
    Details details = Issue(body);
    details.id = CandidateId::OfIssue(number);
    return details;
  }

  MemoryRunStore store_;
  SilentProgress progress_;
  Composer composer_ = ComposerFor("xpu");
};

const std::string kScript = Fence("import torch\nassert torch.ones(2).sum() == 3\n");

TEST_F(ComposeStageTest, WritesScriptReferenceAndRecordAndKeepsTheRowPending) {
  Add(WithNumber(1, kScript));
  Add(WithNumber(2, "no code"));
  Add(WithNumber(3, kScript), DeepStatus::kReject);
  Details gone = WithNumber(4, "");
  gone.fetch_failure = "HTTP 410";
  Add(gone);
  const auto counts = ComposeStage(store_, composer_, progress_);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts->composed, 2u);
  EXPECT_EQ(counts->refused, 1u);
  EXPECT_EQ(progress_.total_, 3u);

  const LedgerRow row = store_.Row("issue-1");
  EXPECT_EQ(row.strategy, "reported-script");
  EXPECT_EQ(row.local_status, LocalStatus::kPending);
  EXPECT_EQ(row.bucket, std::nullopt);
  const auto record = CompositionFromJson(store_.ReadJson(paths::Composition(row.id)));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->script_sha256, row.script_sha256);
  EXPECT_TRUE(store_.Exists("scripts/repro_issue-1.py"));
  EXPECT_TRUE(store_.Exists(paths::ReferenceScript(row.id)));
  EXPECT_TRUE(store_.Exists("scripts/repro_issue-2.py"));
  EXPECT_FALSE(store_.Exists("artifacts/compositions/issue-2.cpu.py"));
  EXPECT_EQ(store_.Row("issue-2").local_status, LocalStatus::kPending);
  EXPECT_FALSE(store_.Exists("scripts/repro_issue-3.py"));
  EXPECT_FALSE(store_.Exists("scripts/repro_issue-4.py"));
}

TEST_F(ComposeStageTest, ASecondRunChangesNothing) {
  Add(WithNumber(1, kScript));
  ASSERT_TRUE(ComposeStage(store_, composer_, progress_));
  const auto files = store_.files();
  const Json row = ToJson(store_.Row("issue-1"));
  ASSERT_TRUE(ComposeStage(store_, composer_, progress_));
  EXPECT_EQ(store_.files(), files);
  EXPECT_EQ(ToJson(store_.Row("issue-1")), row);
  EXPECT_EQ(store_.appended().size(), 1u);
}

TEST_F(ComposeStageTest, ADoneRowIsLeftAloneAndMissingDetailsAreAnError) {
  LedgerRow row{.id = CandidateId::OfIssue(5), .title = UntrustedText("t"), .url = "u", .deep_status = DeepStatus::kPass};
  row.local_status = LocalStatus::kDone;
  row.bucket = Bucket::kBlockedFetch;
  ASSERT_TRUE(store_.Append(row, Durability::kStageEnd));
  EXPECT_TRUE(ComposeStage(store_, composer_, progress_));
  row.id = CandidateId::OfIssue(6);
  row.local_status = LocalStatus::kPending;
  row.bucket = std::nullopt;
  ASSERT_TRUE(store_.Append(row, Durability::kStageEnd));
  const auto counts = ComposeStage(store_, composer_, progress_);
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace xpu_align
