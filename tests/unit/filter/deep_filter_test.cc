#include "filter/deep_filter.h"

#include <gtest/gtest.h>

#include "support/shipped_rules.h"

namespace xpu_align {
namespace {

const DeepFilter& Shipped() {
  static const DeepFilter filter = [] {
    const TriageRules rules = ShippedRules();
    auto made = DeepFilter::FromJson(rules.paths, rules.deep);
    CHECK(made.has_value());
    return std::move(*made);
  }();
  return filter;
}

Details Of(const char* id, const char* title = "Fix the ring") {
  return {.id = *CandidateId::Parse(id), .title = UntrustedText(title)};
}

ChangedFile File(const char* path, const char* patch = "@@ -1 +1 @@\n-x(1)\n+x(2)\n") {
  return {.path = UntrustedText(path), .status = "modified", .additions = 1, .deletions = 1, .patch = UntrustedText(patch)};
}

Details WithFiles(std::vector<ChangedFile> files, const char* id = "pr-1") {
  Details details = Of(id);
  details.files = std::move(files);
  return details;
}

std::string ReasonOf(const Details& details, Runnable runnable = Runnable::kScript) {
  const DeepDecision decision = Shipped().Decide(details, runnable);
  EXPECT_EQ(decision.status == DeepStatus::kReject, !decision.reason.rule.empty());
  return decision.reason.rule;
}

constexpr const char* kTwin = "aten/src/ATen/native/cuda/Ring.cu";
constexpr const char* kShared = "aten/src/ATen/native/Ring.cpp";
constexpr const char* kMetal = "aten/src/ATen/native/mps/operations/Ring.mm";
constexpr const char* kDistributed = "torch/distributed/ring.py";

TEST(DeepFilterTest, AllFunctionalFilesMustBeExclusive) {
  EXPECT_EQ(ReasonOf(WithFiles({File(kMetal)})), "platform-exclusive");
  EXPECT_EQ(ReasonOf(WithFiles({File(kMetal), File("test/test_mps.py"), File("docs/source/mps.rst")})), "platform-exclusive");
  EXPECT_EQ(ReasonOf(WithFiles({File(kMetal), File(kShared)})), "");
  EXPECT_EQ(ReasonOf(WithFiles({File(kMetal), File("a/new/folder.cc")})), "");
  EXPECT_EQ(ReasonOf(WithFiles({File(kTwin)})), "");
}

TEST(DeepFilterTest, TargetsOwnCodeIsAlreadyScoped) {
  EXPECT_EQ(ReasonOf(WithFiles({File("third_party/xpu.txt")})), "already-xpu-scoped");
  EXPECT_EQ(ReasonOf(WithFiles({File("torch/xpu/memory.py"), File("test/test_xpu.py")})), "already-xpu-scoped");
  EXPECT_EQ(ReasonOf(WithFiles({File("torch/xpu/memory.py"), File(kShared)})), "");
}

TEST(DeepFilterTest, FilesWithoutBehaviourAreNoChange) {
  EXPECT_EQ(ReasonOf(WithFiles({File("docs/source/x.rst"), File(".github/workflows/x.yml")})), "no-behaviour-change");
  EXPECT_EQ(ReasonOf(WithFiles({File(kShared, "@@ -1 +1 @@\n-// a\n+// b\n"), File("README.md")})), "no-behaviour-change");
  EXPECT_EQ(ReasonOf(WithFiles({File(kShared, "@@ -1 +1 @@\n-// a\n+// b\n"), File(kTwin)})), "");
  EXPECT_EQ(ReasonOf(WithFiles({File(kShared, "")})), "");  // too large to be shown: unknown
}

TEST(DeepFilterTest, TestOnlyDiffsPassWhenTheyAddATest) {
  Details details = WithFiles({File("test/test_ring.py")});
  details.tests = {{UntrustedText("test/test_ring.py"), UntrustedText("T"), UntrustedText("test_a"), "modified"}};
  EXPECT_EQ(ReasonOf(details, Runnable::kTest), "no-behaviour-change");
  details.tests[0].change = "added";
  EXPECT_EQ(ReasonOf(details, Runnable::kTest), "");
}

TEST(DeepFilterTest, RenameOutOfSharedCodeIsNoDocumentation) {
  ChangedFile moved = File("docs/old_ring.md");
  moved.previous_path = UntrustedText(kShared);
  EXPECT_EQ(ReasonOf(WithFiles({moved})), "");
}

TEST(DeepFilterTest, DistributedCodeNeedsASingleProcess) {
  Details details = WithFiles({File(kDistributed), File("test/distributed/test_ring.py")});
  details.tests = {{UntrustedText("test/distributed/test_ring.py"), UntrustedText("T"), UntrustedText("test_a"), "added"}};
  EXPECT_EQ(ReasonOf(details, Runnable::kTest), "insufficient-repro-context");
  EXPECT_EQ(ReasonOf(details, Runnable::kScript), "");
  details.tests[0].path = UntrustedText("test/distributed/pipelining/test_ring.py");
  EXPECT_EQ(ReasonOf(details, Runnable::kTest), "");
  details = WithFiles({File(kDistributed), File(kShared)});
  EXPECT_EQ(ReasonOf(details, Runnable::kTest), "");
}

// A probe of the operators that a diff names is still possible; one without any is too small.
TEST(DeepFilterTest, ChangeWithoutOperatorAndTestLacksContextInTheProceduresWords) {
  const Details commit = WithFiles({File("torch/_dynamo/frames.py"), File("torch/fx/ring.py")}, "commit-20fb7bd04e0b");
  const DeepDecision decision = Shipped().Decide(commit, Runnable::kNothing);
  EXPECT_EQ(decision.reason.rule, "insufficient-commit-context");
  EXPECT_EQ(decision.reason.text,
            "insufficient commit context: 4 changed lines in 2 functional files, no operator, nothing to run");
  EXPECT_TRUE(LacksMaterialOnly(decision));
  EXPECT_EQ(ReasonOf(commit, Runnable::kTest), "");
  EXPECT_EQ(ReasonOf(WithFiles(commit.files), Runnable::kNothing), "insufficient-commit-context");
  for (const char* path : {kShared, "aten/src/ATen/native/cuda/Ring.cu", "some/new/place.cc"}) {
    EXPECT_EQ(ReasonOf(WithFiles({File(path), commit.files[0]}, "commit-20fb7bd04e0b"), Runnable::kNothing), "") << path;
    EXPECT_EQ(ReasonOf(WithFiles({File(path)}), Runnable::kNothing), "") << path;
  }
  EXPECT_EQ(ReasonOf(Of("commit-20fb7bd04e0b"), Runnable::kNothing), "");  // the diff could not be read
}

TEST(DeepFilterTest, AnExpectedFailureThatIsLiftedNamesAnOperator) {
  ChangedFile list = File("torch/testing/_internal/common_methods_invocations.py");
  list.patch = UntrustedText("@@ -1,3 +1,2 @@\n  skips=(\n-    DecorateInfo(unittest.expectedFailure, 'T', 'test_a'),\n  ),\n");
  EXPECT_EQ(ReasonOf(WithFiles({list}), Runnable::kNothing), "");
  list.patch = UntrustedText("@@ -1 +1 @@\n-    DecorateInfo(unittest.expectedFailure, 'T', 'a'),\n+    DecorateInfo(unittest.expectedFailure, 'T'),\n");
  EXPECT_EQ(ReasonOf(WithFiles({list}), Runnable::kNothing), "no-behaviour-change");
}

TEST(DeepFilterTest, IssueWithoutAnyMaterialIsRejected) {
  Details issue = Of("issue-1", "ring is wrong");
  issue.body = UntrustedText("It does not work.\n\nPyTorch version: 9.1.0");
  EXPECT_EQ(ReasonOf(issue, Runnable::kNothing), "insufficient-repro-context");
  EXPECT_EQ(ReasonOf(issue, Runnable::kScript), "");
  // A traceback shows how it failed, not how to make it fail.
  issue.comments = {{.body = UntrustedText("Traceback (most recent call last):\n  File ...")}};
  EXPECT_EQ(ReasonOf(issue, Runnable::kNothing), "insufficient-repro-context");
  issue.comments = {{.body = UntrustedText("python test/test_ring.py -k wraps")}};
  EXPECT_EQ(ReasonOf(issue, Runnable::kNothing), "");
}

TEST(DeepFilterTest, AreasAreClassesAndModulesSortedAndOnce) {
  const DeepDecision decision =
      Shipped().Decide(WithFiles({File(kTwin), File(kShared), File("test/test_ring.py"), File("x/y")}), Runnable::kTest);
  EXPECT_EQ(decision.areas, (std::vector<std::string>{"aten", "aten-cuda", "shared", "test", "tests", "twin", "unknown"}));
}

TEST(DeepFilterTest, HostilePathsStayOneReadableLine) {
  const DeepDecision decision =
      Shipped().Decide(WithFiles({File("c10/metal/\x1b[31m\n::error::x.metal")}), Runnable::kScript);
  EXPECT_EQ(decision.reason.text.find_first_of("\n\x1b"), std::string::npos) << decision.reason.text;
}

TEST(DeepFilterTest, MalformedRulesAreConfigErrors) {
  const auto& [title, paths, deep] = ShippedRules();
  Json undescribed = deep, without_material = deep;
  undescribed.Set("reasons", Json::EmptyObject());
  without_material.Remove("report_material");
  for (const Json& bad : {undescribed, without_material, Json::EmptyObject()})
    EXPECT_EQ(DeepFilter::FromJson(paths, bad).error().kind, ErrorKind::kConfig);
  EXPECT_EQ(DeepFilter::FromJson(deep, deep).error().kind, ErrorKind::kConfig);
}

TEST(DeepFilterTest, WordsOfMessagesAloneAreNoBehaviour) {
  const char* reworded = "@@ -1 +1 @@\n-  raise E(\"cannot trace this\")\n+  raise E(\"cannot trace this call of a builtin\")\n";
  EXPECT_EQ(Shipped().Decide(WithFiles({File("torch/_dynamo/ring.py", reworded)}), Runnable::kTest).rule, "diff-messages");
  EXPECT_EQ(ReasonOf(WithFiles({File("torch/_dynamo/ring.py", reworded), File(kShared)})), "");
}

TEST(DeepFilterTest, NewFilesAndTheirImportsAreAFeature) {
  ChangedFile made = File("torch/_functorch/ring.py", "@@ -0,0 +1 @@\n+def ring(): pass\n");
  made.status = "added";
  const ChangedFile exported = File("torch/func/__init__.py", "@@ -1 +1,2 @@\n import a\n+from torch._functorch.ring import ring\n");
  Details feature = WithFiles({made, exported});
  feature.title = UntrustedText("Add a ring of rings");
  EXPECT_EQ(ReasonOf(feature), "new-feature");
  EXPECT_EQ(ReasonOf(WithFiles({made, exported})), "");  // titled as a fix
  EXPECT_EQ(ReasonOf(WithFiles({exported})), "");
  EXPECT_EQ(ReasonOf(WithFiles({made, File(kShared)})), "");
}

TEST(DeepFilterTest, ATagOfTheTargetDoesNotHideSharedFiles) {
  Details details = WithFiles({File("torch/xpu/memory.py"), File(kShared)});
  details.title = UntrustedText("[xpu] align the ring");
  EXPECT_EQ(ReasonOf(details), "");
  details.files.pop_back();
  EXPECT_EQ(ReasonOf(details), "already-xpu-scoped");
}

}  // namespace
}  // namespace xpu_align
