// The GitHub edge against the fake server: what is asked, how failures are met, where the token goes.
#include "contract/fake_github_process.h"
#include "edge/github/github.h"
#include "edge/http/http_client.h"

namespace xpu_align {
namespace {

constexpr const char* kNow = "2026-11-30T06:00:00Z";
const Window kDay = Window::Day(*ParseDate("2026-11-29"));

// A world with `issues` of the day, numbered from 100, one a minute, and one of the day before.
std::string WorldOf(int issues, const std::string& more) {
  std::string items = R"({"number": 99, "title": "Older", "created_at": "2026-11-28T23:59:59Z"})";
  for (int i = 0; i < issues; ++i) {
    char time[32];
    std::snprintf(time, sizeof time, "2026-11-29T%02d:%02d:00Z", i / 60, i % 60);
    items += R"(, {"number": )" + std::to_string(100 + i) + R"(, "title": "Issue )" + std::to_string(i) +
             R"(", "body": "text", "created_at": ")" + time + R"("})";
  }
  return R"({"repository": "pytorch/pytorch", "token": "secret", "issues": [)" + items + "]" + more + "}";
}

class GithubContract : public ContractTest {
 protected:
  std::unique_ptr<GithubSource> SourceFor(const FakeGithub& fake, const std::string& token = "secret") {
    http_ = MakeCurlHttp({.user_agent = "xpu-align/test"});
    return *MakeGithubSource({.api_url = fake.Base(), .repository = "pytorch/pytorch", .token = BearerToken(token)},
                             *http_, clock_);
  }
  // Runs FetchDetails over everything that is listed.
  Status Fetch(GithubSource& source, std::vector<Details>* out) {
    TRY_ASSIGN(const Listing listing, source.List(kDay, ItemEvents::kCreated));
    return source.FetchDetails(listing.items, [&](FetchedItem item) -> Status {
      out->push_back(std::move(item.details));
      return {};
    });
  }
  ManualClock clock_{kNow};
  std::unique_ptr<HttpTransport> http_;
};

TEST_F(GithubContract, PagesAreFollowedVerbatimUntilTheWindowIsLeft) {
  FakeGithub fake(folder_, WorldOf(5, R"(, "page_size": 2)"));
  auto source = SourceFor(fake);
  const auto listing = source->List(kDay, ItemEvents::kCreated);
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_EQ(listing->pages, 3);
  EXPECT_EQ(listing->incomplete_because, "");
  ASSERT_EQ(listing->items.size(), 5u);
  EXPECT_EQ(listing->items[0].candidate.id.Text(), "issue-104");
  EXPECT_EQ(listing->items[0].candidate.url, "https://github.com/pytorch/pytorch/issues/104");
  EXPECT_EQ(*source->CountCreated(kDay), 5);
  EXPECT_EQ(source->Costs().core, 3);
  EXPECT_EQ(source->Costs().search, 2);
  EXPECT_EQ(fake.Stop(), 0);
  // The later pages have addresses that only the server could have made.
  EXPECT_EQ(fake.Lines("GET /repos/pytorch/pytorch/issues").size(), 1u);
  EXPECT_EQ(fake.Lines("GET /repositories/65600975/issues").size(), 2u);
  for (const Json& entry : fake.Log()) {
    EXPECT_EQ(entry.StringOr("user_agent"), "xpu-align/test");
    EXPECT_EQ(entry.StringOr("api_version"), "2022-11-28");
    EXPECT_TRUE(entry.BoolOr("authorization", false));
  }
}

TEST_F(GithubContract, UpdatedWidensToOlderItemsThatChanged) {
  FakeGithub fake(folder_, R"({"repository": "pytorch/pytorch", "page_size": 1, "issues": [
    {"number": 1, "title": "Old, quiet", "created_at": "2026-11-01T00:00:00Z"},
    {"number": 2, "title": "Old, changed", "created_at": "2026-11-01T00:00:00Z", "updated_at": "2026-11-29T05:00:00Z"},
    {"number": 3, "title": "Of the day", "created_at": "2026-11-29T06:00:00Z"},
    {"number": 4, "title": "Changed again later", "created_at": "2026-11-02T00:00:00Z", "updated_at": "2026-11-30T01:00:00Z"},
    {"number": 5, "title": "Of the next day", "created_at": "2026-11-30T00:00:00Z"}]})");
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kUpdated);
  ASSERT_TRUE(listing) << listing.error().message;
  std::vector<int64_t> numbers;
  for (const ListedItem& item : listing->items) numbers.push_back(item.candidate.number);
  EXPECT_EQ(numbers, (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(GithubContract, AnItemThatIsTouchedWhileTheListIsReadComesOnceInItsNewestVersion) {
  const auto element = [](const char* title, const char* updated_at) {
    return std::string(R"({"number": 2, "title": ")") + title + R"(", "created_at": "2026-11-01T00:00:00Z", "updated_at": ")" +
           updated_at + R"("})";
  };
  FakeGithub fake(folder_, R"({"repository": "pytorch/pytorch", "stubs": [
    {"on": "GET /repos/pytorch/pytorch/issues?state=all&sort=updated&direction=asc&since=2026-11-29T00:00:00Z&per_page=100",
     "headers": {"Link": "<$BASE/page2>; rel=\"next\""}, "body": [)" + element("Before", "2026-11-29T05:00:00Z") + R"(]},
    {"on": "GET /page2", "body": [)" + element("After", "2026-11-30T06:00:00Z") + R"(]}]})");
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kUpdated);
  ASSERT_TRUE(listing) << listing.error().message;
  ASSERT_EQ(listing->items.size(), 1u);
  EXPECT_EQ(listing->items[0].candidate.title, UntrustedText("After"));
  EXPECT_EQ(listing->items[0].candidate.updated_at, "2026-11-30T06:00:00Z");
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(GithubContract, OnlyWhatGithubMergedInTheWindowIsMerged) {
  FakeGithub fake(folder_, R"({"repository": "pytorch/pytorch", "issues": [
    {"number": 1, "title": "An issue", "created_at": "2026-11-29T05:00:00Z"}], "pulls": [
    {"number": 2, "title": "Merged", "created_at": "2026-11-01T00:00:00Z", "updated_at": "2026-11-30T05:00:00Z",
     "merged_at": "2026-11-29T23:59:59Z", "head": ")" + std::string(40, 'a') + R"(", "base": ")" + std::string(40, 'b') + R"("},
    {"number": 3, "title": "Merged later", "created_at": "2026-11-29T00:00:00Z", "updated_at": "2026-11-30T05:00:00Z",
     "merged_at": "2026-11-30T00:00:00Z", "head": ")" + std::string(40, 'a') + R"(", "base": ")" + std::string(40, 'b') + R"("},
    {"number": 4, "title": "Open", "created_at": "2026-11-29T00:00:00Z",
     "head": ")" + std::string(40, 'a') + R"(", "base": ")" + std::string(40, 'b') + R"("}]})");
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kMerged);
  ASSERT_TRUE(listing) << listing.error().message;
  ASSERT_EQ(listing->items.size(), 1u);
  EXPECT_EQ(listing->items[0].candidate.number, 2);
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(GithubContract, AnotherHostIsNotAskedForGithubsWord) {
  FakeGithub other(folder_ / "other", R"({"repository": "a/b"})");
  FakeGithub fake(
      folder_ / "fake",
      WorldOf(1, R"(, "faults": [{"on": "GET /repos/", "times": 4, "status": 302, "headers": {"Location": ")" +
                     other.Base() + R"(/list"}}])"));
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kCreated);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().kind, ErrorKind::kProtocol);
  EXPECT_EQ(fake.Stop(), 0);
  EXPECT_TRUE(other.Log().empty());
}

TEST_F(GithubContract, FullLastPageInsideTheWindowIsSuspect) {
  std::string elements;
  for (int i = 0; i < 100; ++i)
    elements += std::string(i > 0 ? "," : "") +
                R"({"title": "crash", "created_at": "2026-11-29T05:00:00Z", "number": )" + std::to_string(i + 1) + "}";
  FakeGithub fake(
      folder_,
      R"({"repository": "pytorch/pytorch", "stubs": [{"on": "GET /repos/pytorch/pytorch/issues?state=all&sort=created&direction=desc&per_page=100",
        "body": [)" +
          elements + "]}]}");
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kCreated);
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_EQ(listing->items.size(), 100u);
  EXPECT_EQ(listing->incomplete_because, "the list ends after a full page, inside the window");
}

TEST_F(GithubContract, FilesOfACommitAreFollowedBeyondAPage) {
  FakeGithub fake(folder_, R"({"repository": "pytorch/pytorch", "page_size": 2, "git": {"pytorch/pytorch": [
    {"name": "a", "at": "2026-11-28T00:00:00Z", "message": "a"},
    {"name": "b", "at": "2026-11-29T00:00:00Z", "message": "b", "refs": ["refs/heads/main"],
     "files": {"1": "1", "2": "2", "3": "3", "4": "4", "5": "5"}}]}})");
  auto source = SourceFor(fake);
  const auto commits = source->TrunkCommitsIn(kDay);
  ASSERT_TRUE(commits && commits->size() == 1);
  const auto listing = source->FilesOfCommit((*commits)[0].sha);
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_EQ(listing->files.size(), 5u);
  EXPECT_EQ(listing->incomplete_because, "");
  const auto unknown = source->FilesOfCommit(std::string(40, 'f'));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::kNotFound);
}

TEST_F(GithubContract, NextPageOnAnotherHostIsRefused) {
  FakeGithub fake(
      folder_,
      WorldOf(
          1,
          R"(, "stubs": [{"on": "GET /repos/pytorch/pytorch/issues?state=all&sort=created&direction=desc&per_page=100",
    "headers": {"Link": "<http://localhost:1/steal>; rel=\"next\""}, "body": []}])"));
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kCreated);
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_TRUE(listing->incomplete_because.contains("another host")) << listing->incomplete_because;
}

TEST_F(GithubContract, SlowGraphqlHalvesTheBatchAndRemembersIt) {
  FakeGithub fake(folder_, WorldOf(60, R"(, "faults": [{"on": "POST /graphql", "times": 2, "status": 502}])"));
  auto source = SourceFor(fake);
  std::vector<Details> details;
  const Status status = Fetch(*source, &details);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(details.size(), 60u);
  EXPECT_EQ(fake.Stop(), 0);
  std::vector<int64_t> batches;
  for (const Json& entry : fake.Log())
    if (entry.StringOr("line") == "POST /graphql" && entry.IntOr("status") == 200)
      batches.push_back(entry.IntOr("nodes"));
  EXPECT_EQ(batches, (std::vector<int64_t>{12, 12, 12, 12, 12}));
}

TEST_F(GithubContract, PrimaryLimitIsWaitedForInVirtualTime) {
  FakeGithub fake(folder_, WorldOf(1, R"(, "rate": {"core": 0})"));
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kCreated);
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_EQ(listing->items.size(), 1u);
  EXPECT_EQ(clock_.waits, (std::vector<int64_t>{61'000}));  // to x-ratelimit-reset and one second
}

TEST_F(GithubContract, LimitBeyondTheBudgetFailsAsRateLimited) {
  FakeGithub fake(folder_,
                  WorldOf(1, R"(, "faults": [{"request": 0, "status": 429, "headers": {"Retry-After": "601"}}])"));
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kCreated);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().kind, ErrorKind::kRateLimited);
  EXPECT_TRUE(clock_.waits.empty());
}

TEST_F(GithubContract, RefusedTokenIsAnAuthError) {
  FakeGithub fake(folder_, WorldOf(1, ""));
  const auto listing = SourceFor(fake, "wrong")->List(kDay, ItemEvents::kCreated);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().kind, ErrorKind::kAuth);
  EXPECT_FALSE(listing.error().message.contains("wrong"));
}

TEST_F(GithubContract, LaterPageThatIsNeverWholeMakesTheListPartial) {
  FakeGithub fake(
      folder_, WorldOf(5, R"(, "page_size": 2, "faults": [{"on": "GET /repositories/", "times": 4, "cut_body": 40}])"));
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kCreated);
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_EQ(listing->items.size(), 2u);
  EXPECT_TRUE(listing->incomplete_because.contains("not whole")) << listing->incomplete_because;
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(GithubContract, ConnectionCutInABodyIsTriedAgain) {
  FakeGithub fake(folder_,
                  WorldOf(5, R"(, "faults": [{"request": 0, "truncate": 100}, {"request": 1, "close": true}])"));
  const auto listing = SourceFor(fake)->List(kDay, ItemEvents::kCreated);
  ASSERT_TRUE(listing) << listing.error().message;
  EXPECT_EQ(listing->items.size(), 5u);
  EXPECT_EQ(clock_.waits, (std::vector<int64_t>{1000, 2000}));
}

TEST_F(GithubContract, DeadServerIsANetworkError) {
  FakeGithub fake(folder_, WorldOf(1, ""));
  auto source = SourceFor(fake);
  fake.Stop();
  const auto listing = source->List(kDay, ItemEvents::kCreated);
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().kind, ErrorKind::kNetwork);
  EXPECT_TRUE(listing.error().message.contains("127.0.0.1")) << listing.error().message;
}

TEST_F(GithubContract, GoneItemArrivesWithItsStatus) {
  FakeGithub fake(folder_, R"({"repository": "pytorch/pytorch", "issues": [
    {"number": 1, "title": "Here", "created_at": "2026-11-29T01:00:00Z"},
    {"number": 2, "title": "Gone", "created_at": "2026-11-29T02:00:00Z", "gone": 451}]})");
  auto source = SourceFor(fake);
  std::vector<Details> details;
  ASSERT_TRUE(Fetch(*source, &details));
  ASSERT_EQ(details.size(), 2u);
  EXPECT_EQ(details[0].id.Text(), "issue-2");
  EXPECT_EQ(details[0].fetch_failure, "HTTP 451");
  EXPECT_EQ(details[1].fetch_failure, "");
  EXPECT_EQ(fake.Stop(), 0);
}

// One world, asked with and without a token: the same comments; links only where GraphQL gives them.
constexpr const char* kTalk = R"({"repository": "pytorch/pytorch", "users": {"core": "MEMBER"}, "issues": [
  {"number": 7, "title": "Crash", "created_at": "2026-11-29T01:00:00Z", "author": "reporter", "labels": ["module: nn"],
   "body": "It crashes", "referenced_by": [8], "closed_by": 8, "state": "closed", "comments": [
     {"author": "reporter", "body": "one", "created_at": "2026-11-29T02:00:00Z"},
     {"author": "passerby", "body": "two", "created_at": "2026-11-29T03:00:00Z"},
     {"author": "core", "body": "three", "created_at": "2026-11-29T04:00:00Z"}]}],
  "pulls": [{"number": 8, "title": "Fix", "created_at": "2026-11-29T05:00:00Z", "closes": [7],
    "head": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "base": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
    "merged_at": "2026-11-29T06:00:00Z"}],
  "git": {"pytorch/pytorch": [{"name": "c", "at": "2026-11-28T00:00:00Z", "message": "c", "refs": ["refs/heads/main"]}]}})";

TEST_F(GithubContract, DetailsHoldCommentsOfAuthorAndMembersAndLinks) {
  std::string world = kTalk;
  world.replace(world.find("aaaaaaaa"), 40, "commit:c");
  world.replace(world.find("bbbbbbbb"), 40, "commit:c");
  FakeGithub fake(folder_, world);
  std::vector<Details> details;
  auto source = SourceFor(fake);
  const Status status = Fetch(*source, &details);
  ASSERT_TRUE(status) << status.error().message;
  ASSERT_EQ(details.size(), 2u);
  const Details& issue = details[0];
  EXPECT_EQ(issue.labels, std::vector<std::string>{"module: nn"});
  ASSERT_EQ(issue.comments.size(), 2u);
  EXPECT_EQ(issue.comments[0].body, UntrustedText("one"));
  EXPECT_EQ(issue.comments[1].body, UntrustedText("three"));
  ASSERT_EQ(issue.links.size(), 1u);
  EXPECT_EQ(issue.links[0].kind + " " + issue.links[0].target, "closes pr-8");
  ASSERT_EQ(details[1].links.size(), 1u);
  EXPECT_EQ(details[1].links[0].kind + " " + details[1].links[0].target, "closes issue-7");
  EXPECT_TRUE(IsFullSha(details[1].sha));
  const std::vector<int64_t> numbers{8, 7, 12345};
  const auto named = source->ListByNumber(numbers);
  ASSERT_TRUE(named) << named.error().message;
  ASSERT_EQ(named->size(), 2u);
  EXPECT_EQ((*named)[0].candidate.id.Text(), "pr-8");
  EXPECT_EQ((*named)[0].merged_at, "2026-11-29T06:00:00Z");
  EXPECT_EQ((*named)[1].candidate.state, "closed");
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(GithubContract, WithoutATokenRestAloneIsAsked) {
  std::string world = kTalk;
  world.replace(world.find("aaaaaaaa"), 40, "commit:c");
  world.replace(world.find("bbbbbbbb"), 40, "commit:c");
  FakeGithub fake(folder_, world);
  std::vector<Details> details;
  auto source = SourceFor(fake, "");
  ASSERT_TRUE(Fetch(*source, &details));
  ASSERT_EQ(details.size(), 2u);
  EXPECT_EQ(details[0].comments.size(), 2u);
  EXPECT_TRUE(IsFullSha(details[1].base_sha));
  EXPECT_EQ(source->Costs().graphql, 0);
  EXPECT_EQ(fake.Stop(), 0);
  for (const Json& entry : fake.Log()) EXPECT_FALSE(entry.BoolOr("authorization", true));
}

}  // namespace
}  // namespace xpu_align
