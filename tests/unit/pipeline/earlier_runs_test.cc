#include "pipeline/earlier_runs.h"

#include <gtest/gtest.h>

#include "digest/sha256.h"
#include "model/schema.h"
#include "pipeline/run_identity.h"
#include "pipeline/run_record.h"
#include "support/memory_run_store.h"

namespace xpu_align {
namespace {

const std::string kHead(40, 'a'), kTrunk(40, 'b');

// A history of the entries given to it.
class GivenHistory : public HistoryStore {
 public:
  Status Record(const HistoryRecord&) override { return Fail(ErrorKind::kFileSystem, "not asked for"); }
  Status ReplaceAll(std::span<const HistoryRecord>) override { return Fail(ErrorKind::kFileSystem, "not asked for"); }
  Result<bool> Knows(const std::string&) override { return false; }
  Result<std::vector<HistoryRun>> Runs() override { return std::vector<HistoryRun>(); }
  Result<std::vector<HistoryRow>> RowsOf(const std::string&) override { return std::vector<HistoryRow>(); }
  Result<std::vector<HistoryEntry>> Find(std::string_view repository, std::string_view source,
                                         std::span<const CandidateId>) override {
    EXPECT_EQ(repository, "pytorch/pytorch");
    EXPECT_EQ(source, "live");
    if (broken) return Fail(ErrorKind::kFileSystem, "broken");
    return entries;
  }
  std::vector<HistoryEntry> entries;
  bool broken = false;
};

// Hands out the store of the test as the directory of every run.
class Borrowed : public MemoryRunStore {
 public:
  explicit Borrowed(MemoryRunStore& real) { files() = real.files(); }
};

class EarlierRunsTest : public testing::Test {
 protected:
  EarlierRunsTest() {
    details_.title = UntrustedText("Fix foo");
    details_.url = "https://github.com/pytorch/pytorch/pull/7";
    details_.sha = kHead;
    details_.state = "open";
    details_.updated_at = candidate_.updated_at = "2026-11-25T10:00:00Z";
    details_.diff_source = "clone";
    HistoryEntry entry{.row = {.id = candidate_.id}};
    entry.run.directory = "/w/a";
    entry.run.scope.target = "cuda";  // details are the same for every target
    entry.run.window = Window::Day(*ParseDate("2026-11-25"));
    history_.entries = {entry};
    Save();
  }
  void Save() {
    const std::string bytes = WriteJson(ToJson(details_));
    directory_.Write(paths::Details(details_.id), bytes).value();
    history_.entries[0].row.details_sha256 = Sha256Hex(bytes);
  }
  std::optional<EarlierRuns::Reusable> Ask(const std::string& landed = "", const char* first = "2026-11-24") {
    EarlierRuns runs(history_, {"pytorch/pytorch", "xpu", "live"},
                     *Window::Of(*ParseDate(first), *ParseDate("2026-11-25")),
                     [this](const std::string& directory) -> Result<std::unique_ptr<RunStore>> {
                       if (directory != "/w/a" || gone_) return Fail(ErrorKind::kNotFound, "gone");
                       return std::make_unique<Borrowed>(directory_);
                     });
    looked_ = runs.Look(std::span(&candidate_.id, 1)).has_value();
    return runs.DetailsOf(candidate_, landed);
  }

  Candidate candidate_{.id = CandidateId::OfPullRequest(7), .number = 7};
  Details details_{.id = CandidateId::OfPullRequest(7)};
  GivenHistory history_;
  MemoryRunStore directory_;
  bool gone_ = false, looked_ = false;
};

TEST_F(EarlierRunsTest, UnchangedDetailsAreTakenByteByByte) {
  const auto found = Ask();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes, directory_.Read(paths::Details(details_.id)).value());
  EXPECT_EQ(found->sha256, Sha256Hex(found->bytes));
  EXPECT_EQ(found->window, "2026-11-25-to-2026-11-25");
}

TEST_F(EarlierRunsTest, AnUpdateIsFetched) {
  candidate_.updated_at = "2026-11-25T10:00:01Z";
  EXPECT_FALSE(Ask());
}

TEST_F(EarlierRunsTest, BytesThatTheHistoryDoesNotRememberAreFetched) {
  std::string bytes = directory_.Read(paths::Details(details_.id)).value();
  bytes.replace(bytes.find("Fix foo"), 7, "Fox fii");
  directory_.Write(paths::Details(details_.id), bytes).value();
  EXPECT_FALSE(Ask());
}

TEST_F(EarlierRunsTest, ADirectoryThatIsGoneIsNoError) {
  gone_ = true;
  EXPECT_FALSE(Ask());
  EXPECT_TRUE(looked_);
}

TEST_F(EarlierRunsTest, TheSameWindowFetchesForItself) { EXPECT_FALSE(Ask("", "2026-11-25")); }

TEST_F(EarlierRunsTest, WhatLandedSinceIsFetched) {
  EXPECT_FALSE(Ask(kTrunk));
  details_.landed_sha = kTrunk;
  Save();
  EXPECT_TRUE(Ask(kTrunk));
  EXPECT_TRUE(Ask(""));  // landed in the other run's window
}

TEST_F(EarlierRunsTest, WhatCouldNotBeHadIsTriedAgain) {
  details_.diff_source = "none";
  Save();
  EXPECT_FALSE(Ask());
  details_.diff_source = "clone";
  details_.fetch_failure = "HTTP 404";
  Save();
  EXPECT_FALSE(Ask());
  details_.fetch_failure.clear();
  details_.incomplete_because = "comments: HTTP 502";
  Save();
  EXPECT_FALSE(Ask());
  details_.incomplete_because.clear();
  Save();
  EXPECT_TRUE(Ask());
}

TEST_F(EarlierRunsTest, ABrokenHistoryKnowsNothing) {
  history_.broken = true;
  EXPECT_FALSE(Ask());
  EXPECT_FALSE(looked_);
}

// ---- What a run directory says about its run.

class RunRecordTest : public testing::Test {
 protected:
  void Claim(const std::string& window) {
    ClaimRun(store_, {.identity = {.repository = "pytorch/pytorch",
                                   .window = window,
                                   .events = "created",
                                   .target = "xpu",
                                   .rules_sha256 = "r",
                                   .torch_version = "2.15",
                                   .build = kTrunk}})
        .value();
  }
  void Finish() {
    store_.Write(paths::kCollection, R"({"schema": "xpu-align/collection@1", "sources": []})").value();
    Json manifest = store_.ReadJson(paths::kManifest);
    store_.Write(paths::kManifest, WriteJson(manifest.Set("files", Json::EmptyObject()))).value();
  }
  std::optional<HistoryRecord> Read() {
    return RecordOf(store_, "/w/a", [this]() -> Result<std::vector<AuditFinding>> { return findings_; }).value();
  }
  LedgerRow Row(const char* id, LocalStatus status = LocalStatus::kPending) {
    LedgerRow row{.id = *CandidateId::Parse(id), .title = UntrustedText("t"), .url = "https://github.com/o/r"};
    row.deep_status = DeepStatus::kPass;
    row.local_status = status;
    return row;
  }

  MemoryRunStore store_;
  std::vector<AuditFinding> findings_;
};

TEST_F(RunRecordTest, OnlyWindowsHaveARecord) {
  EXPECT_FALSE(Read());
  Claim("spot-issue-7");
  EXPECT_FALSE(Read());
}

TEST_F(RunRecordTest, TheOutcomeIsTheAudits) {
  Claim("2026-11-25-to-2026-11-26");
  EXPECT_EQ(Read()->run.outcome, RunOutcome::kFailed);  // nothing collected
  store_.Write(paths::kCollection, "{}").value();
  EXPECT_EQ(Read()->run.outcome, RunOutcome::kPartial);  // no report yet
  Finish();
  EXPECT_EQ(Read()->run.outcome, RunOutcome::kComplete);
  findings_ = {{"pending-rows", "one is pending"}};
  EXPECT_EQ(Read()->run.outcome, RunOutcome::kPartial);
}

TEST_F(RunRecordTest, TheRunIsDescribed) {
  Claim("2026-11-25-to-2026-11-26");
  Finish();
  store_.Write(paths::kTiming, R"({"schema": "xpu-align/timing@1", "execute": {"a": 1}})").value();
  StampRun(store_, "0.1.0", 1796018400).value();
  StampRun(store_, "0.1.1", 1796018460).value();
  HistoryRun expected{.directory = "/w/a", .scope = {"pytorch/pytorch", "xpu", "live"},
                      .window = *Window::Named("2026-11-25-to-2026-11-26"), .events = "created"};
  expected.outcome = RunOutcome::kComplete;
  expected.torch_version = "2.15";
  expected.build = kTrunk;
  expected.version = "0.1.1";
  expected.started_at = "2026-11-30T06:00:00Z";
  expected.finished_at = "2026-11-30T06:01:00Z";
  EXPECT_EQ(Read()->run, expected);
  EXPECT_EQ(store_.ReadJson(paths::kTiming)["execute"].IntOr("a"), 1);
}

TEST_F(RunRecordTest, RowsSayHowFarEachCandidateCame) {
  Claim("2026-11-25-to-2026-11-25");
  LedgerRow done = Row("issue-9", LocalStatus::kDone), member = Row("pr-10"), rejected = Row("pr-11"), alone = Row("pr-12");
  done.bucket = Bucket::kConfirmed;
  done.decided_by = DecidedBy::kRun;
  done.verdict = Verdict::kTrackUpstream;
  done.chain = member.chain = Chain{"issue-9", "issue-9", {"issue-9", "pr-10"}};
  member.deep_status = DeepStatus::kReject;
  member.deep_reason = {"duplicate-chain", "stands for it"};
  rejected.title_status = TitleStatus::kReject;
  rejected.deep_status = DeepStatus::kPending;
  alone.deep_status = DeepStatus::kReject;
  alone.deep_reason = {"platform-exclusive", "only Metal"};
  for (const LedgerRow& row : {done, member, rejected, alone, Row("issue-13")})
    ASSERT_TRUE(store_.Append(row, Durability::kNow)) << row.id.Text();
  store_.Write(paths::kRawCandidates, R"({"candidates": [{"id": "pr-10", "kind": "pr", "number": 10, "title": "t",
    "url": "u", "updated_at": "2026-11-25T10:00:00Z", "text_sha256": "aa",
    "events": [{"name": "merged", "at": "2026-11-25T12:00:00Z"}]}]})").value();
  store_.Write(paths::Details(CandidateId::OfPullRequest(10)), "abc").value();

  HistoryRow of_done{.id = done.id, .reached = Reached::kDone, .bucket = Bucket::kConfirmed, .verdict = Verdict::kTrackUpstream};
  HistoryRow of_member{.id = member.id, .reached = Reached::kChained, .bucket = Bucket::kConfirmed, .verdict = Verdict::kTrackUpstream};
  of_member.updated_at = "2026-11-25T10:00:00Z";
  of_member.merged_at = "2026-11-25T12:00:00Z";
  of_member.text_sha256 = "aa";
  of_member.details_sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";  // FIPS 180: "abc"
  EXPECT_EQ(Read()->rows, (std::vector<HistoryRow>{of_done, {.id = *CandidateId::Parse("issue-13"), .reached = Reached::kPending},
                                                   of_member, {.id = rejected.id, .reached = Reached::kTitleRejected},
                                                   {.id = alone.id, .reached = Reached::kDeepRejected}}));
}

TEST_F(RunRecordTest, AMemberWhoseLeaderIsNotDoneHasNoAnswer) {
  Claim("2026-11-25-to-2026-11-25");
  LedgerRow leader = Row("issue-9"), member = Row("pr-10");
  leader.chain = member.chain = Chain{"issue-9", "issue-9", {"issue-9", "pr-10"}};
  member.deep_status = DeepStatus::kReject;
  member.deep_reason = {"duplicate-chain", "stands for it"};
  for (const LedgerRow& row : {leader, member}) ASSERT_TRUE(store_.Append(row, Durability::kNow));
  EXPECT_EQ(Read()->rows[1].reached, Reached::kDeepRejected);
  EXPECT_EQ(Read()->rows[1].bucket, std::nullopt);
}

}  // namespace
}  // namespace xpu_align
