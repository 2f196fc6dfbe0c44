// A recording of real HTTP exchanges: what the server sent that is secret or volatile is not in it, and the replay gives
// what the client got, redirects, failures and all.
#include "contract/fake_github_process.h"
#include "edge/http/http_client.h"
#include "edge/recording/recorded_http.h"

namespace xpu_align {
namespace {

constexpr const char* kToken = "tok-3nNotReal";

TEST_F(ContractTest, RealExchangesComeAgainWithoutSecrets) {
  FakeGithub fake(folder_ / "fake", R"({"repository": "a/b", "faults": [{"on": "GET /gone", "times": 9, "close": true}], "stubs": [
    {"on": "GET /old", "status": 302, "headers": {"Location": "/new"}},
    {"on": "GET /new", "headers": {"Set-Cookie": "session=1", "X-GitHub-Request-Id": "1:2", "Link": "<$BASE/next>; rel=\"next\""},
     "body": {"number": 7}}]})");
  const RecordingScope scope{.repository = "a/b", .window = Window::Day(*ParseDate("2026-11-28")), .api_url = fake.Base()};
  auto recorder = *Recorder::Begin(folder_ / "recording", scope, "0.1.0", kToken);
  ManualClock clock("2026-11-29T00:00:00Z");
  const auto live = RecordHttp(MakeCurlHttp({.user_agent = "xpu-align/test"}), *recorder, clock);
  const BearerToken token{kToken};
  ASSERT_TRUE(live->Send({.url = fake.Base() + "/old", .token = &token}));
  ASSERT_FALSE(live->Send({.url = fake.Base() + "/gone", .token = &token}));
  for (const Json& entry : fake.Log()) EXPECT_TRUE(entry.BoolOr("authorization", false)) << "the server did see the token";
  ASSERT_TRUE(recorder->Finish());
  EXPECT_EQ(fake.Stop(), 0);

  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "recording"))
    for (const char* word : {kToken, "session=1", "1:2", "127.0.0.1", "Bearer"})
      EXPECT_FALSE(entry.is_regular_file() && FileText(entry.path()).contains(word)) << entry.path() << " holds " << word;
  const auto replayer = *Replayer::Open(folder_ / "recording");
  const auto replayed = ReplayHttp(*replayer);
  const std::string base = replayer->Scope().api_url;
  const auto response = replayed->Send({.url = base + "/old"});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->url, base + "/new");
  EXPECT_EQ(response->Header("link"), "<" + base + "/next>; rel=\"next\"");
  EXPECT_EQ(*ParseJson(response->body), *ParseJson(R"({"number": 7})"));
  EXPECT_EQ(replayed->Send({.url = base + "/gone"}).error().kind, ErrorKind::kNetwork);
  EXPECT_TRUE(replayer->NotAskedFor().empty());
}

}  // namespace
}  // namespace xpu_align
