#include "audit/audit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "digest/sha256.h"
#include "json/json.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

// A good run directory, written by hand and not by the writers that the audit checks; each test damages one thing.
class AuditTest : public testing::Test {
 protected:
  AuditTest() : root_(fs::temp_directory_path() / ("audit_test." + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    for (const auto& [path, bytes] : files_) Write(path, bytes);
    WriteManifest();
  }
  ~AuditTest() override { fs::remove_all(root_); }

  void Write(const std::string& path, const std::string& bytes) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << bytes;
    files_[path] = bytes;
  }

  void WriteManifest(const std::string& target = "xpu", const std::string& source = "live") {
    Json files = Json::EmptyObject();
    for (const auto& [path, bytes] : files_)
      if (!path.ends_with("manifest.json")) files.Set(path, Sha256Hex(bytes));
    std::ofstream(root_ / "artifacts/manifest.json")
        << WriteJson(Json().Set("identity", Json().Set("target", target)).Set("source", source).Set("files", files));
  }

  // Replaces text of a file and makes the manifest agree, so that only the damage itself can be found.
  void Change(const std::string& path, const std::string& from, const std::string& to) {
    std::string bytes = files_.at(path);
    const size_t at = bytes.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    Write(path, bytes.replace(at, from.size(), to));
    WriteManifest();
  }

  // "check: text" of every finding.
  std::vector<std::string> Findings() {
    std::vector<std::string> all;
    const auto findings = Audit(root_);
    EXPECT_TRUE(findings.has_value());
    if (!findings) return all;
    for (const AuditFinding& finding : *findings) all.push_back(finding.check + ": " + finding.text);
    return all;
  }
  using Texts = std::vector<std::string>;

  void WriteCollection(const char* sources) {
    Write("artifacts/collection.json", std::string("{\"schema\": \"xpu-align/collection@1\", \"sources\": ") + sources + "}");
    WriteManifest();
  }

  static std::string Row(const std::string& id, const std::string& title, const std::string& deep,
                         const std::string& local, const std::string& bucket) {
    return R"({"deep_status":")" + deep + R"(","id":")" + id + R"(","local_bucket":)" + bucket +
           R"(,"local_status":")" + local + R"(","title_status":")" + title + "\"}\n";
  }

  static constexpr const char* kLedger = "artifacts/candidate_ledger.jsonl";
  static constexpr const char* kReport = "reports/full_scan.md";
  static constexpr const char* kEvidence = "artifacts/evidence/issue-9.json";

  fs::path root_;
  std::map<std::string, std::string> files_ = {
      {kLedger, Row("issue-9", "pass", "pass", "done", "\"confirmed\"") +
                    Row("issue-10", "pass", "reject", "pending", "null") +
                    Row("pr-5", "reject", "pending", "pending", "null") +
                    Row("commit-0123456789ab", "pass", "pass", "done", "\"blocked-fetch\"")},
      {"artifacts/raw_candidates.json",
       R"({"candidates":[{"id":"issue-9"},{"id":"issue-10"},{"id":"pr-5"},{"id":"commit-0123456789ab"}]})"},
      {kEvidence,
       R"({"id":"issue-9","target":"xpu","attempts":[
         {"arm":"target","role":"verdict","number":1,"outcome":{"kind":"exited","exit_status":1},
          "report":{"live_tensors":{"xpu":1},"exception":{"type":"RuntimeError"}}},
         {"arm":"target","role":"verdict","number":2,"outcome":{"kind":"exited","exit_status":1},
          "report":{"exception":{"type":"RuntimeError"}}}]})"},
      {"scripts/repro_issue-9.py", "import torch\n"},
      {"artifacts/output_issue-9.log", "RuntimeError\n"},
      {kReport,
       "# XPU alignment scan\n\ntext\n\n## Results\n\n### 1. issue-9: a title\n\n- Script: `scripts/repro_issue-9.py`\n"
       "- Log: `artifacts/output_issue-9.log`\n- Here: x\n\n  ```\n  y\n  ```\n\nLocal XPU result: `confirmed`\n\n- "
       "Verdict: none\n\n"
       "```python\nimport torch\n```\n\n### 2. commit-0123456789ab: \n\n- Kind: commit\n\nLocal XPU result: "
       "`blocked-fetch`\n\n"
       "## Final Summary\n\n"
       "| filter: collected | title-rejected | deep-rejected | passed-to-repro |\n| --- | --- | --- | --- |\n| 4 | 1 | "
       "1 | 2 |\n\n"
       "| validation | count |\n| --- | --- |\n| confirmed | 1 |\n| related-failure | 0 |\n| not-reproduced | 0 |\n"
       "| blocked-env | 0 |\n| blocked-platform | 0 |\n| blocked-fetch | 1 |\n| blocked-script-error | 0 |\n"
       "| needs-performance-harness | 0 |\n"},
      {"reports/issue_drafts.md", "# Proposed for filing\n\n## Issue 1\n\ntext\n"}};
};

TEST_F(AuditTest, GoodDirectoryHasNoFinding) { EXPECT_EQ(Findings(), Texts{}); }

TEST_F(AuditTest, DirectoryMadeByHandNeedsNoManifest) {
  fs::remove(root_ / "artifacts/manifest.json");
  EXPECT_EQ(Findings(), Texts{});
}

TEST_F(AuditTest, DamagedManifestVouchesForNothing) {
  for (const char* bytes : {"", "{", "[]", "null"}) {
    std::ofstream(root_ / "artifacts/manifest.json") << bytes;
    EXPECT_EQ(Findings(), Texts{"hashes: artifacts/manifest.json is damaged: nothing vouches for the files"}) << bytes;
  }
}

TEST_F(AuditTest, MissingDirectoryIsAnError) { EXPECT_EQ(Audit(root_ / "none").error().kind, ErrorKind::kFileSystem); }

TEST_F(AuditTest, MissingLedgerIsAnError) {
  fs::remove(root_ / kLedger);
  EXPECT_EQ(Audit(root_).error().kind, ErrorKind::kFileSystem);
}

TEST_F(AuditTest, PendingActionableRow) {
  Write(kLedger, files_[kLedger] + Row("issue-11", "pass", "pending", "pending", "null"));
  Change("artifacts/raw_candidates.json", "{\"id\":\"pr-5\"}", "{\"id\":\"pr-5\"},{\"id\":\"issue-11\"}");
  Change(kReport, "| 4 | 1", "| 5 | 1");
  EXPECT_EQ(Findings(), Texts{"pending-rows: issue-11 is pending"});
}

TEST_F(AuditTest, LastLineOfAnIdWinsAndATornLineIsDropped) {
  Write(kLedger, Row("issue-9", "pass", "pass", "pending", "null") + files_[kLedger] + R"({"id":"issue-12","ti)");
  WriteManifest();
  EXPECT_EQ(Findings(), Texts{});
}

TEST_F(AuditTest, LedgerLineThatIsNoRow) {
  Write(kLedger, files_[kLedger] + "{\"id\":\"../../etc/passwd\"}\n");
  WriteManifest();
  EXPECT_EQ(Findings(), Texts{"ids: line 5 of the ledger is no row of a candidate"});
}

TEST_F(AuditTest, CollectedIdThatIsNotInTheLedger) {
  Change("artifacts/raw_candidates.json", "{\"id\":\"pr-5\"}", "{\"id\":\"pr-5\"},{\"id\":\"pr-6\"}");
  EXPECT_EQ(Findings(), Texts{"ids: pr-6 was collected and is not in the ledger"});
}

TEST_F(AuditTest, LedgerIdThatWasNotCollected) {
  Change("artifacts/raw_candidates.json", "{\"id\":\"pr-5\"},", "");
  EXPECT_EQ(Findings(), Texts{"ids: pr-5 is in the ledger and was not collected"});
}

TEST_F(AuditTest, UnknownBucket) {
  Change(kLedger, "\"blocked-fetch\"", "\"blocked-weather\"");
  EXPECT_EQ(Findings(),
            (Texts{"states: commit-0123456789ab has the unknown bucket blocked-weather",
                   "result-lines: entry 2 (commit-0123456789ab) says blocked-fetch, the ledger says blocked-weather",
                   "summary: the final summary says blocked-fetch 1, the ledger says 0"}));
}

TEST_F(AuditTest, RejectedRowWithBucket) {
  Change(kLedger, R"("deep_status":"pending","id":"pr-5","local_bucket":null)",
         R"("deep_status":"pending","id":"pr-5","local_bucket":"not-reproduced")");
  EXPECT_EQ(Findings(), Texts{"states: pr-5 is not done and has a bucket"});
}

TEST_F(AuditTest, StatesThatContradictEachOther) {
  Change(kLedger, R"("deep_status":"reject","id":"issue-10","local_bucket":null,"local_status":"pending")",
         R"("deep_status":"reject","id":"issue-10","local_bucket":null,"local_status":"done")");
  EXPECT_EQ(Findings(), (Texts{"states: issue-10 is rejected and done", "states: issue-10 is done and has no bucket"}));
}

TEST_F(AuditTest, UnknownState) {
  Change(kLedger, R"("deep_status":"reject")", R"("deep_status":"skipped")");
  EXPECT_EQ(Findings().front(), "states: issue-10 has a state that is none of the procedure's");
}

TEST_F(AuditTest, ConfirmedWithoutEvidence) {
  fs::remove(root_ / kEvidence);
  files_.erase(kEvidence);
  WriteManifest();
  EXPECT_EQ(Findings(), Texts{"proof: issue-9 is confirmed and has no evidence"});
}

TEST_F(AuditTest, ConfirmedByOneAttempt) {
  Change(kEvidence, R"("number":2)", R"("number":1)");
  EXPECT_EQ(Findings(), Texts{"proof: issue-9 is confirmed without two attempts that agree"});
}

TEST_F(AuditTest, ConfirmedByAttemptsThatDiffer) {
  Change(kEvidence, R"("report":{"exception":{"type":"RuntimeError"}})",
         R"("report":{"exception":{"type":"OSError"}})");
  EXPECT_EQ(Findings(), Texts{"proof: issue-9 is confirmed without two attempts that agree"});
}

TEST_F(AuditTest, AttemptsOfTheReferenceArmDoNotCount) {
  Change(kEvidence, R"("arm":"target","role":"verdict","number":2)", R"("arm":"cpu","role":"verdict","number":2)");
  EXPECT_EQ(Findings(), Texts{"proof: issue-9 is confirmed without two attempts that agree"});
}

TEST_F(AuditTest, ConfirmedWithoutDeviceProof) {
  Change(kEvidence, R"({"xpu":1})", R"({"cpu":1,"meta":3})");
  EXPECT_EQ(Findings(), Texts{"proof: issue-9 is confirmed and nothing shows that it ran on the device"});
}

TEST_F(AuditTest, ConfirmedOnAnotherTarget) {
  Change(kEvidence, R"("target":"xpu")", R"("target":"cuda")");
  EXPECT_EQ(Findings(), Texts{"proof: issue-9 is confirmed by a run on cuda, the target is xpu"});
}

TEST_F(AuditTest, ReferenceTargetNeedsNoDeviceProofButTheLineUnderTheTitle) {
  Write(kEvidence, R"({"id":"issue-9","target":"cpu","attempts":[
      {"arm":"target","role":"verdict","number":1,"outcome":{"kind":"signalled","signal":"SIGSEGV"}},
      {"arm":"target","role":"verdict","number":2,"outcome":{"kind":"signalled","signal":"SIGSEGV"}}]})");
  WriteManifest("cpu");
  EXPECT_EQ(Findings(), Texts{"target-line: the target is the CPU and the line under the title does not say so"});
  Change(kReport, "scan\n\n", "scan\nTarget: cpu. No XPU evidence in this report.\n\n");
  WriteManifest("cpu");
  EXPECT_EQ(Findings(), Texts{});
}

TEST_F(AuditTest, FileThatChangedAfterTheManifest) {
  std::ofstream(root_ / "scripts/repro_issue-9.py") << "import os\n";
  EXPECT_EQ(Findings(), Texts{"hashes: scripts/repro_issue-9.py differs from the manifest"});
}

TEST_F(AuditTest, CitedFileThatIsMissing) {
  fs::remove(root_ / "artifacts/output_issue-9.log");
  EXPECT_EQ(Findings(),
            (Texts{"hashes: artifacts/output_issue-9.log is in the manifest and is no readable file",
                   "citations: entry 1 (issue-9) cites artifacts/output_issue-9.log, which is no readable file"}));
}

TEST_F(AuditTest, CitedFileThatTheManifestDoesNotHave) {
  files_.erase("scripts/repro_issue-9.py");
  WriteManifest();
  EXPECT_EQ(Findings(),
            Texts{"citations: entry 1 (issue-9) cites scripts/repro_issue-9.py, which the manifest does not have"});
}

TEST_F(AuditTest, LinksAndPathsOutsideAreNotFollowed) {
  fs::remove(root_ / "scripts/repro_issue-9.py");
  fs::create_symlink("/proc/version", root_ / "scripts/repro_issue-9.py");
  EXPECT_EQ(Findings().front(), "hashes: scripts/repro_issue-9.py is in the manifest and is no readable file");
  fs::remove(root_ / "artifacts/manifest.json");
  Write("outside.txt", "x");
  for (const std::string& path : {"../" + root_.filename().string() + "/outside.txt", std::string("/proc/version")}) {
    SCOPED_TRACE(path);
    std::string report = files_[kReport];
    Write(kReport, report.replace(report.find("artifacts/output_issue-9.log"), 28, path));
    const Texts findings = Findings();
    EXPECT_EQ(findings.back(), "citations: entry 1 (issue-9) cites " + path + ", which is no readable file");
    std::string restored = files_[kReport];
    Write(kReport, restored.replace(restored.find(path), path.size(), "artifacts/output_issue-9.log"));
  }
}

TEST_F(AuditTest, EntryWithoutResultLine) {
  Change(kReport, "Local XPU result: `confirmed`\n\n", "");
  EXPECT_EQ(Findings(), Texts{"result-lines: entry 1 (issue-9) has 0 exact and 0 other result lines instead of one"});
}

TEST_F(AuditTest, ResultLineThatIsOnlyQuotedDoesNotCount) {
  for (const char* quoted :
       {"```\nLocal XPU result: `confirmed`\n```\n\n", "> Local XPU result: `confirmed`\n\n",
        "- Local XPU result: `confirmed`\n\n", "    Local XPU result: `confirmed`\n\n",
        "<pre>\nLocal XPU result: `confirmed`\n</pre>\n\n", "- item\nLocal XPU result: `confirmed`\n\n"}) {
    SCOPED_TRACE(quoted);
    const std::string good = files_[kReport];
    Change(kReport, "Local XPU result: `confirmed`\n\n", quoted);
    EXPECT_EQ(Findings(), Texts{"result-lines: entry 1 (issue-9) has 0 exact and 0 other result lines instead of one"});
    Write(kReport, good);
  }
}

TEST_F(AuditTest, ForgedSecondResultLine) {
  Change(kReport, "- Verdict: none\n", "Local XPU result: `confirmed`\n\n- Verdict: none\n");
  EXPECT_EQ(Findings(), Texts{"result-lines: entry 1 (issue-9) has 2 exact and 0 other result lines instead of one"});
}

TEST_F(AuditTest, ResultLineThatIsNotExact) {
  Change(kReport, "Local XPU result: `confirmed`\n", "Local XPU result: `confirmed` (twice)\n");
  EXPECT_EQ(Findings(), Texts{"result-lines: entry 1 (issue-9) has 0 exact and 1 other result lines instead of one"});
}

TEST_F(AuditTest, ResultLineThatDisagreesWithTheLedger) {
  Change(kReport, "Local XPU result: `confirmed`", "Local XPU result: `not-reproduced`");
  EXPECT_EQ(Findings(), Texts{"result-lines: entry 1 (issue-9) says not-reproduced, the ledger says confirmed"});
}

TEST_F(AuditTest, ResultLineOutsideOfAnEntry) {
  Change(kReport, "text\n", "Local XPU result: `confirmed`\n");
  EXPECT_EQ(Findings(), Texts{"result-lines: 1 result lines stand outside of an entry"});
}

TEST_F(AuditTest, EntryThatIsMissing) {
  Change(kReport, "### 2. commit-0123456789ab: \n\n- Kind: commit\n\nLocal XPU result: `blocked-fetch`\n\n", "");
  EXPECT_EQ(Findings(), Texts{"counts: the report has 1 entries, the ledger has 2 done rows"});
}

TEST_F(AuditTest, EntryWithTheWrongNumber) {
  Change(kReport, "### 2. ", "### 3. ");
  EXPECT_EQ(Findings(), Texts{"counts: entry 3 (commit-0123456789ab) should have number 2"});
}

TEST_F(AuditTest, EntryWithoutNumber) {
  Change(kReport, "### 2. commit", "### commit");
  EXPECT_EQ(Findings(), (Texts{"counts: the report has 1 entries, the ledger has 2 done rows",
                               "counts: 1 headings under Results have no number and id",
                               "result-lines: 1 result lines stand outside of an entry"}));
}

TEST_F(AuditTest, RejectedRowThatIsListed) {
  Change(kReport, "## Final Summary", "### 3. issue-10: x\n\nLocal XPU result: `not-reproduced`\n\n## Final Summary");
  EXPECT_EQ(Findings(), (Texts{"rejected-listed: issue-10 is rejected and has an entry",
                               "counts: the report has 3 entries, the ledger has 2 done rows"}));
}

TEST_F(AuditTest, SummaryThatDoesNotAddUp) {
  Change(kReport, "| confirmed | 1 |", "| confirmed | 2 |");
  EXPECT_EQ(Findings(), Texts{"summary: the final summary says confirmed 2, the ledger says 1"});
}

TEST_F(AuditTest, CheckpointIsNotComplete) {
  Change(kReport, "## Final Summary", "## Progress checkpoint");
  EXPECT_EQ(Findings(), Texts{"summary: the report is a progress checkpoint; run the report stage again"});
}

TEST_F(AuditTest, ReportThatIsMissing) {
  fs::remove(root_ / kReport);
  files_.erase(kReport);
  WriteManifest();
  EXPECT_EQ(Findings(), Texts{"counts: reports/full_scan.md is missing"});
}

TEST_F(AuditTest, ASourceThatIsNotLiveIsSaidInTitleAndDrafts) {
  WriteManifest("xpu", "replayed");
  EXPECT_EQ(Findings(), (Texts{"source: the run is replayed and the title of the report does not say so",
                               "source: the run is replayed and the drafts do not say that they can not be filed"}));
  Change(kReport, "# XPU alignment scan\n", "# XPU alignment scan (replayed)\n");
  Change("reports/issue_drafts.md", "# Proposed", "These drafts can not be filed: it is a replay.\n\n# Proposed");
  WriteManifest("xpu", "replayed");
  EXPECT_EQ(Findings(), Texts{});
  WriteManifest("xpu", "elsewhere");
  EXPECT_EQ(Findings(), Texts{"source: the manifest says that the run is elsewhere, which is no source"});
}

TEST_F(AuditTest, DraftThatIsMissing) {
  Change("reports/issue_drafts.md", "## Issue 1", "### Issue 1");
  EXPECT_EQ(Findings(), Texts{"drafts: there are 0 drafts for 1 confirmed and related-failure rows"});
}

TEST_F(AuditTest, DeepNestingInADownloadedReportIsSurvived) {
  Write(kReport, std::string(100'000, '>') + "\n\n# " + std::string(100'000, '[') + "\n");
  WriteManifest();
  EXPECT_FALSE(Findings().empty());
}

TEST_F(AuditTest, ASourceThatIsNotWholeIsFound) {
  WriteCollection(R"([{"name": "commits", "complete": true}])");
  EXPECT_EQ(Findings(), Texts{});
  WriteCollection(R"([{"name": "commits", "complete": false, "reason": "no answer"}, {"name": "details"}])");
  EXPECT_EQ(Findings(), (Texts{"sources: commits is incomplete: no answer",
                               "sources: details is incomplete: no reason is recorded"}));
  WriteCollection("[");
  EXPECT_EQ(Findings().size(), 1u);
}

}  // namespace
}  // namespace xpu_align
