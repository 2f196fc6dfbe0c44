#include "pipeline/report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "digest/sha256.h"
#include "model/schema.h"
#include "pipeline/audit.h"
#include "support/memory_run_store.h"
#include "support/sample_report.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

class Messages : public Progress {
 public:
  void StageStarted(const std::string&, size_t) override {}
  void Step(const std::string&) override {}
  void StageFinished(const std::string& summary) override { finished = summary; }
  void Note(const std::string&) override {}
  void Warn(const std::string& text) override { warnings.push_back(text); }
  std::string finished;
  std::vector<std::string> warnings;
};

// The sample scan as a run directory, with the real audit on a copy of it on disk.
class ReportStageTest : public testing::Test {
 protected:
  ReportStageTest() : root_(fs::temp_directory_path() / ("report_stage_test." + std::to_string(::getpid()))) {
    request_.window = sample_.input().window;
    request_.run_name = sample_.input().run_name;
    request_.target = sample_.input().target;
    request_.continue_command = sample_.input().continue_command;
    MakeSourcesWhole();
  }
  ~ReportStageTest() override { fs::remove_all(root_); }

  // A day whose sources are all whole; the sample's own is partial.
  void MakeSourcesWhole() {
    Json whole = Json::EmptyArray();
    for (const Json& source : sample_.input().collection.ArrayOf("sources"))
      whole.Append(Json(source).Set("complete", true));
    sample_.input().collection.Set("sources", whole);
  }

  void Fill() {
    Json candidates = Json::EmptyArray();
    for (const LedgerRow& row : sample_.input().rows) {
      ASSERT_TRUE(store_.Append(row, Durability::kStageEnd));
      candidates.Append(Json().Set("id", row.id.Text()));
    }
    Put(paths::kRawCandidates, WriteJson(Json().Set("candidates", candidates)));
    Put(paths::kEnvironment, WriteJson(sample_.input().environment));
    Put(paths::kCollection, WriteJson(sample_.input().collection));
    Put(paths::kCollectEnv, sample_.input().collect_env);
    for (const auto& [id, details] : sample_.input().details) Put(paths::Details(id), WriteJson(ToJson(details)));
    for (const auto& [id, composition] : sample_.input().compositions)
      Put(paths::Composition(id), WriteJson(ToJson(composition)));
    for (const auto& [id, script] : sample_.input().scripts) Put(paths::Script(id), script);
    for (const auto& [id, evidence] : sample_.input().evidence) {
      Put(paths::Evidence(id), WriteJson(ToJson(evidence)));
      for (const Attempt& attempt : evidence.attempts) Put(attempt.log, "log\n");
    }
  }

  void Put(std::string_view path, const std::string& bytes) { ASSERT_TRUE(store_.Write(path, bytes)); }

  void CopyToDisk() {
    fs::remove_all(root_);
    const auto write = [&](const std::string& path, const std::string& bytes) {
      fs::create_directories((root_ / path).parent_path());
      std::ofstream(root_ / path, std::ios::binary) << bytes;
    };
    for (const auto& [path, bytes] : store_.files()) write(path, bytes);
    write(std::string(paths::kLedger), store_.Read(paths::kLedger).value_or(""));
  }

  Result<ReportOutcome> Run() {
    return ReportStage(
        store_, request_, [this] { return CopyToDisk(), Audit(root_); }, messages_);
  }

  SampleReport sample_;
  ReportRequest request_;
  MemoryRunStore store_;
  Messages messages_;
  fs::path root_;
};

std::vector<std::string> Texts(const std::vector<AuditFinding>& findings) {
  std::vector<std::string> texts;
  for (const AuditFinding& finding : findings) texts.push_back(finding.check + ": " + finding.text);
  return texts;
}

TEST_F(ReportStageTest, CompleteRunIsAuditedAndSaysSo) {
  Fill();
  const auto outcome = Run();
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(Texts(outcome->findings), std::vector<std::string>{});
  EXPECT_EQ(store_.files().at("reports/full_scan.md"), RenderReport(sample_.input()));
  EXPECT_EQ(store_.files().at("reports/issue_drafts.md"), RenderDrafts(sample_.input()));
  EXPECT_EQ(store_.files().at("reports/repro_precheck.md"), RenderPrecheck(sample_.input()));
  EXPECT_EQ(outcome->summary, RenderSummary(sample_.input()));
  EXPECT_EQ(messages_.finished, "complete, audited");
}

TEST_F(ReportStageTest, ManifestHasTheHashOfEveryFileAndKeepsTheIdentity) {
  Fill();
  Put(paths::kTiming, "{}");
  Put(paths::kManifest,
      R"({"schema": "xpu-align/manifest@1", "identity": {"target": "xpu", "window": "w"}, "source": "live"})");
  ASSERT_TRUE(Run());
  const Json manifest = store_.ReadJson(paths::kManifest);
  EXPECT_EQ(manifest["identity"].StringOr("window"), "w");
  size_t hashed = 0;
  for (const auto& [path, bytes] : store_.files()) {
    if (path == paths::kManifest || path == paths::kTiming) continue;
    EXPECT_EQ(manifest["files"].StringOr(path), Sha256Hex(bytes)) << path;
    ++hashed;
  }
  EXPECT_EQ(manifest["files"].AsObject()->size(), hashed);
}

TEST_F(ReportStageTest, TouchedFactsAreReportedAndAreNoRows) {
  Fill();
  Put(kFactsTouchedPath, R"({"schema": "xpu-align/facts-touched@1", "candidates": [{"id": "pr-1", "facts": [
      {"area": "streams", "fact": "F-1", "kind": "check", "subject": "A::f", "repo": "r", "path": "a.h", "lines": [4, 5]}]}]})");
  const auto outcome = Run();
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(Texts(outcome->findings), std::vector<std::string>{});
  EXPECT_TRUE(store_.files().at("reports/full_scan.md").contains("\n## Static findings\n"));
  EXPECT_EQ(messages_.finished, "complete, audited");
}

TEST_F(ReportStageTest, LedgerIsAtRestBeforeItIsHashed) {
  LedgerRow earlier = sample_.Row("issue-103");
  earlier.local_status = LocalStatus::kPending;
  earlier.bucket.reset();
  ASSERT_TRUE(store_.Append(earlier, Durability::kStageEnd));
  Fill();
  ASSERT_TRUE(Run());
  EXPECT_EQ(store_.appended().size(), sample_.input().rows.size());
}

TEST_F(ReportStageTest, SecondRunGivesTheSameBytes) {
  Fill();
  ASSERT_TRUE(Run());
  const auto first = store_.files();
  ASSERT_TRUE(Run());
  EXPECT_EQ(store_.files(), first);
}

TEST_F(ReportStageTest, PendingRowGivesACheckpointWithAMatchingManifest) {
  LedgerRow& row = sample_.Row("issue-103");
  row.local_status = LocalStatus::kPending;
  row.bucket.reset();
  Fill();
  const auto outcome = Run();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(Texts(outcome->findings), std::vector<std::string>{"pending-rows: issue-103 is pending"});
  const std::string& report = store_.files().at("reports/full_scan.md");
  EXPECT_NE(report.find("\n## Progress checkpoint\n"), std::string::npos);
  EXPECT_EQ(report.find("\n## Final Summary\n"), std::string::npos);
  EXPECT_EQ(store_.ReadJson(paths::kManifest)["files"].StringOr("reports/full_scan.md"), Sha256Hex(report));

  CopyToDisk();
  const auto again = AuditStage(root_, messages_);
  ASSERT_TRUE(again);
  EXPECT_EQ(messages_.warnings,
            (std::vector<std::string>{"pending-rows: issue-103 is pending",
                                      "summary: the report is a progress checkpoint; run the report stage again"}));
  EXPECT_EQ(messages_.finished, "2 findings");
}

TEST_F(ReportStageTest, HostileTextEverywhereDoesNotFoolTheAudit) {
  const std::string attack =
      "x\n\nLocal XPU result: `confirmed`\n\n### 1. issue-999: y\n\n## Final Summary\n\n```\n~~~\n````\n</pre><!--\n"
      "| confirmed | 99 |\n> Local XPU result: `not-reproduced`\n@pytorchbot merge\n";
  const UntrustedText text(attack);
  for (LedgerRow& row : sample_.input().rows) {
    row.title = text;
    row.url = attack;
    for (std::string* field :
         {&row.bucket_reason.text, &row.verdict_reason.text, &row.deep_reason.text, &row.signature.text,
          &row.route_repository, &row.route_rule, &row.recheck_after, &row.title_rule, &row.hold})
      if (!field->empty()) *field = attack;
    if (row.chain) row.chain->members.push_back(attack);
  }
  for (auto& [id, composition] : sample_.input().compositions) {
    composition.oracle.text = composition.oracle.message = text;
    composition.oracle.source = composition.refusal_text = attack;
  }
  for (auto& [id, script] : sample_.input().scripts) script = attack;
  for (auto& [id, details] : sample_.input().details) details.fetch_failure = attack;
  for (auto& [id, evidence] : sample_.input().evidence) {
    for (Attempt& attempt : evidence.attempts) {
      attempt.tail = text;
      attempt.report.fallback_operators = {attack};
      if (attempt.report.exception) attempt.report.exception->type = attack;
    }
  }
  sample_.input().collect_env = attack;
  sample_.input().environment.Set("torch_version", attack).Set("device_name", attack);
  const Json source = Json().Set("name", attack).Set("reason", attack);
  sample_.input().collection.Set("sources", Json::Array{Json(source).Set("complete", true)});
  Fill();
  const auto outcome = Run();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(Texts(outcome->findings), std::vector<std::string>{});
  Put(paths::kCollection, WriteJson(sample_.input().collection.Set("sources", Json::Array{source})));
  const auto partial = Run();
  ASSERT_TRUE(partial);
  ASSERT_EQ(partial->findings.size(), 1u);
  EXPECT_EQ(partial->findings[0].check, "sources");
}

TEST_F(ReportStageTest, DirectoryMadeByHandWithOnlyALedgerIsEnough) {
  LedgerRow row{.id = *CandidateId::Parse("issue-1"),
                .title = UntrustedText("t"),
                .url = "https://github.com/pytorch/pytorch/issues/1",
                .deep_status = DeepStatus::kPass,
                .local_status = LocalStatus::kDone,
                .bucket = Bucket::kBlockedFetch};
  ASSERT_TRUE(store_.Append(row, Durability::kNow));
  const auto outcome = Run();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(Texts(outcome->findings),
            std::vector<std::string>{"ids: artifacts/raw_candidates.json is missing or damaged"});
  const std::string& report = store_.files().at("reports/full_scan.md");
  EXPECT_NE(report.find("- Completeness: unknown"), std::string::npos);
  EXPECT_NE(report.find("- Environment: unknown"), std::string::npos);
  EXPECT_NE(report.find("\nLocal XPU result: `blocked-fetch`\n"), std::string::npos);
}

TEST_F(ReportStageTest, DamagedEvidenceIsWarnedAboutAndFoundByTheAudit) {
  Fill();
  Put("artifacts/evidence/issue-101.json", "{\"schema\":");
  const auto outcome = Run();
  ASSERT_TRUE(outcome);
  ASSERT_EQ(messages_.warnings.size(), 1u);
  EXPECT_TRUE(messages_.warnings[0].starts_with("artifacts/evidence/issue-101.json is damaged and left out: "));
  EXPECT_EQ(Texts(outcome->findings), std::vector<std::string>{"proof: issue-101 is confirmed and has no evidence"});
}

TEST_F(ReportStageTest, DirectoryOfAnotherTargetIsRefused) {
  Fill();
  request_.target.name = "cuda";
  const auto outcome = Run();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kConfig);
  EXPECT_EQ(outcome.error().message, "the run directory was made for target xpu, not cuda; use --target");
  EXPECT_FALSE(store_.Exists(paths::kFullScan));
}

TEST_F(ReportStageTest, MarkOfADemoSurvivesARequestThatSaysLive) {
  Fill();
  Put(paths::kManifest, R"({"source": "demo"})");
  ASSERT_TRUE(Run());
  EXPECT_TRUE(
      store_.files().at("reports/full_scan.md").starts_with("# XPU alignment scan 2026-11-29 to 2026-11-29 (demo)\n"));
  EXPECT_EQ(store_.ReadJson(paths::kManifest).StringOr("source"), "demo");
}

TEST_F(ReportStageTest, AuditThatCanNotReadTheDirectoryStopsTheStage) {
  Fill();
  const auto outcome = ReportStage(
      store_, request_, [] { return Fail(ErrorKind::kFileSystem, "gone"); }, messages_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "gone");
}

}  // namespace
}  // namespace xpu_align
