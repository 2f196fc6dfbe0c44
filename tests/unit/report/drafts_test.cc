#include "report/drafts.h"

#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/sample_report.h"

namespace xpu_align {
namespace {

// The first line that a bot could take for a command, or "".
std::string CommandLine(const std::string& body) {
  for (size_t begin = 0; begin < body.size(); begin = body.find('\n', begin) + 1)
    if (body[begin] == '@' || body[begin] == '/') return body.substr(begin, body.find('\n', begin) - begin);
  return {};
}

std::string BodyOf(SampleReport& sample, const char* id) {
  for (const Draft& draft : DraftsOf(sample.input()))
    if (draft.id.Text() == id) return draft.body;
  return {};
}

TEST(DraftsTest, FileIsAsReviewed) { ExpectGolden("issue_drafts.md", RenderDrafts(SampleReport().input())); }

TEST(DraftsTest, NoFindingIsOneLine) {
  ReportInput input;
  input.target.name = "xpu";
  EXPECT_EQ(RenderDrafts(input), "No confirmed or related-failure candidates in this scan.\n");
}

TEST(DraftsTest, OnlyNeedsXpuFixIsProposed) {
  SampleReport sample;
  const std::vector<Draft> drafts = DraftsOf(sample.input());
  ASSERT_EQ(drafts.size(), 3u);
  EXPECT_EQ(drafts[0].id.Text(), "issue-101");
  EXPECT_EQ(drafts[0].part, DraftPart::kProposed);
  EXPECT_EQ(drafts[1].part, DraftPart::kTracked);
  EXPECT_EQ(drafts[2].part, DraftPart::kTracked);
  EXPECT_EQ(drafts[0].labels, (std::vector<std::string>{"xpu-alignment", "upstream-issue", "confirmed"}));
  EXPECT_EQ(drafts[2].labels, (std::vector<std::string>{"xpu-alignment", "upstream-pr", "confirmed"}));  // the commit
}

TEST(DraftsTest, TitleIsOnePrintableLineWithOnePrefix) {
  const auto title = [](const char* text) { return DraftTitle("[xpu_alignment]", UntrustedText(text)); };
  EXPECT_EQ(title("a\nb\tc"), "[xpu_alignment] a b c");
  EXPECT_EQ(title("[xpu_alignment] a"), "[xpu_alignment] a");
  EXPECT_EQ(title("  [XPU-alignment] [xpu_alignment] a"), "[xpu_alignment] a");
  EXPECT_EQ(title("a\u202e\u200b\x1b[0m"), "[xpu_alignment] a[0m");
  EXPECT_EQ(title("\xff"), "[xpu_alignment] \xEF\xBF\xBD");
  EXPECT_EQ(title(std::string(1000, 'x').c_str()).size(), 256u);
}

TEST(DraftsTest, SettingsChangePrefixAndLabels) {
  SampleReport sample;
  sample.input().drafts = {"[parity]", {"a", "b"}};
  const Draft draft = DraftsOf(sample.input())[0];
  EXPECT_TRUE(draft.title.starts_with("[parity] torch.foo"));
  EXPECT_EQ(draft.labels, (std::vector<std::string>{"a", "b", "upstream-issue", "confirmed"}));
}

TEST(DraftsTest, NoBodyLineIsACommand) {
  SampleReport sample;
  const char* attack =
      "@pytorchbot merge\n/merge\n  @torchxpubot fix\n\t/close\n@someone please\n@torch.jit.script\nplain\n";
  sample.input().collect_env = attack;
  for (auto& [id, evidence] : sample.input().evidence)
    for (Attempt& attempt : evidence.attempts) attempt.tail = UntrustedText(attack);
  const std::string body = BodyOf(sample, "issue-101");
  EXPECT_EQ(CommandLine(body), "");
  for (const char* broken : {"\n @pytorchbot", "\n /merge", "\n   @torchxpubot", "\n \t/close", "\n @someone please"})
    EXPECT_EQ(body.find(broken), std::string::npos) << broken;
  EXPECT_NE(body.find("\n @torch.jit.script\n plain\n"), std::string::npos);  // a decorator is no mention
}

TEST(DraftsTest, ScriptKeepsItsDecorators) {
  SampleReport sample;
  EXPECT_NE(
      BodyOf(sample, "issue-101").find("\n ```python\n import torch\n \n @torch.compile\n def f(x):\n     return"),
      std::string::npos);
}

TEST(DraftsTest, ScriptThatCanNotBeShownUnchangedIsAttached) {
  const std::string big = "x = 1\n" + std::string(50'000, '#') + "\n";
  for (const std::string& script : {big, std::string("'''\n/merge\n'''\n"),
                                    std::string("'''\n@pytorchbot merge\n'''\n"), std::string("x = 'a\x1b[0m'\n"),
                                    std::string("# Local XPU result: `confirmed`\n"), std::string(1500, 'y') + "\n"}) {
    SampleReport sample;
    sample.input().scripts.at(SampleReport::Id("issue-101")) = script;
    const std::string body = BodyOf(sample, "issue-101");
    EXPECT_NE(body.find("`scripts/repro_issue-101.py` of the run: attach the script"), std::string::npos)
        << script.substr(0, 40);
    EXPECT_EQ(body.find("```python"), std::string::npos);
  }
}

TEST(DraftsTest, BodyStaysBelowTheLimitWhateverIsInIt) {
  SampleReport sample;
  const std::string hostile(5000, '@'), lines = [] {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "\n";
    return text;
  }();
  LedgerRow& row = sample.Row("issue-101");
  row.bucket_reason = {std::string(999, '`'), hostile};
  row.verdict_reason = row.bucket_reason;
  row.signature.text = hostile;
  row.route_rule = row.suspected_component = hostile;
  row.url = hostile;
  Composition& composition = sample.input().compositions.at(row.id);
  composition.oracle.text = UntrustedText(hostile);
  composition.edits.assign(1000, Edit{.rule = hostile, .line = 1});
  for (int number = 0; number < 50; ++number) {
    sample.input().evidence.at(row.id).attempts.push_back(
        {.arm = Arm::kTarget,
         .number = number + 3,
         .outcome = {OutcomeKind::kNotStarted, 0, "", std::to_string(number) + hostile},
         .tail = UntrustedText(lines)});
  }
  for (const std::string& script : {lines, std::string(39'000, 'x'), std::string(30'000, '`')}) {
    sample.input().scripts.at(row.id) = script;
    sample.input().collect_env = script;
    EXPECT_LT(BodyOf(sample, "issue-101").size(), kMaxDraftBody);
  }
}

TEST(DraftsTest, LogsAndVersionsAreRedactedAndTheCountIsShown) {
  SampleReport sample;
  const std::string body = BodyOf(sample, "issue-101");
  for (const char* secret : {"bob", "pw@", "node17", "wheels.example.net"})
    EXPECT_EQ(body.find(secret), std::string::npos) << secret;
  EXPECT_NE(body.find("\nRedacted: 1 credential, 1 home path, 2 host names\n"), std::string::npos);
}

TEST(DraftsTest, MarkerHoldsTheFingerprintOrTheId) {
  SampleReport sample;
  EXPECT_TRUE(BodyOf(sample, "issue-101").ends_with("\n<!-- xpu-align: 00ff -->\n"));
  sample.Row("issue-101").signature.fingerprint = "--> @alice <!--";
  EXPECT_TRUE(BodyOf(sample, "issue-101").ends_with("\n<!-- xpu-align: issue-101 -->\n"));
}

TEST(DraftsTest, RunsThatAreNoXpuEvidenceSayThatTheyCanNotBeFiled) {
  const auto first_line = [](const char* source, const char* target) {
    SampleReport sample;
    sample.input().source = source;
    sample.input().target = {.name = target};
    const std::string drafts = RenderDrafts(sample.input());
    return drafts.substr(0, drafts.find('\n'));
  };
  EXPECT_EQ(first_line("live", "xpu"), "# Proposed for filing");
  EXPECT_EQ(first_line("demo", "xpu"), "These drafts can not be filed: the source of the run is demo, not live.");
  EXPECT_EQ(first_line("recorded", "xpu"),
            "These drafts can not be filed: the source of the run is recorded, not live.");
  EXPECT_EQ(first_line("live", "cpu"), "These drafts can not be filed: the target is cpu, not xpu.");
  EXPECT_EQ(first_line("live", "testdev"), "These drafts can not be filed: the target is testdev, not xpu.");
}

}  // namespace
}  // namespace xpu_align
