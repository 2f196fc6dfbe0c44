// Known failures over their real edges: a clone of the kernels' repository and its open issues, by label and page.
#include "contract/fake_github_process.h"
#include "edge/git/repository.h"
#include "edge/github/github.h"
#include "edge/http/http_client.h"
#include "edge/store/run_directory.h"
#include "pipeline/known_failures.h"

namespace xpu_align {
namespace {

constexpr const char* kWorld = R"({"repository": "intel/torch-xpu-ops", "page_size": 1, "issues": [
  {"number": 3, "title": "open tracker", "created_at": "2026-11-01T00:00:00Z", "labels": ["skipped"], "body": "Cases:\nop_ut,test.xpu.test_foo_xpu.TestFooXPU,test_empty_xpu\n"},
  {"number": 4, "title": "closed tracker", "created_at": "2026-11-02T00:00:00Z", "labels": ["skipped"], "state": "closed"},
  {"number": 5, "title": "something else", "created_at": "2026-11-03T00:00:00Z", "labels": ["bug"]},
  {"number": 6, "title": "newer tracker", "created_at": "2026-11-04T00:00:00Z", "labels": ["skipped", "os: Windows"]}],
 "git": {"intel/torch-xpu-ops": [
  {"name": "c0", "at": "2026-11-28T10:00:00Z", "message": "Begin\n", "files": {"README.md": "x\n"}},
  {"name": "c1", "at": "2026-11-29T10:00:00Z", "message": "Skip\n", "refs": ["refs/heads/main"], "files": {
    "test/xpu/skip_list_common.py": "skip_dict = {\n    \"test_foo_xpu.py\": (\n        \"test_empty_xpu\",\n    ),\n}\n"}}],
  "pytorch/pytorch": [
  {"name": "t", "at": "2026-11-29T10:00:00Z", "message": "Pin\n", "refs": ["refs/heads/main"], "files": {"third_party/xpu.txt": "0000000000000000000000000000000000000001\n"}}]}})";

class KnownFailuresContract : public ContractTest {
 protected:
  std::unique_ptr<RepositoryReader> Clone(const FakeGithub& fake, const std::string& repository, const char* folder) {
    auto clone = OpenClone({.directory = folder_ / folder, .url = fake.Base() + "/" + repository + ".git", .http = {.user_agent = "x"}});
    EXPECT_TRUE(clone) << clone.error().message;
    return std::move(*clone);
  }
  ManualClock clock_{"2026-11-30T06:00:00Z"};
  RecordedProgress progress_;
};

TEST_F(KnownFailuresContract, PinSkipsAndOpenTrackersOfAllPages) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto kernels = Clone(fake, "intel/torch-xpu-ops", "kernels.git"), scanned = Clone(fake, "pytorch/pytorch", "scanned.git");
  ASSERT_TRUE(scanned->Update({}));
  const auto http = MakeCurlHttp({.user_agent = "x"});
  const auto issues = MakeGithubSource({.api_url = fake.Base(), .repository = "intel/torch-xpu-ops"}, *http, clock_);
  ASSERT_TRUE(issues) << issues.error().message;
  const auto store = OpenRunDirectory(folder_ / "run");
  ASSERT_TRUE(store) << store.error().message;
  const Status done = CollectKnownFailures({"intel/torch-xpu-ops", *kernels, scanned.get(), **issues, **store, progress_});
  ASSERT_TRUE(done) << done.error().message;
  const Json file = *ParseJson(*(*store)->Read(paths::kKnownFailures));
  EXPECT_EQ(file.StringOr("commit"), *kernels->Resolve("main"));
  EXPECT_EQ(file["pin"].StringOr("commit"), "0000000000000000000000000000000000000001");
  EXPECT_EQ(file.StringOr("pin_is_in_trunk"), "unknown");  // no such commit in the clone
  ASSERT_EQ(file.ArrayOf("skips").size(), 1u);
  EXPECT_EQ(file.ArrayOf("skips")[0].StringOr("test"), "test_empty_xpu");
  ASSERT_EQ(file.ArrayOf("trackers").size(), 2u);
  EXPECT_EQ(file.ArrayOf("trackers")[0].IntOr("number"), 6);
  EXPECT_EQ(file.ArrayOf("trackers")[1].ArrayOf("cases")[0].StringOr("class"), "TestFooXPU");
  EXPECT_EQ(file["requests"].IntOr("core"), 2);
  EXPECT_TRUE(progress_.warnings.empty());
  EXPECT_EQ(fake.Stop(), 0);
}

}  // namespace
}  // namespace xpu_align
