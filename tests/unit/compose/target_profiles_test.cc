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

TEST(TargetProfilesTest, AllFiveAreEmbedded) {
  std::vector<std::string> names = ProfileNames();
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"cpu", "cuda", "npu", "testdev", "xpu"}));
}

bool IsOneOf(const std::string& value, std::initializer_list<const char*> choices) {
  return std::ranges::find(choices, value) != choices.end();
}

// The one schema: what a new backend has to say, and nothing that no stage reads.
TEST(TargetProfilesTest, EveryProfileIsComplete) {
  const std::vector<std::string> required = {
      "adaptation_errors", "api_renames", "api_without_counterpart", "availability", "collective_backend", "device",
      "device_counters", "dispatch_key", "forbidden_environment", "memory_limit", "module", "name", "remedies", "schema"};
  const std::vector<std::string> optional = {
      "device_nodes", "environment", "fallback_control", "fallback_registrations", "fallback_texts", "has_compiler",
      "host_operators", "is_reference", "kernel_repository", "seed_caches", "nightly", "passed_environment", "startup", "triage"};
  for (const std::string& name : ProfileNames()) {
    SCOPED_TRACE(name);
    const Json json = *ParseJson(rules::Embedded("rules/targets/" + name + ".json"));
    for (const std::string& member : required) EXPECT_TRUE(json.Has(member)) << member;
    for (const auto& [member, value] : *json.AsObject())
      EXPECT_TRUE(std::ranges::count(required, member) + std::ranges::count(optional, member) == 1) << member;
    const TargetProfile profile = ProfileNamed(name);
    EXPECT_EQ(profile.module, "torch." + profile.device);
    EXPECT_TRUE(profile.availability.starts_with(profile.module + ".")) << profile.availability;
    EXPECT_TRUE(IsOneOf(profile.memory_limit, {"address-space", "resident"}));
    EXPECT_TRUE(IsOneOf(json.StringOr("device_counters"), {"drm-fdinfo", "none"}));
    for (const char* failure : {"torch", "device", "stale"}) EXPECT_NE(json["remedies"].StringOr(failure), "") << failure;
    for (const char* secret : {"*TOKEN*", "ACTIONS_*", "GITHUB_*", "RUNNER_*"})
      EXPECT_EQ(std::ranges::count(profile.forbidden_environment, secret), 1) << secret;
    for (const auto& [variable, value] : profile.environment) EXPECT_NE(value, "") << variable;  // empty stops XPU's import
    EXPECT_FALSE(profile.api_renames.empty() || profile.adaptation_errors.empty());
    if (json.Has("nightly")) {
      EXPECT_TRUE(json["nightly"].StringOr("index_url").starts_with("https://"));
      EXPECT_FALSE(json["nightly"].StringsOf("packages").empty());
    }
  }
}

// A target that computes on the CPU behind one's back says so in three ways, and has a control for the detector.
TEST(TargetProfilesTest, FallbacksAreDescribedWhollyOrNotAtAll) {
  for (const std::string& name : ProfileNames()) {
    SCOPED_TRACE(name);
    const TargetProfile profile = ProfileNamed(name);
    const Json& control = profile.other["fallback_control"];
    const bool falls_back = !profile.fallback_registrations.empty();
    EXPECT_EQ(!profile.fallback_texts.empty(), falls_back);
    EXPECT_EQ(control.IsObject(), falls_back);
    if (!falls_back) continue;
    EXPECT_EQ(control.StringsOf("expressions").size(), control.StringsOf("operators").size());
    EXPECT_FALSE(control.StringsOf("operators").empty());
    for (const std::string& op : control.StringsOf("operators")) EXPECT_TRUE(op.starts_with("aten::")) << op;
  }
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
      {"npu", "ModuleNotFoundError", "No module named 'torch_npu'", "no-torch-npu"},
      {"npu", "ImportError", "libascend_hal.so: cannot open shared object file: No such file or directory", "no-runtime"},
      {"npu", "ImportError", "libfoo.so: cannot open shared object file: No such file or directory", ""},
      {"npu", "RuntimeError", "NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 4.00 GiB total capacity)", "device-memory"},
      {"npu", "RuntimeError", "Cannot re-initialize NPU in forked subprocess. To use NPU with", "fork-poison"},
      {"npu", "RuntimeError", "The vector core execution is abnormal.", ""},
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

TEST(TargetProfilesTest, FallbackTextOfNpuNamesTheOperator) {
  const auto match = Pattern::Constant(ProfileNamed("npu").fallback_texts.at(0))
                         .Find("CAUTION: The operator 'aten::foo.out' is not currently supported on the NPU backend and "
                               "will fall back to run on the CPU. This may have performance implications.");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->groups[1], "aten::foo.out");
}

}  // namespace
}  // namespace xpu_align
