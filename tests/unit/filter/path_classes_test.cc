#include "filter/path_classes.h"

#include <gtest/gtest.h>

#include "support/shipped_rules.h"

namespace xpu_align {
namespace {

Json RulesFile() { return ShippedRules().paths; }

PathClasses Shipped() {
  auto classes = PathClasses::FromJson(RulesFile());
  EXPECT_TRUE(classes) << classes.error().message;
  return std::move(*classes);
}

TEST(PathRulesTest, EveryRuleHasExamplesAndTheyHold) {
  const PathClasses classes = Shipped();
  const Json file = RulesFile();
  for (const Json& rule : file.ArrayOf("rules")) {
    const std::string id = rule.StringOr("id");
    EXPECT_GE(rule.StringsOf("hits").size(), 2u) << id;
    EXPECT_GE(rule.StringsOf("near_misses").size(), 2u) << id;
    for (const std::string& path : rule.StringsOf("hits")) {
      const ClassifiedPath found = classes.Classify(UntrustedText(path));
      EXPECT_EQ(found.rule, id) << path;
      EXPECT_EQ(Name(found.path_class), rule.StringOr("class")) << path;
    }
    for (const std::string& path : rule.StringsOf("near_misses"))
      EXPECT_NE(classes.Classify(UntrustedText(path)).rule, id) << path;
  }
}

TEST(PathClassesTest, TheTrapsOfTheTable) {
  const PathClasses classes = Shipped();
  const auto class_of = [&](const char* path) { return Name(classes.Classify(UntrustedText(path)).path_class); };
  EXPECT_EQ(class_of("aten/src/ATen/native/cuda/ReplicationPadding.cu"), "twin");
  EXPECT_EQ(class_of("torch/_inductor/codegen/cpp_wrapper_gpu.py"), "shared");
  EXPECT_EQ(class_of("torch/_inductor/codegen/cpp_wrapper_cpu.py"), "exclusive");
  EXPECT_EQ(class_of("torch/_inductor/cudagraph_trees.py"), "shared");
  EXPECT_EQ(class_of("tools/autograd/derivatives.yaml"), "shared");
  EXPECT_EQ(class_of("third_party/xpu.txt"), "target-scoped");
  EXPECT_EQ(class_of("torch/_inductor/kernel/vendored_templates/cutlass_x.py"), "exclusive");
  EXPECT_EQ(class_of("some/new/place.cc"), "unknown");
  EXPECT_EQ(class_of(""), "unknown");
}

TEST(PathClassesTest, ATwinNamesItsCounterpartWithPathCharactersOnly) {
  const PathClasses classes = Shipped();
  const auto counterpart_of = [&](const char* path) { return classes.Classify(UntrustedText(path)).counterpart; };
  EXPECT_EQ(counterpart_of("aten/src/ATen/native/cuda/FooKernel.cu"), "src/ATen/native/xpu/sycl/Foo*");
  EXPECT_EQ(counterpart_of("aten/src/ATen/native/sparse/cuda/Bar.cu"), "src/ATen/native/sparse/xpu/sycl/Bar*");
  EXPECT_EQ(counterpart_of("aten/src/ATen/native/quantized/cuda/Bar.cu"), "src/ATen/native/quantized/sycl/Bar*");
  EXPECT_EQ(counterpart_of("torch/cuda/streams.py"), "torch/xpu/streams.py");
  EXPECT_EQ(counterpart_of("aten/src/ATen/cuda/CUDAGeneratorImpl.cpp"), "aten/src/ATen/xpu/XPUGeneratorImpl*");
  EXPECT_EQ(counterpart_of("aten/src/ATen/native/cuda/F](x)`oo.cu"), "src/ATen/native/xpu/sycl/Fxoo*");
  EXPECT_EQ(counterpart_of("aten/src/ATen/native/cuda/IndexKernel.cu"), "src/ATen/native/xpu/sycl/Indexing*");
  EXPECT_EQ(counterpart_of("aten/src/ATen/native/cuda/MyIndexKernel.cu"), "src/ATen/native/xpu/sycl/MyIndex*");
}

TEST(PathClassesTest, TheUsualStem) {
  EXPECT_EQ(UsualStem("SoftMax"), "SoftMax");
  EXPECT_EQ(UsualStem("ReduceNormKernel"), "ReduceNorm");
  EXPECT_EQ(UsualStem("AmpKernels"), "Amp");
  EXPECT_EQ(UsualStem("ForeachReduceOp"), "ForeachReduce");
  EXPECT_EQ(UsualStem("layer_norm_kernel"), "LayerNorm");
  EXPECT_EQ(UsualStem("fused_adam_impl"), "FusedAdam");
  EXPECT_EQ(UsualStem(""), "");
}

// Another target asks other rules first.
TEST(PathClassesTest, TheTargetsLayerDecidesWhatIsItsOwn) {
  const PathClasses classes = *PathClasses::FromJson(ShippedRules("rules/triage/cuda.json").paths);
  const auto class_of = [&](const char* path) { return Name(classes.Classify(UntrustedText(path)).path_class); };
  EXPECT_EQ(class_of("torch/xpu/memory.py"), "exclusive");
  EXPECT_EQ(class_of("aten/src/ATen/native/cuda/Foo.cu"), "shared");
  EXPECT_EQ(class_of("torch/cuda/memory.py"), "unknown");
  EXPECT_EQ(class_of("aten/src/ATen/native/mps/View.mm"), "exclusive");
}

TEST(PathClassesTest, FirstRuleWinsAndMalformedTablesAreConfigErrors) {
  const auto rule = [](const char* id, const char* path_class, const char* glob) {
    return Json().Set("id", id).Set("class", path_class).Set("area", "a").Set("globs", Json::EmptyArray().Append(glob));
  };
  const auto file = [](Json first, Json second) {
    return Json()
        .Set("schema", "xpu-align/path-rules@1")
        .Set("rules", Json::EmptyArray().Append(std::move(first)).Append(std::move(second)));
  };
  const auto classes = PathClasses::FromJson(file(rule("one", "test", "a/**"), rule("two", "shared", "a/b/*.c")));
  ASSERT_TRUE(classes);
  EXPECT_EQ(classes->Classify(UntrustedText("a/b/x.c")).rule, "one");
  EXPECT_EQ(classes->Classify(UntrustedText("b/a/x.c")).rule, "");
  for (const Json& bad : {file(rule("one", "test", "a"), rule("one", "test", "b")),
                          file(rule("one", "unknown", "a"), rule("two", "test", "b")),
                          file(rule("one", "twin", "a"), rule("two", "test", "b")), Json::EmptyObject()})
    EXPECT_EQ(PathClasses::FromJson(bad).error().kind, ErrorKind::kConfig) << WriteJson(bad);
}

TEST(PathClassesTest, GlobsAreAnchoredAndLiteralElsewhere) {
  EXPECT_EQ(PatternOfGlob("a.b/**/{x,y}?*"), "^a\\.b/(.*)/(x|y)([^/])([^/]*)$");
}

}  // namespace
}  // namespace xpu_align
