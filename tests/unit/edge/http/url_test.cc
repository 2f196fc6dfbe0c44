#include "edge/http/url.h"

#include <gtest/gtest.h>

#include "edge/http/header_lines.h"
#include "edge/http/http_client.h"

namespace xpu_align {
namespace {

TEST(Url, OriginIsSchemeHostAndPort) {
  EXPECT_EQ(OriginOf("https://api.github.com/repos?x=1"), "https://api.github.com:443");
  EXPECT_EQ(OriginOf("http://127.0.0.1:8080"), "http://127.0.0.1:8080");
  // Who the host is decides where a token goes.
  EXPECT_EQ(OriginOf("https://api.github.com@evil.example/"), "https://evil.example:443");
  EXPECT_EQ(OriginOf("https://API.github.com:443/"), OriginOf("https://api.github.com/"));
  EXPECT_NE(OriginOf("http://api.github.com/"), OriginOf("https://api.github.com/"));
  EXPECT_NE(OriginOf("https://api.github.com.evil.example/"), OriginOf("https://api.github.com/"));
  for (const char* none : {"", "ftp://host/", "file:///etc/passwd", "https://", "nothing"})
    EXPECT_EQ(OriginOf(none), "") << none;
}

TEST(Url, RedirectsAreResolvedAgainstTheirPage) {
  EXPECT_EQ(ResolveRedirect("https://a.example/x/y", "/z"), "https://a.example/z");
  EXPECT_EQ(ResolveRedirect("https://a.example/x/y", "http://b.example/"), "http://b.example/");
  EXPECT_EQ(ResolveRedirect("https://a.example/x/y", "z?q=1"), "https://a.example/x/z?q=1");
  EXPECT_EQ(ResolveRedirect("https://a.example/", "file:///etc/passwd"), std::nullopt);
  EXPECT_EQ(ResolveRedirect("https://a.example/", ""), std::nullopt);
}

TEST(Url, SecurityIsNeverGivenUp) {
  EXPECT_FALSE(KeepsSecurity("https://a.example/", "http://a.example/"));
  EXPECT_TRUE(KeepsSecurity("http://a.example/", "http://b.example/"));
  EXPECT_TRUE(KeepsSecurity("http://a.example/", "https://a.example/"));
}

TEST(HeaderLines, NamesAreLowerCaseAndInterimAnswersForgotten) {
  HttpResponse response;
  for (const char* line : {"HTTP/1.1 200 Connection established\r\n", "X-Proxy: yes\r\n", "\r\n", "HTTP/2 200\r\n",
                           "Retry-AFTER:  12 \r\n", "no colon\r\n", ": empty\r\n", "Link: <a>; rel=\"next\"\r\n"})
    TakeHeaderLine(line, &response);
  EXPECT_EQ(response.Header("retry-after"), "12");
  EXPECT_EQ(response.Header("link"), "<a>; rel=\"next\"");
  EXPECT_EQ(response.Header("x-proxy"), "");
  EXPECT_EQ(response.headers.size(), 2u);
}

TEST(HttpClient, AddressesThatAreNoneFailWithoutBeingShown) {
  const auto http = MakeCurlHttp({.user_agent = "test"});
  const BearerToken token("secret");
  for (const char* url : {"file:///etc/passwd", "gopher://127.0.0.1/?token=secret", ""}) {
    const auto response = http->Send({.url = url, .token = &token});
    ASSERT_FALSE(response) << url;
    EXPECT_EQ(response.error().kind, ErrorKind::kProtocol);
    EXPECT_FALSE(response.error().message.contains("secret"));
  }
}

}  // namespace
}  // namespace xpu_align
