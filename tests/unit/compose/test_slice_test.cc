#include "compose/test_slice.h"

#include <cstring>

#include "unit/compose/compose_fixtures.h"

namespace xpu_align {
namespace {

constexpr char kMethodPatch[] =
    "@@ -1,4 +1,5 @@\n"
    " import torch\n"
    "+from torch.testing import make_tensor\n"
    " from common_stuff import tables\n"
    "@@ -10,3 +11,14 @@ class TestFlip(TestCase):\n"
    "     def test_old(self):\n"
    "         pass\n"
    " \n"
    "+    @onlyCUDA\n"
    "+    @dtypes(\n"
    "+        torch.float16, torch.float32)\n"
    "+    def test_flip_empty(self, device, dtype):\n"
    "+        x = make_tensor((0, 3), device=device, dtype=dtype)\n"
    "+\n"
    "+        y = torch.flip(x, [0]).to(self.device_type)\n"
    "+        self.assertEqual(y, x)\n"
    "+\n"
    "     def test_next(self):\n"
    "         pass\n";

TEST(PatchTestsTest, CutsWholeAddedFunctionsOutOfHunks) {
  const PatchTests found = TestsOfPatch(kMethodPatch);
  ASSERT_EQ(found.tests.size(), 1u);
  const PatchTest& test = found.tests[0];
  EXPECT_EQ(test.name, "test_flip_empty");
  EXPECT_EQ(test.style, TestStyle::kMethod);
  EXPECT_EQ(test.first_line, 9);
  EXPECT_EQ(test.last_line, 16);
  EXPECT_TRUE(test.code.starts_with("@onlyCUDA\n@dtypes(\n    torch.float16")) << test.code;
  EXPECT_TRUE(test.code.ends_with("    self.assertEqual(y, x)\n")) << test.code;
  EXPECT_EQ(found.imports.at("make_tensor"), "from torch.testing import make_tensor as make_tensor");
  EXPECT_FALSE(found.imports.contains("tables"));  // a module of the test folder
}

TEST(PatchTestsTest, AChangedFunctionIsNoNewFunction) {
  EXPECT_TRUE(TestsOfPatch("@@ -1,3 +1,3 @@\n+def test_a():\n+    x = 1\n     y = 2\n").tests.empty());
  EXPECT_TRUE(TestsOfPatch("@@ -1,3 +1,3 @@\n def test_a():\n-    x = 1\n+    x = 2\n").tests.empty());
  EXPECT_TRUE(TestsOfPatch("@@ -1,3 +1,3 @@\n+def helper():\n+    x = 1\n").tests.empty());
  EXPECT_TRUE(TestsOfPatch("").tests.empty());
}

TEST(TestSliceTest, AMethodBecomesAScriptThatRunsIt) {
  const auto composed = ComposerFor("xpu").Compose(PullRequestWithTest(kMethodPatch));
  EXPECT_EQ(composed.record.refusal, std::nullopt) << composed.record.refusal_text;
  EXPECT_EQ(composed.record.strategy, "sliced-test");
  EXPECT_EQ(composed.record.oracle.kind, OracleKind::kAssertion);
  EXPECT_EQ(composed.record.spans.at(0).part, "patch:test/test_flip.py");
  EXPECT_EQ(composed.record.device_positions, std::vector<std::string>{"literal"});
  for (const char* line : {"def test_flip_empty(self, device=\"xpu\", dtype=torch.float16):\n", "torch.flip(x, [0]).to(\"xpu\")\n",
                           "from torch.testing import make_tensor as make_tensor\n", "\ntorch.manual_seed(0)\n", "_XaTest.test_flip_empty = test_flip_empty\n"})
    EXPECT_TRUE(composed.script.contains(line)) << line << "\n" << composed.script;
  EXPECT_FALSE(composed.script.contains("\n@onlyCUDA"));
  EXPECT_TRUE(composed.reference_script.contains("def test_flip_empty(self, device=\"cpu\", dtype=torch.float16):\n"));
}

TEST(TestSliceTest, ImportsThatThePatchShowsAreAdaptedToo) {
  const auto composed = ComposerFor("xpu").Compose(PullRequestWithTest(
      "@@ -1,1 +1,5 @@\n"
      " from torch.cuda import synchronize\n"
      "+def test_a():\n"
      "+    x = torch.ones(2, device='cuda')\n"
      "+    synchronize()\n"
      "+    assert x.sum() == 2\n"));
  EXPECT_TRUE(composed.script.contains("    torch.xpu.synchronize()\n")) << composed.script;
}

TEST(TestSliceTest, WhatIsMissingIsNamed) {
  const struct {
    const char* body;
    const char* missing;
  } cases[] = {
      {"        self.common(torch.flip, [1])\n", "self.common"},
      {"        self.assertExpectedInline(x, 'y')\n", "self.assertExpectedInline"},
      {"        check_flip(torch.ones(2))\n", "check_flip"},
      {"        super().setUp()\n        torch.ones(1)\n", "super()"},
  };
  for (const auto& one : cases) {
    std::string patch = "@@ -1,1 +1,3 @@\n import torch\n+    def test_a(self):\n";
    for (const char* at = one.body; *at != '\0';) {
      const char* end = strchr(at, '\n') + 1;
      patch += "+" + std::string(at, end);
      at = end;
    }
    const auto composed = ComposerFor("xpu").Compose(PullRequestWithTest(patch));
    EXPECT_EQ(composed.record.strategy, "none") << one.missing;
    EXPECT_EQ(composed.record.refusal, Refusal::kNoOracle) << one.missing;
    EXPECT_TRUE(composed.record.refusal_text.ends_with("it needs " + std::string(one.missing))) << composed.record.refusal_text;
    EXPECT_TRUE(composed.reference_script.empty());
  }
}

TEST(TestSliceTest, AFunctionOfPytestAndItsFirstParameters) {
  const char patch[] =
      "@@ -1,1 +1,5 @@\n"
      "+@parametrize(\"size\", [2, 3])\n"
      "+def test_ones(size):\n"
      "+    class Owner:\n"
      "+        def __init__(self):\n"
      "+            self.anything = 1\n"
      "+    assert torch.ones(size, device=GPU_TYPE).sum() == size\n";
  const auto composed = ComposerFor("xpu").Compose(PullRequestWithTest(patch));
  EXPECT_EQ(composed.record.refusal, std::nullopt) << composed.record.refusal_text;
  EXPECT_TRUE(composed.script.contains("def test_ones(size=2):\n")) << composed.script;
  EXPECT_TRUE(composed.script.contains("GPU_TYPE = \"xpu\"\n"));
  EXPECT_TRUE(composed.script.ends_with("\ntest_ones()\n"));
}

}  // namespace
}  // namespace xpu_align
