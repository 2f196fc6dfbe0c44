// The collect stage over its real edges against the fake server: the files of the run directory, and what is said
// when a source fails.
#include <algorithm>

#include "contract/fake_github_process.h"
#include "edge/git/repository.h"
#include "edge/github/github.h"
#include "edge/http/http_client.h"
#include "edge/store/run_directory.h"
#include "pipeline/collect.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

// Of the 29th: issues 11 and 12, pull requests 13 (landed by the bot: closed, not merged) and 14 (open), and
// three trunk commits. Pull request 9 is older but landed on the 29th. 8 is older and nothing happened to it.
constexpr const char* kWorld = R"({"repository": "pytorch/pytorch", "token": "secret", "users": {"core": "MEMBER"},
 "issues": [
  {"number": 8, "title": "Too old", "created_at": "2026-11-28T23:59:59Z"},
  {"number": 11, "title": "crash in foo", "body": "It crashes.", "author": "ann", "created_at": "2026-11-29T00:00:00Z",
   "labels": ["module: crash"], "referenced_by": [13],
   "comments": [{"author": "core", "body": "same as #12", "created_at": "2026-11-29T01:00:00Z"}]},
  {"number": 12, "title": "DISABLED test_x", "created_at": "2026-11-29T02:00:00Z"}],
 "pulls": [
  {"number": 9, "title": "Older change", "created_at": "2026-11-20T00:00:00Z", "state": "closed", "base": "commit:c0", "head": "refs/pull/9/head"},
  {"number": 13, "title": "Fix foo", "created_at": "2026-11-29T03:00:00Z", "state": "closed", "labels": ["Merged"],
   "base": "commit:c0", "head": "refs/pull/13/head", "closes": [11], "body": "Fixes #11"},
  {"number": 14, "title": "Add bar", "created_at": "2026-11-29T04:00:00Z", "base": "commit:c0", "head": "refs/pull/14/head"}],
 "git": {"pytorch/pytorch": [
  {"name": "c0", "at": "2026-11-28T10:00:00Z", "message": "Begin\n", "files": {"foo.py": "old\n", "test/test_foo.py":
    "class TestFoo(TestCase):\n    def test_old(self):\n        pass\n"}},
  {"name": "p13", "parent": "c0", "at": "2026-11-29T03:00:00Z", "message": "Fix foo\n", "refs": ["refs/pull/13/head"], "files": {
    "foo.py": "new\n", "test/test_foo.py": "class TestFoo(TestCase):\n    def test_old(self):\n        pass\n\n    def test_empty(self):\n        foo()\n"}},
  {"name": "p14", "parent": "c0", "at": "2026-11-29T04:00:00Z", "message": "Add bar\n", "refs": ["refs/pull/14/head"], "files": {"bar.py": "b\n"}},
  {"name": "p9", "parent": "c0", "at": "2026-11-20T00:00:00Z", "message": "Older change\n", "refs": ["refs/pull/9/head"], "files": {"baz.py": "draft\n"}},
  {"name": "c1", "parent": "c0", "at": "2026-11-29T05:00:00Z", "author": "ann", "files": {"foo.py": "new\n"},
   "message": "Fix foo (#13)\n\nFixes #11\n\nPull Request resolved: https://github.com/pytorch/pytorch/pull/13\nApproved by: x\n"},
  {"name": "c2", "at": "2026-11-29T06:00:00Z", "files": {"baz.py": "z\n"},
   "message": "Older change (#9)\n\nPull Request resolved: https://github.com/pytorch/pytorch/pull/9\n"},
  {"name": "c3", "at": "2026-11-29T07:00:00Z", "message": "DISABLED by hand\n", "refs": ["refs/heads/main"], "files": {"z": "z"}}]}})";

std::string World(const std::string& more = "") {
  std::string world = kWorld;
  return world.replace(world.rfind('}'), 1, more + "}");
}

// Stand-ins for src/filter: one title rule, one kind of link.
TitleDecision DecideTitle(Kind, const UntrustedText& title) {
  if (title.ForMatching().starts_with("DISABLED")) return {TitleStatus::kReject, "disabled-test", "a toggle", title};
  return {};
}
std::vector<Link> LinksInText(const UntrustedText& text) {
  if (text.ForMatching().contains("same as #12")) return {{"relands", "issue-12"}};
  return {};
}

class CollectContract : public ContractTest {
 protected:
  Result<CollectOutcome> Run(FakeGithub& fake, std::optional<size_t> max_candidates = {}) {
    return RunWith(fake,
                   OpenClone({.directory = folder_ / "clone.git",
                              .url = fake.Base() + "/pytorch/pytorch.git",
                              .http = {.user_agent = "git/2.0 (test)"}})
                       ->release(),
                   max_candidates);
  }
  Result<CollectOutcome> RunWith(FakeGithub& fake, RepositoryReader* given, std::optional<size_t> max_candidates = {},
                                 const std::string& token = "secret") {
    clone_.reset(given);
    http_ = MakeCurlHttp({.user_agent = "xpu-align/test"});
    auto github = *MakeGithubSource(
        {.api_url = fake.Base(), .repository = "pytorch/pytorch", .token = BearerToken(token)}, *http_, clock_);
    store_ = *OpenRunDirectory(folder_ / "run");
    const CollectRequest request{.repository = "pytorch/pytorch",
                                 .window = Window::Day(*ParseDate("2026-11-29")),
                                 .max_candidates = max_candidates};
    return Collect(request, {*github, clone_.get(), *store_, progress_}, {DecideTitle, LinksInText, go_on_});
  }
  Json File(std::string_view path) { return ParseJson(*store_->Read(path)).value_or(Json()); }
  Details DetailsOf(const char* id) {
    auto details = DetailsFromJson(File(paths::Details(*CandidateId::Parse(id))));
    EXPECT_TRUE(details) << id;
    return details ? *details : Details{.id = *CandidateId::Parse(id)};
  }
  Json Source(std::string_view name) {
    const Json collection = File(paths::kCollection);
    for (const Json& source : collection.ArrayOf("sources"))
      if (source.StringOr("name") == name) return source;
    return Json();
  }
  std::vector<std::string> RawIds() {
    std::vector<std::string> ids;
    const Json raw = File(paths::kRawCandidates);
    for (const Json& candidate : raw.ArrayOf("candidates")) ids.push_back(candidate.StringOr("id"));
    return ids;
  }

  ManualClock clock_{"2026-11-30T06:00:00Z"};
  RecordedProgress progress_;
  std::function<bool(const TitleSummary&)> go_on_;
  std::unique_ptr<HttpTransport> http_;
  std::unique_ptr<RepositoryReader> clone_;
  std::unique_ptr<RunStore> store_;
};

TEST_F(CollectContract, DayIsWrittenAsTheContractSays) {
  FakeGithub fake(folder_ / "fake", World());
  const auto outcome = Run(fake);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->incomplete, std::vector<std::string>{});
  EXPECT_EQ(outcome->candidates, 8u);
  EXPECT_EQ(outcome->passed, 6u);
  EXPECT_EQ(outcome->detailed, 7u);  // and issue-12, rejected but linked
  EXPECT_EQ(progress_.warnings, std::vector<std::string>{});

  const std::string c1 = *clone_->Resolve("main~2"), c2 = *clone_->Resolve("main~1"), c3 = *clone_->Resolve("main");
  std::vector<std::string> expected{"issue-11", "issue-12", "pr-9", "pr-13", "pr-14"}, commits;
  for (const std::string& sha : {c1, c2, c3}) commits.push_back(CandidateId::OfCommit(sha).Text());
  std::ranges::sort(commits);
  std::ranges::copy(commits, std::back_inserter(expected));
  EXPECT_EQ(RawIds(), expected);

  // Created and landed in the window: one entry, two events.
  const Json raw = File(paths::kRawCandidates);
  const Json& pull = raw.ArrayOf("candidates")[3];
  ASSERT_EQ(pull.ArrayOf("events").size(), 2u);
  EXPECT_EQ(pull.ArrayOf("events")[0].StringOr("name"), "created");
  EXPECT_EQ(pull.ArrayOf("events")[1].StringOr("name"), "merged");
  EXPECT_EQ(pull.ArrayOf("events")[1].StringOr("at"), "2026-11-29T05:00:00Z");

  const Json collection = File(paths::kCollection);
  EXPECT_EQ(Source("issues-and-prs").IntOr("cross_check"), 4);
  EXPECT_EQ(Source("issues-and-prs").IntOr("items"), 4);
  EXPECT_EQ(Source("commits").IntOr("items"), 3);
  EXPECT_TRUE(Source("details").BoolOr("complete", false));
  EXPECT_EQ(collection["trunk"].StringOr("sha"), c3);
  // A list page, two counts, older pull requests, issues and pull requests: no request an item.
  EXPECT_EQ(collection["requests"].IntOr("core"), 1);
  EXPECT_EQ(collection["requests"].IntOr("search"), 2);
  EXPECT_EQ(collection["requests"].IntOr("graphql"), 4);
  EXPECT_EQ(fake.Stop(), 0);
  EXPECT_EQ(fake.Lines("POST /pytorch/pytorch.git/git-upload-pack").size(), 1u);  // one fetch a night
}

TEST_F(CollectContract, DetailsHoldDiffTestsLinksAndWhereItLanded) {
  FakeGithub fake(folder_ / "fake", World());
  ASSERT_TRUE(Run(fake));
  const std::string c1 = *clone_->Resolve("main~2"), c0 = *clone_->Resolve("main~3");
  const Details pull = DetailsOf("pr-13");
  EXPECT_EQ(pull.landed_sha, c1);
  EXPECT_EQ(pull.state, "closed");
  EXPECT_EQ(pull.sha, *clone_->Resolve("refs/pull/13/head"));
  EXPECT_EQ(pull.base_sha, c0);
  EXPECT_EQ(pull.diff_source, "clone");
  EXPECT_EQ(pull.base_source, "merge-base");
  // What compose needs to run the test in its place.
  const Json material = *ParseJson(*store_->Read("artifacts/material/pr-13/index.json"));
  ASSERT_EQ(material.ArrayOf("files").size(), 1u);
  EXPECT_EQ(material.StringOr("sha"), pull.sha);
  EXPECT_EQ(material.ArrayOf("files")[0].StringOr("path"), "test/test_foo.py");
  EXPECT_TRUE(store_->Read("artifacts/material/pr-13/0.py")->contains("def test_empty(self)"));
  EXPECT_EQ(*ParseJson(WriteJson(File(paths::kCollection)["diffs"])), *ParseJson(R"({"clone": 5})"));
  ASSERT_EQ(pull.files.size(), 2u);
  EXPECT_EQ(pull.files[0].patch, UntrustedText("@@ -1 +1 @@\n-old\n+new\n"));
  ASSERT_EQ(pull.tests.size(), 1u);
  EXPECT_EQ(pull.tests[0].name, UntrustedText("test_empty"));
  EXPECT_EQ(pull.tests[0].class_name, UntrustedText("TestFoo"));
  EXPECT_EQ(pull.tests[0].change, "added");
  ASSERT_EQ(pull.links.size(), 1u);
  EXPECT_EQ(pull.links[0].kind + " " + pull.links[0].target, "closes issue-11");

  const Details issue = DetailsOf("issue-11");
  EXPECT_EQ(issue.author, UntrustedText("ann"));
  EXPECT_EQ(issue.labels, std::vector<std::string>{"module: crash"});
  ASSERT_EQ(issue.comments.size(), 1u);
  ASSERT_EQ(issue.links.size(), 2u);
  EXPECT_EQ(issue.links[0].kind + " " + issue.links[0].target, "closes pr-13");
  EXPECT_EQ(issue.links[1].kind + " " + issue.links[1].target, "relands issue-12");

  const Details commit = DetailsOf(CandidateId::OfCommit(c1).Text().c_str());
  EXPECT_EQ(commit.title, UntrustedText("Fix foo (#13)"));
  EXPECT_TRUE(commit.body.ForMatching().contains("Approved by"));
  EXPECT_EQ(commit.landed_sha, c1);
  EXPECT_EQ(commit.base_source, "parent");
  ASSERT_EQ(commit.trailers.size(), 2u);
  EXPECT_EQ(commit.trailers[0].key, "pull-request-resolved");
  EXPECT_EQ(commit.trailers[1].value, UntrustedText("x"));
  ASSERT_EQ(commit.files.size(), 1u);

  // Older, so its head was not fetched: what landed is shown.
  const Details older = DetailsOf("pr-9");
  EXPECT_EQ(older.landed_sha, *clone_->Resolve("main~1"));
  ASSERT_EQ(older.files.size(), 1u);
  EXPECT_EQ(older.files[0].patch, UntrustedText("@@ -0,0 +1 @@\n+z\n"));
}

TEST_F(CollectContract, LedgerHasTitleColumnsAndASecondRunAsksForNoDetails) {
  FakeGithub fake(folder_ / "fake", World());
  ASSERT_TRUE(Run(fake));
  const auto rows = *store_->LoadLedger();
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows[0].title_status, TitleStatus::kPass);
  EXPECT_EQ(rows[1].title_status, TitleStatus::kReject);
  EXPECT_EQ(rows[1].title_rule, "disabled-test");
  EXPECT_EQ(rows[1].deep_status, DeepStatus::kPending);
  const std::string ledger = *store_->Read(paths::kLedger), raw = *store_->Read(paths::kRawCandidates);
  const size_t queries = fake.Lines("POST /graphql").size();
  const auto again = Run(fake);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->detailed, 7u);
  EXPECT_EQ(*store_->Read(paths::kLedger), ledger);
  EXPECT_EQ(*store_->Read(paths::kRawCandidates), raw);
  EXPECT_EQ(fake.Lines("POST /graphql").size(), queries + 1);  // the older pull requests' titles only
}

TEST_F(CollectContract, WithoutACloneRestGivesCommitsAndDiffs) {
  FakeGithub fake(folder_ / "fake", World());
  const auto outcome = RunWith(fake, nullptr);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->incomplete, std::vector<std::string>{});
  EXPECT_EQ(outcome->candidates, 8u);
  const Details pull = DetailsOf("pr-13");
  EXPECT_EQ(pull.diff_source, "rest");
  ASSERT_EQ(pull.files.size(), 2u);
  EXPECT_EQ(pull.files[0].patch, UntrustedText("@@ -1 +1 @@\n-old\n+new\n"));
  ASSERT_EQ(pull.tests.size(), 1u);
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(CollectContract, FailedCloneMakesTheRunPartial) {
  FakeGithub fake(folder_ / "fake",
                  World(R"(, "faults": [{"on": "GET /pytorch/pytorch.git", "times": 9, "status": 503}])"));
  const auto outcome = Run(fake);
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(outcome->incomplete.size(), 1u);
  EXPECT_TRUE(outcome->incomplete[0].starts_with("commits: the clone could not be fetched")) << outcome->incomplete[0];
  EXPECT_FALSE(Source("commits").BoolOr("complete", true));
  EXPECT_EQ(RawIds(), (std::vector<std::string>{"issue-11", "issue-12", "pr-13", "pr-14"}));
  EXPECT_EQ(DetailsOf("pr-14").diff_source, "rest");
}

TEST_F(CollectContract, FailedListLeavesTheCommits) {
  FakeGithub fake(folder_ / "fake",
                  World(R"(, "faults": [{"on": "GET /repos/pytorch/pytorch/issues", "times": 4, "cut_body": 30}])"));
  const auto outcome = Run(fake);
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(outcome->incomplete.size(), 1u);
  EXPECT_TRUE(outcome->incomplete[0].starts_with("issues-and-prs: ")) << outcome->incomplete[0];
  EXPECT_EQ(outcome->candidates, 3u);
}

TEST_F(CollectContract, NothingAnswersIsANetworkError) {
  FakeGithub fake(folder_ / "fake", World());
  static_cast<void>(fake.Stop());
  const auto outcome = Run(fake);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kNetwork);
}

TEST_F(CollectContract, RefusedTokenEndsTheStage) {
  FakeGithub fake(folder_ / "fake", World());
  const auto outcome = RunWith(fake, nullptr, {}, "wrong");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::kAuth);
}

TEST_F(CollectContract, GoneIssueHasAFailureAndTheRunIsComplete) {
  std::string world = World();
  world.replace(world.find(R"("body": "It crashes.")"), 21, R"("gone": 410)");
  FakeGithub fake(folder_ / "fake", world);
  const auto outcome = Run(fake);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->incomplete, std::vector<std::string>{});
  EXPECT_EQ(DetailsOf("issue-11").fetch_failure, "HTTP 410");
  EXPECT_EQ(DetailsOf("issue-11").title, UntrustedText("crash in foo"));
}

TEST_F(CollectContract, RateLimitDuringDetailsKeepsWhatCame) {
  FakeGithub fake(
      folder_ / "fake",
      World(R"(, "faults": [{"on": "POST /graphql", "skip": 2, "status": 403, "headers": {"Retry-After": "3600"}}])"));
  const auto outcome = Run(fake);
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(outcome->incomplete.size(), 1u);
  EXPECT_TRUE(outcome->incomplete[0].starts_with("details: GitHub: rate limit")) << outcome->incomplete[0];
  EXPECT_TRUE(store_->Exists(paths::Details(*CandidateId::Parse("issue-11"))));
  EXPECT_FALSE(store_->Exists(paths::Details(*CandidateId::Parse("pr-13"))));
}

TEST_F(CollectContract, TooManyCandidatesStopBeforeDetails) {
  FakeGithub fake(folder_ / "fake", World());
  const auto outcome = Run(fake, 5);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->incomplete,
            std::vector<std::string>{"details: 6 candidates pass the title rules, more than --max-candidates 5"});
  EXPECT_TRUE(store_->List(paths::kDetailsFolder).empty());
  EXPECT_EQ(progress_.notes[1], "6 candidates pass the title rules; narrower windows: 2026-11-29: 6");
}

TEST_F(CollectContract, ManyCandidatesAreAskedAboutBeforeDetails) {
  std::string issues;
  for (int i = 1; i <= 201; ++i)
    issues += std::string(i > 1 ? "," : "") + R"({"title": "crash", "created_at": "2026-11-29T00:00:00Z", "number": )" +
              std::to_string(i) + "}";
  FakeGithub fake(
      folder_ / "fake",
      R"({"repository": "pytorch/pytorch", "issues": [)" + issues +
          R"(], "git": {"pytorch/pytorch": [{"name": "c", "at": "2026-11-01T00:00:00Z", "message": "c", "refs": ["refs/heads/main"]}]}})");
  size_t asked = 0;
  go_on_ = [&](const TitleSummary& summary) {
    asked = summary.passed;
    return false;
  };
  const auto outcome = Run(fake);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(asked, 201u);
  EXPECT_EQ(outcome->detailed, 0u);
  EXPECT_EQ(outcome->incomplete,
            std::vector<std::string>{"details: 201 candidates pass the title rules; stopped before their details"});
  EXPECT_EQ(fake.Lines("POST /graphql").size(), 0u);
}

}  // namespace
}  // namespace xpu_align
