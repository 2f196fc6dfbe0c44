// The HTTP edge against the fake server: limits, redirects, and the program form of the fake itself.
#include "contract/fake_github_process.h"
#include "edge/http/http_client.h"
#include "edge/http/http_stream.h"

namespace xpu_align {
namespace {

class HttpContract : public ContractTest {
 protected:
  Result<HttpResponse> Get(const FakeGithub& fake, const std::string& path, size_t max_bytes = 1000) {
    return http_->Send({.url = fake.Base() + path, .token = &token_, .max_bytes = max_bytes});
  }
  BearerToken token_{"secret"};
  std::unique_ptr<HttpTransport> http_ = MakeCurlHttp({.user_agent = "xpu-align/test", .stall_seconds = 5});
};

TEST_F(HttpContract, BodyOverTheLimitIsTooLarge) {
  FakeGithub fake(
      folder_, R"({"repository": "a/b", "stubs": [{"on": "GET /big", "body": ")" + std::string(1001, 'x') + R"("}]})");
  EXPECT_EQ(Get(fake, "/big", 1001)->body.size(), 1001u);
  const auto refused = Get(fake, "/big", 1000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kTooLarge);
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(HttpContract, StatusIsDataAndAddressIsTheLastOne) {
  FakeGithub fake(folder_, R"({"repository": "a/b", "stubs": [
    {"on": "GET /here?q=1", "status": 307, "headers": {"Location": "there"}}, {"on": "GET /there", "status": 451, "body": "no"}]})");
  const auto response = Get(fake, "/here?q=1");
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 451);
  EXPECT_EQ(response->body, "no");
  EXPECT_EQ(response->url, fake.Base() + "/there");
  for (const Json& entry : fake.Log()) EXPECT_TRUE(entry.BoolOr("authorization", false));  // one origin
}

TEST_F(HttpContract, RedirectsInACircleAndPostsEnd) {
  FakeGithub fake(folder_, R"({"repository": "a/b", "stubs": [
    {"on": "GET /circle", "status": 302, "headers": {"Location": "/circle"}},
    {"on": "GET /file", "status": 302, "headers": {"Location": "file:///etc/passwd"}},
    {"on": "POST /post", "status": 302, "headers": {"Location": "/circle"}}]})");
  EXPECT_EQ(Get(fake, "/circle").error().kind, ErrorKind::kProtocol);
  EXPECT_EQ(fake.Log().size(), 6u);
  EXPECT_EQ(Get(fake, "/file").error().kind, ErrorKind::kProtocol);
  const auto posted = http_->Send({.method = "POST", .url = fake.Base() + "/post", .body = "x"});
  ASSERT_TRUE(posted);
  EXPECT_EQ(posted->status, 302);
  EXPECT_EQ(fake.Stop(), 0);
}

// A variable of the environment, for as long as the value lives: libcurl reads the usual ones by itself.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST_F(HttpContract, ProxyIsUsedAsCurlUsersExpect) {
  FakeGithub proxy(folder_ / "proxy",
                   R"({"repository": "a/b", "stubs": [{"on": "GET http://api.example.invalid/x", "body": "seen"}]})");
  FakeGithub near(folder_ / "near", R"({"repository": "a/b", "stubs": [{"on": "GET /x", "body": "direct"}]})");
  const Variable plain("http_proxy", proxy.Base()), secure("HTTPS_PROXY", proxy.Base()),
      except("NO_PROXY", "127.0.0.1");
  const auto far = http_->Send({.url = "http://api.example.invalid/x"});
  ASSERT_TRUE(far) << far.error().message;
  EXPECT_EQ(far->body, "seen");
  EXPECT_EQ(Get(near, "/x")->body, "direct");
  const auto tunnel = http_->Send({.url = "https://api.example.invalid/x", .token = &token_});
  ASSERT_FALSE(tunnel);
  EXPECT_EQ(tunnel.error().kind, ErrorKind::kNetwork);
  ASSERT_EQ(proxy.Lines("CONNECT api.example.invalid:443").size(), 1u);
  for (const Json& entry : proxy.Log()) EXPECT_FALSE(entry.BoolOr("authorization", false));  // the proxy gets no token
  EXPECT_EQ(proxy.Stop(), 0);
  EXPECT_EQ(near.Stop(), 0);
}

TEST_F(HttpContract, CertificateThatNobodySignedIsRefused) {
  FakeGithub fake(folder_,
                  R"({"repository": "a/b", "tls": "certificate.pem", "stubs": [{"on": "GET /x", "body": "secure"}]})");
  const HttpRequest request{.url = fake.SecureBase() + "/x", .token = &token_};
  const auto refused = http_->Send(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kNetwork);
  EXPECT_TRUE(refused.error().message.contains("certificate")) << refused.error().message;
  EXPECT_TRUE(fake.Log().empty());  // and with it the token
  const auto trusted =
      MakeCurlHttp({.user_agent = "xpu-align/test", .ca_file = folder_ / "certificate.pem"})->Send(request);
  ASSERT_TRUE(trusted) << trusted.error().message;
  EXPECT_EQ(trusted->body, "secure");
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(HttpContract, BodyThatStallsIsANetworkError) {
  FakeGithub fake(
      folder_,
      R"({"repository": "a/b", "faults": [{"request": 0, "stall": 2}], "stubs": [{"on": "GET /x", "body": "12345"}]})");
  const auto response = http_->Send({.url = fake.Base() + "/x", .timeout_millis = 300});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::kNetwork);
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(HttpContract, AnotherOriginIsNotAskedWhereOnlyOneMayAnswer) {
  FakeGithub other(folder_ / "other", R"({"repository": "a/b"})");
  FakeGithub fake(folder_ / "fake", R"({"repository": "a/b", "stubs": [{"on": "GET /there", "body": "here"},
    {"on": "GET /far", "status": 302, "headers": {"Location": ")" +
                                        other.Base() + R"(/x"}},
    {"on": "GET /near", "status": 302, "headers": {"Location": "/there"}}]})");
  const auto far = http_->Send({.url = fake.Base() + "/far", .redirects = Redirects::kSameOrigin});
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().kind, ErrorKind::kProtocol);
  EXPECT_TRUE(other.Log().empty());
  EXPECT_EQ(http_->Send({.url = fake.Base() + "/near", .redirects = Redirects::kSameOrigin})->body, "here");
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(HttpContract, ErrorNamesTheHostAndNeitherQueryNorToken) {
  FakeGithub fake(folder_, R"({"repository": "a/b", "faults": [{"request": 0, "close": true}]})");
  const auto response = Get(fake, "/x?sig=hidden");
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::kNetwork);
  EXPECT_TRUE(response.error().message.contains("127.0.0.1")) << response.error().message;
  EXPECT_FALSE(response.error().message.contains("hidden"));
  EXPECT_FALSE(response.error().message.contains("secret"));
}

TEST_F(HttpContract, StreamGivesAllBytesInPieces) {
  std::string body;
  for (int i = 0; i < 400'000; ++i) body += std::to_string(i % 10) + "bytes..";
  FakeGithub fake(
      folder_, R"({"repository": "a/b", "stubs": [{"on": "GET /moved", "status": 302, "headers": {"Location": "/big"}},
    {"on": "GET /big", "body": ")" +
                   body + R"("}]})");
  HttpStreamSession session({.user_agent = "stream"}, {});
  HttpStream stream(session, {.url = fake.Base() + "/moved"});
  std::string got, piece(70'000, ' ');
  while (true) {
    const auto size = stream.Read(piece);
    ASSERT_TRUE(size) << size.error().message;
    if (*size == 0) break;
    got.append(piece, 0, *size);
  }
  EXPECT_TRUE(got == body) << got.size() << " of " << body.size();
  EXPECT_EQ(stream.Url(), fake.Base() + "/big");
}

TEST_F(HttpContract, StreamThatIsLeftEarlyDoesNotDisturbTheNext) {
  FakeGithub fake(folder_, R"({"repository": "a/b", "stubs": [{"on": "GET /big", "body": ")" +
                               std::string(4 << 20, 'x') + R"("}, {"on": "GET /small", "body": "small"}]})");
  HttpStreamSession session({.user_agent = "stream"}, {});
  std::string piece(10, ' ');
  {
    HttpStream left(session, {.url = fake.Base() + "/big"});
    ASSERT_EQ(*left.Read(piece), 10u);
  }
  HttpStream next(session, {.url = fake.Base() + "/small"});
  ASSERT_EQ(*next.Read(piece), 5u);
  EXPECT_EQ(piece.substr(0, 5), "small");
}

TEST_F(HttpContract, SignalEndsAStream) {
  FakeGithub fake(folder_, R"({"repository": "a/b", "stubs": [{"on": "GET /x", "body": "x", "must_be_used": false}]})");
  HttpStreamSession session({.user_agent = "stream"}, [] { return true; });
  HttpStream stream(session, {.url = fake.Base() + "/x"});
  std::string piece(10, ' ');
  EXPECT_EQ(stream.Read(piece).error().kind, ErrorKind::kCancelled);
}

}  // namespace
}  // namespace xpu_align
