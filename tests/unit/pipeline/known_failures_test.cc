#include "pipeline/known_failures.h"

#include <gtest/gtest.h>

#include "support/contract_example.h"
#include "support/memory_repository.h"
#include "support/memory_run_store.h"
#include "support/quiet_progress.h"

namespace xpu_align {
namespace {

const std::string kTrunk(40, 'c'), kScanned(40, 'a'), kPin(40, 'd');

class Trackers : public GithubSource {
 public:
  Result<Listing> ListOpen(const std::string& label) override {
    if (!failure) return std::unexpected(failure.error());
    Listing listing{.pages = 1};
    EXPECT_EQ(label, "skipped");
    ListedItem issue{.candidate = {.id = CandidateId::OfIssue(12), .number = 12, .title = UntrustedText("foo fails")}};
    issue.candidate.labels = {"skipped"};
    issue.candidate.updated_at = "2026-11-29T10:00:00Z";
    issue.body = UntrustedText(
        "### Bug\nCases:\nop_ut,third_party.torch-xpu-ops.test.xpu.test_foo_xpu.TestFooXPU,test_empty_xpu\n"
        "~~op_ut,a.b.TestDone,test_done~~\n  op_extended,test.xpu.extended.test_ops_xpu.TestOpsXPU,test_x_float16 \r\nText, with, commas.\n");
    listing.items.push_back(issue);
    listing.items.push_back({.candidate = {.id = CandidateId::OfPullRequest(13), .number = 13}});
    return listing;
  }
  RequestCosts Costs() const override { return {.core = 1}; }

  Result<Listing> List(const Window&, ItemEvents) override { return Unasked(); }
  Result<int64_t> CountCreated(const Window&) override { return Unasked(); }
  Result<std::vector<ListedItem>> ListByNumber(std::span<const int64_t>) override { return Unasked(); }
  Status FetchDetails(std::span<const ListedItem>, const Sink&) override { return Unasked(); }
  Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window&) override { return Unasked(); }
  Result<FileListing> FilesOfPullRequest(int64_t) override { return Unasked(); }
  Result<FileListing> FilesOfCommit(const std::string&) override { return Unasked(); }

  Status failure;

 private:
  static std::unexpected<Error> Unasked() { return Fail(ErrorKind::kProtocol, "this was not to be asked"); }
};

class KnownFailuresTest : public testing::Test {
 protected:
  Json File() { return *ParseJson(store_.Read(paths::kKnownFailures).value_or("{}")); }
  Status Collect(RepositoryReader* scanned) {
    return CollectKnownFailures({"intel/torch-xpu-ops", kernels_, scanned, trackers_, store_, progress_});
  }

  MemoryRepository kernels_{kTrunk,
                            {{"test/xpu/skip_list_common.py",
                              "skip_dict = {\n  \"test_foo_xpu.py\": (\n    # https://github.com/intel/torch-xpu-ops/issues/12\n"
                              "    \"test_empty_xpu\",\n  ),\n}\n"},
                             {"test/xpu/extended/skip_list_common.py", "skip_dict = {\"test_ops_xpu.py\": (\"test_x\",)}\n"},
                             {"test/xpu/run_test.py", "x = {\"a.py\": (\"no\",)}\n"}}};
  MemoryRepository scanned_{kScanned, {{"third_party/xpu.txt", kPin + "\n"}}};
  Trackers trackers_;
  MemoryRunStore store_;
  QuietProgress progress_;
};

TEST_F(KnownFailuresTest, PinSkipsAndTrackers) {
  kernels_.ancestry = Answer::kYes;
  ASSERT_TRUE(Collect(&scanned_));
  const Json expected = *ParseJson(R"({"schema": "xpu-align/known-failures@1", "repository": "intel/torch-xpu-ops",
    "commit": ")" + kTrunk + R"(", "pin_is_in_trunk": "yes",
    "pin": {"file": "third_party/xpu.txt", "at": ")" + kScanned + R"(", "commit": ")" + kPin + R"("},
    "skips": [{"list": "test/xpu/skip_list_common.py", "line": 4, "file": "test_foo_xpu.py", "test": "test_empty_xpu", "trackers": [12]},
              {"list": "test/xpu/extended/skip_list_common.py", "line": 1, "file": "test_ops_xpu.py", "test": "test_x"}],
    "trackers": [{"number": 12, "title": "foo fails", "url": "https://github.com/intel/torch-xpu-ops/issues/12",
                  "updated_at": "2026-11-29T10:00:00Z", "labels": ["skipped"], "cases": [
        {"suite": "op_ut", "module": "third_party.torch-xpu-ops.test.xpu.test_foo_xpu", "class": "TestFooXPU", "test": "test_empty_xpu"},
        {"suite": "op_extended", "module": "test.xpu.extended.test_ops_xpu", "class": "TestOpsXPU", "test": "test_x_float16"}]}],
    "requests": {"core": 1, "search": 0, "graphql": 0}})");
  EXPECT_EQ(WriteJson(File()), WriteJson(expected));
  EXPECT_EQ(ShapeOf(File()), ShapeOf(ContractExample("artifacts/known_failures.json")));
}

TEST_F(KnownFailuresTest, APartThatFailsIsNamedAndTheOthersStay) {
  trackers_.failure = Fail(ErrorKind::kNetwork, "no answer");
  ASSERT_TRUE(Collect(nullptr));
  EXPECT_EQ(File().StringsOf("incomplete"), std::vector<std::string>{"trackers: no answer"});
  EXPECT_EQ(File().ArrayOf("skips").size(), 2u);
  EXPECT_FALSE(File().Has("pin"));

  trackers_.failure = {};
  kernels_.update = Fail(ErrorKind::kNetwork, "no clone");
  MemoryRepository odd(kScanned, {{"third_party/xpu.txt", "main\n"}});
  ASSERT_TRUE(Collect(&odd));
  EXPECT_EQ(File().StringsOf("incomplete"),
            (std::vector<std::string>{"pin: third_party/xpu.txt names no commit", "skip lists: no clone"}));
  EXPECT_EQ(File().ArrayOf("trackers").size(), 1u);
}

TEST_F(KnownFailuresTest, ASignalEndsIt) {
  kernels_.update = Fail(ErrorKind::kCancelled, "stopped");
  EXPECT_EQ(Collect(nullptr).error().kind, ErrorKind::kCancelled);
  EXPECT_FALSE(store_.Exists(paths::kKnownFailures));
}

}  // namespace
}  // namespace xpu_align
