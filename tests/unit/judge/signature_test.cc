#include "judge/signature.h"

#include <gtest/gtest.h>

#include "judge/observation.h"
#include "support/judge_cases.h"

namespace xpu_align::judge_cases {
namespace {

const JudgeData& Data() {
  static const JudgeData data = std::move(*JudgeDataFromJson(JudgeJson(), TestDevice()));
  return data;
}
FailureSignature Of(std::string type, std::string message, std::vector<Frame> frames = {}) {
  return SignatureOfException({.type = std::move(type), .message = UntrustedText(std::move(message)), .frames = std::move(frames)},
                              Data().frames, Data().normaliser);
}

TEST(Stage, FollowsTheInnermostFrameOfTheCompiler) {
  const std::pair<std::vector<Frame>, Stage> cases[] = {
      {{}, Stage::kUnknown},
      {{Script()}, Stage::kEager},
      {{Script(), Torch("nn/functional.py", "linear")}, Stage::kEager},
      {{Script(), Torch("_dynamo/eval_frame.py", "_fn")}, Stage::kUnknown},
      {{Script(), Torch("_dynamo/eval_frame.py", "_fn"), Torch("_dynamo/guards.py", "check")}, Stage::kDynamo},
      {{Torch("_dynamo/utils.py", "run"), Torch("_subclasses/fake_tensor.py", "dispatch")}, Stage::kDynamo},
      {{Torch("_dynamo/output_graph.py", "call"), Torch("_functorch/_aot_autograd/collect.py", "inner")}, Stage::kAot},
      {{Torch("_dynamo/output_graph.py", "call"), Torch("_inductor/graph.py", "run")}, Stage::kInductor},
      {{Torch("_functorch/_aot_autograd/runtime_wrappers.py", "g"), Script()}, Stage::kRuntime},
      {{Torch("_inductor/output_code.py", "__call__")}, Stage::kRuntime},
      {{Script(), {"/tmp/torchinductor_x/ab/cab.py", "call"}}, Stage::kRuntime},
  };
  for (const auto& [frames, expected] : cases)
    EXPECT_EQ(Name(Of("RuntimeError", "x", frames).stage), Name(expected)) << (frames.empty() ? "" : frames.back().file);
}

TEST(Stage, TypeDecidesWhenFramesAreHidden) {
  const std::vector<Frame> hidden = {Script(), Torch("_dynamo/eval_frame.py", "_fn")};
  EXPECT_EQ(Of("torch._dynamo.exc.Unsupported", "x", hidden).stage, Stage::kDynamo);
  EXPECT_EQ(Of("torch._inductor.exc.InductorError", "x", hidden).stage, Stage::kInductor);
}

TEST(Signature, UnwrapsWhatAnExceptionQuotes) {
  const auto signature = Of("torch._dynamo.exc.BackendCompilerFailed", "backend='inductor' raised:\nAssertionError: size 3");
  ASSERT_EQ(signature.exceptions.size(), 2u);
  EXPECT_EQ(signature.exceptions[0].first, "BackendCompilerFailed");
  EXPECT_EQ(signature.exceptions[1], (std::pair<std::string, std::string>("AssertionError", "size <n>")));
}

TEST(Signature, NearestTorchFrameSkipsWhatEveryCallPasses) {
  const auto signature = Of("RuntimeError", "x", {Script(), Torch("nn/functional.py", "linear"), Torch("_ops.py", "__call__")});
  EXPECT_EQ(signature.torch_frame.function, "linear");
  EXPECT_EQ(Of("RuntimeError", "x", {Torch("nn/functional.py", "linear"), Script("hook")}).torch_frame.file, "");
  EXPECT_EQ(Of("RuntimeError", "x", {Torch("a.py", "f"), Torch("xpu/__init__.py", "synchronize")}).torch_frame.file, "");
}

TEST(Signature, FindsOperatorAndMismatch) {
  EXPECT_EQ(Of("RuntimeError", "failed in aten::index_add.out").aten_operator, "index_add");
  EXPECT_EQ(Of("RuntimeError", "failed in aten.index_add.default").aten_operator, "index_add");
  const auto close = Of("AssertionError", "Tensor-likes are not close!\n\nMismatched elements: 2 / 4 (50.0%)\n"
                                          "Greatest absolute difference: 1.0 at index (0,)\nGreatest relative difference: inf at index (0,)");
  EXPECT_EQ(close.mismatch, "2 / 4, absolute 1.0, relative inf");
}

TEST(Compare, ATypeAloneNeverMatches) {
  EXPECT_FALSE(Compare(Of("RuntimeError", ""), Of("RuntimeError", "")).Matches());
  EXPECT_FALSE(Compare(Of("RuntimeError", "one thing"), Of("RuntimeError", "another matter")).Matches());
  EXPECT_TRUE(Compare(Of("RuntimeError", "one thing"), Of("RuntimeError", "one thing")).Matches());
}

TEST(Compare, AnotherStageIsAnotherFailure) {
  const auto lowering = Of("RuntimeError", "bad stride", {Torch("_inductor/lowering.py", "f")});
  EXPECT_FALSE(Compare(lowering, Of("RuntimeError", "bad stride", {Script()})).Matches());
  EXPECT_TRUE(Compare(lowering, Of("RuntimeError", "bad stride")).Matches());
}

TEST(Compare, FirstLinesDecideWhenOneSideIsCutOff) {
  const std::string rest = "\nwith a long list of shapes, strides and other things that only one of the two texts holds";
  EXPECT_EQ(Compare(Of("ValueError", "stride 3 is negative"), Of("ValueError", "stride 4 is negative" + rest)).message,
            Agreement::kAgrees);
}

TEST(Compare, SameNumbersAreNamed) {
  const std::string text = "Tensor-likes are not close!\n\nMismatched elements: 2 / 4 (50.0%)";
  EXPECT_TRUE(Compare(Of("AssertionError", text), Of("AssertionError", text)).same_mismatch);
  EXPECT_FALSE(Compare(Of("AssertionError", text), Of("AssertionError", "Mismatched elements: 3 / 4")).same_mismatch);
}

TEST(Fingerprint, IsOfTheFindingAndNotOfTheRun) {
  const auto base = Of("RuntimeError", "bad stride 3 on cuda:0", {Script(), Torch("_foo.py", "foo")});
  const auto elsewhere = Of("RuntimeError", "bad stride 9 on testdev:1", {Torch("_foo.py", "foo")});
  const std::string expected = FindingFingerprint("xpu", OracleKind::kException, base);
  EXPECT_EQ(FindingFingerprint("xpu", OracleKind::kException, elsewhere), expected);
  EXPECT_NE(FindingFingerprint("cpu", OracleKind::kException, base), expected);
  EXPECT_NE(FindingFingerprint("xpu", OracleKind::kCrash, base), expected);
  EXPECT_NE(FindingFingerprint("xpu", OracleKind::kException, Of("ValueError", "bad stride 3 on cuda:0", {Torch("_foo.py", "foo")})), expected);
  EXPECT_NE(FindingFingerprint("xpu", OracleKind::kException, Of("RuntimeError", "bad stride 3 on cuda:0", {Torch("_foo.py", "bar")})), expected);
  EXPECT_NE(FindingFingerprint("xpu", OracleKind::kException, Of("RuntimeError", "bad stride 3 on aten::x", {Torch("_foo.py", "foo")})), expected);
}

TEST(Fingerprint, DeviceFaultsAreOneClass) {
  const auto fault = [](const std::string& line, const std::string& signal) {
    return Observe(Crashed(signal, line), Data()).failure;
  };
  EXPECT_EQ(FindingFingerprint("xpu", OracleKind::kCrash, fault("Segmentation fault from GPU at 0x12, aborting.", "SIGABRT")),
            FindingFingerprint("xpu", OracleKind::kCrash, fault("Unexpected page fault from GPU at 0x9", "SIGABRT")));
}

TEST(Fingerprint, CrashesAreToldApartByTheFaultHandlersFrames) {
  const auto crash = [](const std::string& function) {
    return Observe(Crashed("SIGSEGV", "Fatal Python error: Segmentation fault\n\nCurrent thread <address> (most recent call first):\n"
                                      "  File \"/v/site-packages/torch/_foo.py\", line 7 in " + function + "\n"
                                      "  File \"/scratch/r.py\", line 3 in <module>\n\nExtension modules: x\n"),
                   Data())
        .failure;
  };
  EXPECT_EQ(crash("foo").torch_frame, (Frame{"torch/_foo.py", "foo", 0}));
  EXPECT_NE(FindingFingerprint("xpu", OracleKind::kCrash, crash("foo")), FindingFingerprint("xpu", OracleKind::kCrash, crash("bar")));
  EXPECT_TRUE(IsDistinctive(crash("foo")));
}

TEST(Fingerprint, OnlyAPlaceAnOperatorOrAMessageIsDistinctive) {
  EXPECT_FALSE(IsDistinctive(Observe(Crashed("SIGSEGV", "Fatal Python error: Segmentation fault\n"), Data()).failure));
  EXPECT_FALSE(IsDistinctive(Of("AssertionError", "")));
  EXPECT_FALSE(IsDistinctive(Of("AssertionError", "Tensor-likes are not close!\n\nMismatched elements: 2 / 4 (50.0%)")));
  EXPECT_FALSE(IsDistinctive(Of("RuntimeError", "bad")));
  EXPECT_TRUE(IsDistinctive(Of("RuntimeError", "bad", {Torch("_foo.py", "foo")})));
  EXPECT_TRUE(IsDistinctive(Of("RuntimeError", "aten::foo")));
  EXPECT_TRUE(IsDistinctive(Of("RuntimeError", "expected 3 channels but got 4")));
}

TEST(ExceptionInOutput, ReadsTheLastTraceback) {
  const auto raised = ExceptionInOutput(
      "Traceback (most recent call last):\n  File \"/x/r.py\", line 1, in a\nKeyError: 'k'\n"
      "During handling of the above exception, another exception occurred:\n\n"
      "Traceback (most recent call last):\n  File \"/x/r.py\", line 3, in <module>\n    f()\n    ~^^\n"
      "  File \"/v/site-packages/torch/_foo.py\", line 8, in foo\n    raise E\n"
      "torch._foo.FooError: first\nsecond\n");
  ASSERT_TRUE(raised.has_value());
  EXPECT_EQ(raised->type, "torch._foo.FooError");
  EXPECT_EQ(raised->message.ForMatching(), "first\nsecond\n");
  EXPECT_EQ(raised->frames, (std::vector<Frame>{{"<script>", "<module>"}, {"torch/_foo.py", "foo"}}));
}

TEST(ExceptionInOutput, NothingWhenCutOff) {
  EXPECT_FALSE(ExceptionInOutput("step 1\nstep 2\n").has_value());
  EXPECT_FALSE(ExceptionInOutput("Traceback (most recent call last):\n  File \"/x/r.py\", line 3, in f\n    g()").has_value());
  EXPECT_FALSE(ExceptionInOutput("Traceback (most recent call last):").has_value());
}

}  // namespace
}  // namespace xpu_align::judge_cases
