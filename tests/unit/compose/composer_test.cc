#include "compose/composer.h"

#include <algorithm>

#include "compose/python_tree.h"
#include "compose/repairs.h"
#include "digest/sha256.h"
#include "unit/compose/compose_fixtures.h"

namespace xpu_align {
namespace {

constexpr char kFailing[] = "import torch\nx = torch.ones(2, device='cuda')\nassert x.sum() == 3\n";

std::vector<std::string> Header(const std::string& script) {
  std::vector<std::string> lines;
  for (const std::string& line : SplitLines(script)) {
    if (!line.starts_with('#') || line.starts_with("# ----")) break;
    lines.push_back(line);
  }
  return lines;
}

TEST(ComposerTest, TheRecordSaysHowTheScriptCameToBe) {
  const Details details = Issue("Some text\n\n" + Fence(kFailing));
  const ComposedScript composed = ComposerFor("xpu").Compose(details);
  const Composition& record = composed.record;
  EXPECT_EQ(record.strategy, "reported-script");
  EXPECT_EQ(record.target, "xpu");
  EXPECT_EQ(record.refusal, std::nullopt);
  ASSERT_EQ(record.spans.size(), 1u);
  EXPECT_EQ(record.spans[0].first_line, 4);
  EXPECT_EQ(record.spans[0].last_line, 6);
  EXPECT_EQ(record.spans[0].sha256, Sha256Hex(kFailing));
  ASSERT_EQ(record.edits.size(), 1u);
  EXPECT_EQ(record.oracle.kind, OracleKind::kAssertion);
  EXPECT_EQ(record.script_sha256, Sha256Hex(composed.script));
  EXPECT_EQ(record.reference_script_sha256, Sha256Hex(composed.reference_script));
  EXPECT_TRUE(composed.reference_script.contains("x = torch.ones(2, device='cpu')\n"));
  const auto read_back = CompositionFromJson(ToJson(record));
  ASSERT_TRUE(read_back);
  EXPECT_EQ(ToJson(*read_back), ToJson(record));
}

TEST(ComposerTest, EqualInputsGiveEqualBytesAndTheCpuHasNoReference) {
  const Details details = Issue(Fence(kFailing));
  EXPECT_EQ(ComposerFor("xpu").Compose(details).script, ComposerFor("xpu").Compose(details).script);
  const ComposedScript cpu = ComposerFor("cpu").Compose(details);
  EXPECT_EQ(cpu.reference_script, "");
  EXPECT_EQ(cpu.record.reference_script_sha256, "");
}

TEST(ComposerTest, CompiledScriptsAreKnown) {
  const auto use = [](const std::string& code) { return ComposerFor("cpu").Compose(Issue(Fence(code))).record.compile_use; };
  EXPECT_EQ(use("import torch\nf = torch.compile(torch.sin)\nassert f(torch.ones(1)) == 2\n"), CompileUse::kCompiled);
  EXPECT_EQ(use("import torch\n# torch.compile is not used\nassert torch.ones(1) == 2\n"), CompileUse::kEager);
}

TEST(ScriptTextTest, EveryScriptIsPythonAndItsPreludeIsShort) {
  const struct {
    const char* name;
    std::string body;
  } cases[] = {
      {"plain", Fence(kFailing)},
      {"future", Fence("from __future__ import annotations\nimport torch\nassert torch.ones(1) == 2\n")},
      {"main", Fence("import torch\nif __name__ == \"__main__\":\n    assert torch.ones(1) == 2\n")},
      {"forgotten imports", Fence("x = torch.ones(1)\nassert np.isfinite(F.relu(x))\n")},
      {"environment", Fence("import os\nos.environ['TORCH_LOGS'] = 'dynamo'\nimport torch\nassert torch.ones(1) == 2\n")},
      {"a pair", "They differ.\n\n" + Fence("import torch\nout_eager = torch.sin(x)\nout_compiled = torch.cos(x)\n")},
      {"refused", Fence("import torch\nprint(torch.ones(1))\n")},
      {"broken", Fence("import torch\ndef f(:\n")},
      {"nothing", "no code"},
  };
  for (const char* target : {"cpu", "xpu", "cuda"})
    for (const auto& one : cases) {
      const ComposedScript composed = ComposerFor(target).Compose(Issue(one.body));
      EXPECT_TRUE(PythonTree::Parse(composed.script).WellFormed()) << one.name << "\n" << composed.script;
      const size_t begin = composed.script.find("# ---- prelude");
      if (begin == std::string::npos) continue;
      const size_t end = composed.script.find("# ---- upstream code");
      EXPECT_LE(std::count(composed.script.begin() + static_cast<long>(begin), composed.script.begin() + static_cast<long>(end), '\n'), 40)
          << one.name;
    }
}

TEST(ScriptTextTest, FutureImportsComeFirstAndEnvironmentBeforeTorch) {
  const std::string script =
      ComposerFor("cpu")
          .Compose(Issue(Fence("\"\"\"Doc\"\"\"\nfrom __future__ import annotations\nimport os\nos.environ['TORCH_LOGS'] = 'dynamo'\n"
                               "import torch\nassert torch.ones(1) == 2\n")))
          .script;
  std::vector<std::string> lines = SplitLines(script);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with('#'); });
  EXPECT_EQ(lines.at(0), "from __future__ import annotations");
  EXPECT_LT(script.find("_xa_os.environ['TORCH_LOGS'] = 'dynamo'"), script.find("\nimport torch\n"));
}

TEST(ScriptTextTest, TheHeaderTellsWhereUpstreamLinesAre) {
  const std::string script = ComposerFor("xpu").Compose(Issue(Fence(kFailing))).script;
  const std::vector<std::string> header = Header(script);
  ASSERT_TRUE(header.back().starts_with("# Line N of the upstream code is line N + ")) << header.back();
  const size_t offset = static_cast<size_t>(std::stoi(header.back().substr(42)));
  const std::vector<std::string> lines = SplitLines(script);
  EXPECT_EQ(lines.at(offset + 3 - 1), "assert x.sum() == 3");
}

TEST(ScriptTextTest, UpstreamTextCannotLeaveTheHeader) {
  Details details = Issue(Fence(kFailing), "coding: utf-7\nimport os; os.abort()\r\x0c\xe2\x80\xa8 x");
  details.body = UntrustedText("RuntimeError: a\rimport os\n\n" + Fence(kFailing));
  const std::string script = ComposerFor("xpu").Compose(details).script;
  const std::vector<std::string> lines = SplitLines(script);
  EXPECT_TRUE(lines[0].starts_with("# Reproducer of issue-7 "));
  EXPECT_TRUE(lines[1].starts_with("# Run it with plain python"));
  EXPECT_FALSE(lines[0].contains("coding") || lines[1].contains("coding"));
  for (const std::string& line : lines) EXPECT_FALSE(line.starts_with("import os") && !line.contains("torch")) << line;
  for (const char* separator : {"\r", "\x0c", "\xe2\x80\xa8"}) EXPECT_FALSE(script.contains(separator));
}

TEST(ScriptTextTest, ARefusedScriptSaysSoFirst) {
  const ComposedScript composed = ComposerFor("xpu").Compose(Issue(Fence("import torch\nprint(torch.ones(1))\n"), "A question"));
  EXPECT_EQ(composed.record.refusal, Refusal::kNoOracle);
  EXPECT_TRUE(composed.script.contains("\n# not executed: no-oracle: the report states no failure that can be observed\n"));
  EXPECT_TRUE(composed.script.contains("print(torch.ones(1, device=\"xpu\"))\n"));
  EXPECT_EQ(composed.reference_script, "");
}

TEST(ScriptTextTest, TextThatIsNoPythonIsShownAndNeverRun) {
  const ComposedScript composed = ComposerFor("xpu").Compose(Issue(Fence("import torch\ndef f(:\n    pass\n")));
  EXPECT_EQ(composed.record.refusal, Refusal::kNotPython);
  EXPECT_TRUE(composed.script.contains("\n# def f(:\n#     pass\nprint(\"RESULT: blocked-script-error\")\n")) << composed.script;
}

TEST(ScriptTextTest, ValuesThatOnlyTheEyeComparedAreCompared) {
  const ComposedScript composed = ComposerFor("xpu").Compose(
      Issue("The outputs differ.\n\n" + Fence("import torch\nx = torch.ones(2)\nout_eager = torch.sin(x)\nout_compiled = torch.cos(x)\n")));
  EXPECT_EQ(composed.record.oracle.kind, OracleKind::kComparison);
  EXPECT_TRUE(composed.script.contains("torch.testing.assert_close(_xa_on_cpu(out_compiled), _xa_on_cpu(out_eager)")) << composed.script;
}

TEST(ScriptTextTest, AFailureOfATestEndsTheScript) {
  const char run_all[] = "defaultTestLoader.loadTestsFromModule(__import__(\"sys\").modules[__name__]).debug()\n";
  const std::string test_class =
      "import torch\nimport unittest\nclass TestOnes(unittest.TestCase):\n    def test_a(self):\n"
      "        self.assertEqual(torch.ones(1).sum().item(), 2)\n";
  const auto script = [](const std::string& code) { return ComposerFor("cpu").Compose(Issue(Fence(code))).script; };
  const std::string with_main = script(test_class + "if __name__ == '__main__':\n    unittest.main()\n");
  EXPECT_TRUE(with_main.contains("if __name__ == '__main__':\n    __import__(\"unittest\")." + std::string(run_all))) << with_main;
  EXPECT_FALSE(with_main.contains("unittest.main()\n"));
  EXPECT_TRUE(script(test_class).ends_with(run_all));
  EXPECT_TRUE(script("import torch\ndef test_b():\n    assert torch.ones(1) == 2\n").ends_with("\ntest_b()\n"));
  EXPECT_FALSE(script("import torch\ndef test_b():\n    assert torch.ones(1) == 2\ntest_b()\n").ends_with("-\ntest_b()\n"));
}

TEST(MaterialTest, ScriptBeforeTestBeforeNothing) {
  EXPECT_EQ(MaterialIn(Issue("words only")), Material::kNone);
  EXPECT_EQ(MaterialIn(Issue(Fence("import torch\ndef f(:\n"))), Material::kNone);
  EXPECT_EQ(MaterialIn(Issue(Fence(kFailing))), Material::kScript);
  EXPECT_EQ(MaterialIn(PullRequestWithTest("@@ -1,1 +1,2 @@\n+def test_a():\n+    assert torch.ones(1) == 2\n")), Material::kTest);
  Details listed{.id = CandidateId::OfPullRequest(8)};
  listed.tests.push_back({.name = UntrustedText("test_a"), .change = "modified"});
  EXPECT_EQ(MaterialIn(listed), Material::kNone);
  listed.tests[0].change = "added";
  EXPECT_EQ(MaterialIn(listed), Material::kTest);
}

}  // namespace
}  // namespace xpu_align
