#include "compose/precheck.h"

#include "unit/compose/compose_fixtures.h"

namespace xpu_align {
namespace {

TEST(PrecheckRulesTest, EveryRuleMeetsItsHitsAndSparesItsNearMisses) {
  const Json json = PrecheckJson();
  const auto rules = PrecheckRulesFromJson(json);
  ASSERT_TRUE(rules) << rules.error().message;
  const Json::Array& entries = json.ArrayOf("rules");
  ASSERT_EQ(rules->size(), entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    EXPECT_FALSE(entries[i].StringsOf("hits").empty()) << (*rules)[i].id;
    EXPECT_FALSE(entries[i].StringsOf("near_misses").empty()) << (*rules)[i].id;
    for (const std::string& hit : entries[i].StringsOf("hits")) EXPECT_NE((*rules)[i].Match(hit), "") << (*rules)[i].id << ": " << hit;
    for (const std::string& miss : entries[i].StringsOf("near_misses")) EXPECT_EQ((*rules)[i].Match(miss), "") << (*rules)[i].id << ": " << miss;
  }
}

TEST(PrecheckRulesTest, AMalformedRuleIsNamed) {
  const auto with = [](const char* refusal, const char* pattern) {
    return Json().Set("schema", "xpu-align/precheck@1").Set("rules", Json::Array{
        Json().Set("id", "odd").Set("refusal", refusal).Set("on", "code").Set("pattern", pattern)});
  };
  for (const Json& bad : {with("no-such", "x"), with("no-oracle", "(")}) {
    const auto rules = PrecheckRulesFromJson(bad);
    ASSERT_FALSE(rules);
    EXPECT_EQ(rules.error().kind, ErrorKind::kConfig);
    EXPECT_TRUE(rules.error().message.contains("'odd'")) << rules.error().message;
  }
}

constexpr char kTraceback[] =
    "```\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f(x)\nRuntimeError: sizes differ\n```\n";

struct RefusalCase {
  const char* name;
  std::string code;
  std::string report;
  const char* refusal;  // "" for none
};

TEST(PrecheckTest, RefusalsAreRight) {
  const RefusalCase cases[] = {
      {"a plain exception", "import torch\ntorch.ones(2).view(3)\n", kTraceback, ""},
      {"asserts are an oracle", "import torch\nassert torch.ones(2).sum() == 3\n", "", ""},
      {"no failure is stated", "import torch\nprint(torch.ones(2))\n", "Could this be faster in future?", "no-oracle"},
      {"a guard is no oracle", "import torch\nassert torch.cuda.is_available()\nprint(torch.ones(2))\n", "Hello.", "no-oracle"},
      {"only timings", "import time\nimport torch\nt = time.time()\ntorch.ones(2)\nprint(time.time() - t)\n", "This is slow.", "perf-only"},
      {"timings next to a crash", "import time\nimport torch\nt = time.time()\ntorch.ones(2)\n", kTraceback, ""},
      {"timings next to an assertion", "import time\nimport torch\nt = time.time()\nassert torch.ones(2).sum() == 3\n", "", ""},
      {"two devices", "import torch\ntorch.ones(2, device='cuda:1')\n", kTraceback, "needs-multi-device"},
      {"ranks", "import torch\nimport torch.distributed as dist\ndist.init_process_group('nccl')\ntorch.ones(2)\n", kTraceback, "needs-multi-device"},
      {"ranks in a comment", "import torch\n# torchrun --nproc 2 a.py\ntorch.ones(2)\n", kTraceback, ""},
      {"a model", "import torch\nimport transformers\ntransformers.AutoModel(torch.ones(2))\n", kTraceback, "needs-model"},
      {"an unused model", "import torch\nimport transformers\ntorch.ones(2)\n", kTraceback, ""},
      {"a file", "import torch\nx = torch.load('x.pt')\n", kTraceback, "needs-file"},
      {"a file of its own", "import torch\ntorch.save(torch.ones(2), 'x.pt')\nx = torch.load('x.pt')\n", kTraceback, ""},
      {"no counterpart", "import torch\nx = torch.ones(2).cuda()\ntorch.cuda.nccl.version()\n", kTraceback, "no-counterpart"},
      {"nothing of torch", "import torch\nprint(torch.__version__)\nassert 1 == 2\n", "", "no-target-operation"},
      {"only names", "import torch\nassert hasattr(torch, 'new_thing')\ntorch.ones(1)\n", "", "absent-api-oracle"},
      {"a name and a value", "import torch\nassert hasattr(torch, 'ones')\nassert torch.ones(1).sum() == 2\n", "", ""},
      {"source text", "import inspect\nimport torch\nassert 'x' in inspect.getsource(torch.nn.Linear)\ntorch.ones(1)\n", "", "source-text-oracle"},
      {"swallowed", "import torch\ntry:\n    torch.ones(2).view(3)\nexcept Exception as e:\n    print(e)\n", kTraceback, "broad-except"},
      {"caught and raised again", "import torch\ntry:\n    torch.ones(2).view(3)\nexcept Exception as e:\n    print(e)\n    raise\n", kTraceback, ""},
      {"caught by type", "import torch\ntry:\n    torch.ones(2).view(3)\nexcept KeyError:\n    pass\n", kTraceback, ""},
      {"a crash passes a handler", "import torch\ntry:\n    torch.ones(2).view(3)\nexcept Exception as e:\n    print(e)\n", "It ends with `Segmentation fault (core dumped)`", ""},
      {"descriptors of the harness", "import os\nimport torch\nos.dup2(1, 3)\ntorch.ones(2)\n", kTraceback, "unsafe-harness-access"},
  };
  const Composer composer = ComposerFor("xpu");
  for (const RefusalCase& one : cases) {
    const auto composed = composer.Compose(Issue(Fence(one.code) + "\n" + one.report, "a title"));
    const std::string refusal(composed.record.refusal ? Name(*composed.record.refusal) : "");
    EXPECT_EQ(refusal, one.refusal) << one.name << ": " << composed.record.refusal_text;
    EXPECT_EQ(composed.record.refusal_text.empty(), refusal.empty()) << one.name;
  }
}

TEST(PrecheckTest, AMissingNameIsNoEvidenceForAChangeButMayBeABugOfAnIssue) {
  const std::string body = Fence("import torch\ntorch.nn.NewThing(torch.ones(2))\n") +
                           "\n```\nTraceback (most recent call last):\n  File \"a.py\", line 2, in <module>\n"
                           "AttributeError: module 'torch.nn' has no attribute 'NewThing'\n```\n";
  Details change = Issue(body);
  change.id = CandidateId::OfPullRequest(9);
  const Composer composer = ComposerFor("xpu");
  EXPECT_EQ(composer.Compose(change).record.refusal, Refusal::kAbsentApiOracle);
  EXPECT_EQ(composer.Compose(Issue(body)).record.refusal, std::nullopt);
}

}  // namespace
}  // namespace xpu_align
