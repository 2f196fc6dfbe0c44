#include "edge/github/items.h"

#include <gtest/gtest.h>

#include "edge/github/github.h"

namespace xpu_align {
namespace {

TEST(Items, MalformedElementsAreRefused) {
  for (const char* json : {"1", "null", "[]", "{}", R"({"number": 1})",
                           R"({"number": "1", "title": "t", "created_at": "2026-11-29T00:00:00Z"})",
                           R"({"number": 0, "title": "t", "created_at": "2026-11-29T00:00:00Z"})",
                           R"({"number": 1000000000000, "title": "t", "created_at": "2026-11-29T00:00:00Z"})",
                           R"({"number": 1, "title": null, "created_at": "2026-11-29T00:00:00Z"})",
                           R"({"number": 1, "title": "t", "created_at": "yesterday"})"})
    EXPECT_FALSE(ListedFromRest(*ParseJson(json), "a/b")) << json;
}

TEST(Items, AddressIsBuiltFromTheNumberAndNeverTaken) {
  const auto item =
      ListedFromRest(*ParseJson(R"({"number": 5, "title": "t", "created_at": "2026-11-29T00:00:00Z", "user": null,
    "html_url": "https://evil.example/", "body": null, "pull_request": {"merged_at": null}})"),
                     "a/b");
  ASSERT_TRUE(item) << item.error().message;
  EXPECT_EQ(item->candidate.url, "https://github.com/a/b/pull/5");
  EXPECT_EQ(item->candidate.id.Text(), "pr-5");
  EXPECT_TRUE(item->candidate.author.Empty());
  EXPECT_EQ(item->merged_at, "");
}

TEST(Items, LinksToOtherRepositoriesAndItselfAreLeftOut) {
  const auto item =
      ListedFromRest(*ParseJson(R"({"number": 5, "title": "t", "created_at": "2026-11-29T00:00:00Z"})"), "a/b");
  const Json node = *ParseJson(R"({"number": 5, "title": "t", "state": "OPEN", "timelineItems": {"nodes": [
    {"__typename": "CrossReferencedEvent", "willCloseTarget": false, "source": {"__typename": "PullRequest", "number": 6, "repository": {"nameWithOwner": "a/b"}}},
    {"__typename": "CrossReferencedEvent", "willCloseTarget": false, "source": {"__typename": "PullRequest", "number": 6, "repository": {"nameWithOwner": "a/b"}}},
    {"__typename": "CrossReferencedEvent", "willCloseTarget": true, "source": {"__typename": "Issue", "number": 7, "repository": {"nameWithOwner": "c/d"}}},
    {"__typename": "CrossReferencedEvent", "willCloseTarget": true, "source": {"__typename": "Issue", "number": 5, "repository": {"nameWithOwner": "a/b"}}},
    {"__typename": "ClosedEvent", "closer": {"__typename": "Commit", "oid": "0123456789012345678901234567890123456789"}},
    {"__typename": "ConnectedEvent", "subject": {"__typename": "Issue", "number": 1000000000000, "repository": {"nameWithOwner": "a/b"}}},
    {"__typename": "ClosedEvent", "closer": {"__typename": "Commit", "oid": "../../etc"}},
    {"__typename": "ClosedEvent", "closer": null}, null]}})");
  const FetchedItem fetched = FromNode(*item, node, "a/b");
  std::vector<std::string> links;
  for (const Link& link : fetched.details.links) links.push_back(link.kind + " " + link.target);
  EXPECT_EQ(links, (std::vector<std::string>{"mentions pr-6", "closes 0123456789012345678901234567890123456789"}));
}

TEST(Items, NoMoreThanTwentyComments) {
  Json comments = Json::EmptyArray();
  for (int i = 0; i < 30; ++i)
    comments.Append(Json().Set("user", Json().Set("login", "ann")).Set("body", std::to_string(i)));
  comments.Append(
      Json().Set("user", Json().Set("login", "other")).Set("author_association", "CONTRIBUTOR").Set("body", "x"));
  EXPECT_EQ(CommentsFromRest(comments, UntrustedText("ann")).size(), 20u);
  EXPECT_TRUE(CommentsFromRest(comments, UntrustedText("nobody")).empty());
}

TEST(Items, FileOfRestHasOurWords) {
  const ChangedFile file = FileFromRest(*ParseJson(R"({"filename": "a", "previous_filename": "b", "status": "renamed",
    "additions": 1, "deletions": 2, "patch": "@@ -1 +1 @@\n-x\n+y"})"));
  EXPECT_EQ(file.previous_path, UntrustedText("b"));
  EXPECT_EQ(file.patch, UntrustedText("@@ -1 +1 @@\n-x\n+y\n"));
  EXPECT_EQ(FileFromRest(*ParseJson(R"({"filename": "a", "status": "changed"})")).status, "modified");
}

struct NoHttp : HttpTransport {
  Result<HttpResponse> Send(const HttpRequest&) override { return Fail(ErrorKind::kNetwork, "none"); }
};
struct NoClock : Clock {
  int64_t NowSeconds() override { return 0; }
  int64_t MonotonicMillis() override { return 0; }
  Status SleepMillis(int64_t) override { return Fail(ErrorKind::kCancelled, "stopped"); }
};

TEST(Github, SettingsAreCheckedAndASignalEndsWaiting) {
  NoHttp http;
  NoClock clock;
  for (const char* name : {"", "pytorch", "a/b/c", "../x", "a/b?x=1", "a b/c"})
    EXPECT_EQ(MakeGithubSource({.repository = name}, http, clock).error().kind, ErrorKind::kConfig) << name;
  EXPECT_EQ(MakeGithubSource({.api_url = "file:///x", .repository = "a/b"}, http, clock).error().kind,
            ErrorKind::kConfig);
  const auto source = MakeGithubSource({.repository = "a/b"}, http, clock);
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->List(Window::Day(*ParseDate("2026-11-29")), ItemEvents::kCreated).error().kind,
            ErrorKind::kCancelled);
}

}  // namespace
}  // namespace xpu_align
