#include <algorithm>

#include "text/pattern.h"
#include "unit/compose/compose_fixtures.h"

namespace xpu_align {
namespace {

std::vector<std::string> ProfileNames() {
  std::vector<std::string> names;
  for (const rules::EmbeddedFile& file : rules::EmbeddedFiles())
    if (file.path.starts_with("rules/targets/"))
      names.emplace_back(file.path.substr(14, file.path.size() - 14 - 5));
  return names;
}

TEST(TargetProfilesTest, TheThreeOfTheFirstReleaseAreEmbedded) {
  const std::vector<std::string> names = ProfileNames();
  for (const char* name : {"cpu", "cuda", "xpu"}) EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
}

TEST(TargetProfilesTest, EveryProfileIsReadAndItsPatternsCompile) {
  for (const std::string& name : ProfileNames()) {
    const TargetProfile profile = ProfileNamed(name);
    EXPECT_EQ(profile.name, name);
    for (const AdaptationError& error : profile.adaptation_errors) {
      EXPECT_TRUE(Pattern::Compile(error.pattern)) << name << " " << error.id;
      EXPECT_FALSE(error.text.empty()) << name << " " << error.id;
      EXPECT_FALSE(error.pattern.empty() && error.exception_type.empty()) << name << " " << error.id << " matches all";
    }
    for (const std::string& text : profile.fallback_texts) EXPECT_TRUE(Pattern::Compile(text)) << text;
    for (const auto& [from, to] : profile.api_renames) {
      EXPECT_TRUE(from.starts_with("torch.")) << from;
      EXPECT_FALSE(to.empty()) << from;
    }
  }
}

TEST(TargetProfilesTest, AdaptationErrorsMeetTheTextsThatTorchPrints) {
  const struct {
    const char* target;
    const char* type;
    const char* message;
    const char* id;  // of the first entry that matches; empty: none
  } cases[] = {
      {"xpu", "AssertionError", "Torch not compiled with XPU enabled", "xpu-not-compiled"},
      {"xpu", "AssertionError", "Torch not compiled with CUDA enabled", "cuda-left-over"},
      {"cpu", "AssertionError", "Torch not compiled with CUDA enabled", "cuda-left-over"},
      {"cuda", "AssertionError", "Torch not compiled with CUDA enabled", "cuda-not-compiled"},
      {"xpu", "NotImplementedError", "The operator 'aten::foo' is not currently implemented for the XPU device. Please",
       ""},  // the judge's own rule names the operator
      {"cpu", "NotImplementedError", "Could not run 'aten::foo' with arguments from the 'CPU' backend.", ""},
      {"cpu", "NotImplementedError", "Could not run 'aten::foo' with arguments from the 'CUDA' backend.", "cuda-backend"},
      {"xpu", "torch.OutOfMemoryError", "XPU out of memory. Tried to allocate 2.00 GiB.", "device-memory"},
      {"xpu", "ModuleNotFoundError", "No module named 'transformers'", "missing-module"},
      {"xpu", "ModuleNotFoundError", "No module named 'torch.foo'", ""},
      {"xpu", "NameError", "name 'model' is not defined", "undefined-name"},
      {"xpu", "AssertionError", "Tensor-likes are not close!", ""},
      {"cpu", "RuntimeError", "shape '[2]' is invalid for input of size 3", ""},
  };
  for (const auto& one : cases) {
    std::string found;
    const TargetProfile profile = ProfileNamed(one.target);
    for (const AdaptationError& error : profile.adaptation_errors)
      if (found.empty() && (error.exception_type.empty() || error.exception_type == one.type) &&
          Pattern::Constant(error.pattern).FoundIn(one.message))
        found = error.id;
    EXPECT_EQ(found, one.id) << one.target << ": " << one.message;
  }
}

TEST(TargetProfilesTest, FallbackTextsNameTheOperator) {
  const TargetProfile xpu = ProfileNamed("xpu");
  for (const char* text : {"The operator 'aten::foo.out on the XPU backend is falling back to run on the CPU.",
                           "The operator 'aten::foo.out' registered to be forced to fallback to CPU."}) {
    std::string name;
    for (const std::string& pattern : xpu.fallback_texts)
      if (const auto match = Pattern::Constant(pattern).Find(text)) name = match->groups[1];
    EXPECT_EQ(name, "aten::foo.out") << text;
  }
}

}  // namespace
}  // namespace xpu_align
