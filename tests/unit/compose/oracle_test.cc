#include "compose/oracle.h"

#include "unit/compose/compose_fixtures.h"

namespace xpu_align {
namespace {

FoundOracle OracleIn(const std::string& report, const std::string& code, const std::string& title = "a title") {
  const PythonTree tree = PythonTree::Parse(code);
  return OracleOf(Issue(Fence(code) + "\n" + report, title), tree, NamesOf(tree));
}

constexpr char kCode[] = "import torch\nprint(torch.ones(2))\n";

TEST(OracleTest, TheLastExceptionOfTheLastTraceback) {
  const FoundOracle found = OracleIn(
      "```\n"
      "Traceback (most recent call last):\n"
      "  File \"/home/someone/env/lib/python3.12/site-packages/torch/_a.py\", line 5, in inner\n"
      "    x()\n"
      "KeyError: 'first'\n"
      "\n"
      "During handling of the above exception, another exception occurred:\n"
      "\n"
      "[rank0]: Traceback (most recent call last):\n"
      "[rank0]:   File \"/home/someone/bug.py\", line 12, in <module>\n"
      "[rank0]:     main()\n"
      "[rank0]:     ~~~~^^\n"
      "[rank0]:   File \"/opt/site-packages/torch/_inductor/lowering.py\", line 77, in lower\n"
      "[rank0]: torch._dynamo.exc.BackendCompilerFailed: backend failed with 3 errors\n"
      "[rank0]: second line\n"
      "\n"
      "not part of it\n"
      "```\n",
      kCode);
  EXPECT_EQ(found.oracle.kind, OracleKind::kException);
  EXPECT_EQ(found.oracle.exception_type, "torch._dynamo.exc.BackendCompilerFailed");
  EXPECT_EQ(found.oracle.message.ForMatching(), "backend failed with 3 errors\nsecond line");
  EXPECT_EQ(found.oracle.frames, (std::vector<Frame>{{"<script>", "<module>", 12}, {"torch/_inductor/lowering.py", "lower", 77}}));
  EXPECT_EQ(found.oracle.source, "body:traceback");
}

TEST(OracleTest, AnExceptionNeedNotBeCalledError) {
  for (const char* type : {"torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode", "StopIteration", "KeyError"}) {
    const FoundOracle found = OracleIn(
        "```\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f(x)\n" + std::string(type) + "\n```\n", kCode);
    EXPECT_EQ(found.oracle.exception_type, type);
  }
}

TEST(OracleTest, KindsByWhatTheReportAndTheScriptSay) {
  const struct {
    const char* name;
    const char* report;
    const char* code;
    OracleKind kind;
    const char* signal;
    const char* source;
  } cases[] = {
      {"nothing", "Please look at this.", kCode, OracleKind::kNone, "", ""},
      {"crash line", "```\nSegmentation fault (core dumped)\n```\n", kCode, OracleKind::kCrash, "SIGSEGV", "body:output"},
      {"abort line", "```\nfree(): invalid pointer\n```\n", kCode, OracleKind::kCrash, "SIGABRT", "body:output"},
      {"crash words", "On this input the process segfaults.", kCode, OracleKind::kCrash, "SIGSEGV", "body:words"},
      {"divide", "It dies with a floating point exception.", kCode, OracleKind::kCrash, "SIGFPE", "body:words"},
      {"lone exception", "It says `RuntimeError: sizes differ` then.", kCode, OracleKind::kException, "", "body:line"},
      {"handled exception", "```python\ntry:\n    f()\nexcept OSError: pass\n```\n", kCode, OracleKind::kNone, "", ""},
      {"handled, then reported", "```python\ntry:\n    f()\nexcept OSError: pass\n```\nOSError: no such device\n", kCode,
       OracleKind::kException, "", "body:line"},
      {"assertion", "", "import torch\nassert torch.ones(2).sum() == 3\n", OracleKind::kAssertion, "", "script:assert"},
      {"assert_close", "", "import torch\ntorch.testing.assert_close(a, b)\n", OracleKind::kAssertion, "", "script:assert"},
      {"missing error", "This should raise an error for negative sizes.", kCode, OracleKind::kMissingError, "", "body:words"},
      {"not a number", "The gradient is NaN.", kCode, OracleKind::kNonFinite, "", "body:words"},
      {"words that hold nan", "The finance tenant maintains it.", kCode, OracleKind::kNone, "", ""},
      {"comparison", "Eager and compiled give different results.", kCode, OracleKind::kComparison, "", "body:words"},
      {"hang", "The call never returns.", kCode, OracleKind::kHang, "", "body:words"},
      {"words after the versions", "### Versions\n\nhangs, NaN, segfault", kCode, OracleKind::kNone, "", ""},
  };
  for (const auto& one : cases) {
    const FoundOracle found = OracleIn(one.report, one.code);
    EXPECT_EQ(Name(found.oracle.kind), Name(one.kind)) << one.name;
    EXPECT_EQ(found.oracle.signal, one.signal) << one.name;
    EXPECT_EQ(found.oracle.source, one.source) << one.name;
  }
}

TEST(OracleTest, AFailedAssertionInATracebackIsAnAssertion) {
  const FoundOracle found = OracleIn(
      "```\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\nAssertionError: Tensor-likes are not close!\n\nMismatched elements: 3 / 4 (75.0%)\n```\n",
      "import torch\ntorch.testing.assert_close(a, b)\n");
  EXPECT_EQ(found.oracle.kind, OracleKind::kAssertion);
  EXPECT_EQ(found.oracle.exception_type, "AssertionError");
  EXPECT_EQ(found.oracle.message.ForMatching(), "Tensor-likes are not close!\n\nMismatched elements: 3 / 4 (75.0%)");
}

TEST(OracleTest, PairsThatMustAgree) {
  const struct {
    const char* name;
    const char* code;
    const char* reference;  // "" for none
    const char* actual;
  } cases[] = {
      {"by name", "import torch\nf = make()\nout_eager = f(x)\nout_compiled = g(x)\n", "out_eager", "out_compiled"},
      {"the results, not the functions", "eager = make()\ncompiled = torch.compile(eager)\neager_out = eager(x)\ncompiled_out = compiled(x)\n",
       "eager_out", "compiled_out"},
      {"computed", "out_eager = f(x) + 1\nout_compiled = g(x)[0]\n", "out_eager", "out_compiled"},
      {"expected and actual", "expected = f(x)\nactual = g(x)\n", "expected", "actual"},
      {"printed", "import torch\na = f(x)\nb = g(x)\nprint(torch.allclose(a, b))\n", "a", "b"},
      {"unrelated", "a = f(x)\nb = g(x)\n", "", ""},
      {"inside a function", "def main():\n    out_eager = f(x)\n    out_compiled = g(x)\n", "", ""},
  };
  for (const auto& one : cases) {
    const FoundOracle found = OracleIn("The results differ.", one.code);
    EXPECT_EQ(found.pair ? found.pair->reference : "", one.reference) << one.name;
    EXPECT_EQ(found.pair ? found.pair->actual : "", one.actual) << one.name;
  }
}

TEST(OracleTest, ALineNumberThatIsNoneMakesNoFrame) {
  const FoundOracle found = OracleIn(
      "Traceback (most recent call last):\n  File \"a.py\", line 12, in f\n  File \"b.py\", line 99999999999999999999\n"
      "RuntimeError: bad\n",
      "import torch\n");
  ASSERT_EQ(found.oracle.frames.size(), 1u);
  EXPECT_EQ(found.oracle.frames[0].line, 12);
}

}  // namespace
}  // namespace xpu_align
