// HttpTransport: one HTTP exchange, and the token that may travel with it. Status codes are data; only an
// exchange that did not happen is an error. Implemented by edge/http; used by edge/github and edge/runner.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/error.h"

namespace xpu_align {

// A secret with two exits, both into a request. It has no stream operator, no JSON form and no comparison.
class BearerToken {
 public:
  BearerToken() = default;
  explicit BearerToken(std::string secret) : secret_(std::move(secret)) {}
  bool Empty() const { return secret_.empty(); }
  std::string ForAuthorizationHeader() const { return "Authorization: Bearer " + secret_; }
  const std::string& ForPassword() const { return secret_; }  // of git's Basic scheme

 private:
  std::string secret_;
};

// What to do with 301, 302, 303, 307 and 308. Only GET is ever sent again.
enum class Redirects {
  kFollow,      // at most 5, http and https only, never from https to http; the token stays on its origin
  kSameOrigin,  // the same, but a way to another origin is kProtocol: nobody else may answer
  kRefuse,      // the answer is given as it is
};

struct HttpRequest {
  std::string method = "GET";  // GET, POST, PUT
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  const BearerToken* token = nullptr;  // sent to the origin (scheme, host, port) of `url` and to no other
  Redirects redirects = Redirects::kFollow;
  size_t max_bytes = 64u << 20;  // of the body, after decompression
  int64_t timeout_millis = 120'000;
};

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case; the last of equal names wins
  std::string body;
  std::string url;  // that gave the answer

  // Empty when there is none.
  std::string_view Header(std::string_view lower_case_name) const {
    const auto found = headers.find(std::string(lower_case_name));
    return found == headers.end() ? std::string_view() : std::string_view(found->second);
  }
};

class HttpTransport {
 public:
  virtual ~HttpTransport() = default;
  // kNetwork: no answer, or not in time, or a body that ended early. kProtocol: no HTTP, a redirect that
  // must not be followed. kTooLarge: a body over max_bytes. Messages name the host and never a query or a header.
  virtual Result<HttpResponse> Send(const HttpRequest& request) = 0;
};

}  // namespace xpu_align
