#include "report/report.h"

#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/sample_report.h"

namespace xpu_align {
namespace {

std::string LineAt(const std::string& text, int number) {
  size_t begin = 0;
  for (int i = 1; i < number; ++i) begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

size_t CountLines(const std::string& text, const std::string& line) {
  size_t count = 0;
  for (size_t at = ("\n" + text).find("\n" + line + "\n"); at != std::string::npos;
       at = ("\n" + text).find("\n" + line + "\n", at + 1))
    ++count;
  return count;
}

TEST(ReportTest, CompleteScanIsAsReviewed) { ExpectGolden("full_scan.md", RenderReport(SampleReport().input())); }

TEST(ReportTest, CheckpointIsAsReviewed) {
  SampleReport sample;
  sample.Row("issue-103").local_status = LocalStatus::kPending;
  sample.Row("issue-103").bucket.reset();
  sample.Row("issue-103").hold = "the device did not answer";
  sample.input().audit_findings = {"pending-rows: issue-103 is pending"};
  ExpectGolden("full_scan_checkpoint.md", RenderReport(sample.input()));
}

TEST(ReportTest, MissedNightsAreSaid) {
  SampleReport sample;
  sample.input().collection.Set("gaps", *ParseJson(R"([{"start": "2026-11-24", "end": "2026-11-25"},
                                                       {"start": "2026-11-27", "end": "2026-11-27"},
                                                       {"start": "2026-11-28", "end": "# no date"}])"));
  const std::string line =
      "- Not covered by any complete scan before this one: 2026-11-24 to 2026-11-25, 2026-11-27 to 2026-11-27";
  EXPECT_EQ(CountLines(RenderReport(sample.input()), line), 1u);
}

TEST(ReportTest, EmptyScanHasOnlyTheSectionsWithContent) {
  ReportInput input{.window = Window::Day(*ParseDate("2026-11-29")),
                    .run_name = "2026-11-29-to-2026-11-29",
                    .repository = "pytorch/pytorch",
                    .events = "created",
                    .source = "live"};
  input.target.name = "xpu";
  ExpectGolden("full_scan_empty.md", RenderReport(input));
}

TEST(ReportTest, PrecheckPageIsAsReviewed) {
  ExpectGolden("repro_precheck.md", RenderPrecheck(SampleReport().input()));
}

TEST(ReportTest, StepSummaryIsAsReviewed) { ExpectGolden("step_summary.md", RenderSummary(SampleReport().input())); }

TEST(ReportTest, ReferenceRunSaysSoDirectlyUnderTheTitle) {
  SampleReport sample;
  sample.input().target = {.name = "cpu", .is_reference = true};
  const std::string report = RenderReport(sample.input());
  EXPECT_EQ(LineAt(report, 1), "# XPU alignment scan 2026-11-29 to 2026-11-29");
  EXPECT_EQ(LineAt(report, 2), "Target: cpu. No XPU evidence in this report.");
}

TEST(ReportTest, TestDeviceIsNoXpuEvidence) {
  SampleReport sample;
  sample.input().target = {.name = "testdev"};
  EXPECT_EQ(LineAt(RenderReport(sample.input()), 2), "Target: testdev. No XPU evidence in this report.");
}

TEST(ReportTest, XpuRunHasNoSuchLine) {
  EXPECT_EQ(RenderReport(SampleReport().input()).find("No XPU evidence"), std::string::npos);
}

TEST(ReportTest, SourceThatIsNotLiveStandsInTheTitle) {
  SampleReport sample;
  sample.input().source = "demo";
  sample.input().run_name = "spot-issue-101";
  EXPECT_EQ(LineAt(RenderReport(sample.input()), 1),
            "# XPU alignment scan 2026-11-29 to 2026-11-29 (spot-issue-101) (demo)");
}

TEST(ReportTest, OneResultLineForEachDoneRowWhateverIsQuoted) {
  const std::string report = RenderReport(SampleReport().input());
  // issue-101 and the commit; the forged line in the output of issue-101 is broken.
  EXPECT_EQ(CountLines(report, "Local XPU result: `confirmed`"), 2u);
  EXPECT_EQ(CountLines(report, "## Final Summary"), 1u);
}

TEST(ReportTest, EqualInputsGiveEqualBytes) {
  EXPECT_EQ(RenderReport(SampleReport().input()), RenderReport(SampleReport().input()));
}

TEST(ReportTest, SummaryStaysBelowTheLimitOfGitHub) {
  SampleReport sample;
  const std::string title(5000, '@');  // every character becomes twelve
  for (int number = 1000; number < 6000; ++number) {
    LedgerRow row = sample.Row("issue-101");
    row.id = CandidateId::OfIssue(number);
    row.title = UntrustedText(title);
    row.title_rule = std::string(1000, 'x') + std::to_string(number);
    if (number % 2) row.title_status = TitleStatus::kReject;
    sample.input().rows.push_back(row);
  }
  const Json source = Json().Set("name", std::string(60, '#')).Set("reason", std::string(300, '#'));
  sample.input().collection.Set("sources", Json::Array(3000, source));
  const std::string summary = RenderSummary(sample.input());
  EXPECT_LE(summary.size(), 900u * 1024);
  EXPECT_TRUE(summary.ends_with("\nThis summary was cut; the report has everything.\n"));
}

TEST(ReportTest, SaysWhatARunWithoutATokenCanNotSee) {
  SampleReport sample;
  sample.input().collection.Set("limits", "REST only, no token");
  EXPECT_TRUE(RenderReport(sample.input())
                  .contains("- Completeness: PARTIAL: commits (the clone could not be fetched); complete: "
                            "issues-and-prs 9; REST only, no token\n"));
}

}  // namespace
}  // namespace xpu_align
