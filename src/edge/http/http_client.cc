#include "edge/http/http_client.h"

#include "edge/http/curl_session.h"
#include "edge/http/header_lines.h"
#include "edge/http/url.h"

namespace xpu_align {
namespace {

constexpr int kMaxRedirects = 5;

struct Receiving {
  HttpResponse response;
  size_t max_bytes = 0;
  bool too_large = false;
};

size_t OnBody(char* bytes, size_t size, size_t count, void* user) {
  auto* receiving = static_cast<Receiving*>(user);
  if (receiving->response.body.size() + size * count > receiving->max_bytes) {
    receiving->too_large = true;
    return 0;  // ends the transfer
  }
  receiving->response.body.append(bytes, size * count);
  return size * count;
}

size_t OnHeader(char* bytes, size_t size, size_t count, void* user) {
  TakeHeaderLine({bytes, size * count}, &static_cast<Receiving*>(user)->response);
  return size * count;
}

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

class CurlHttp : public HttpTransport {
 public:
  explicit CurlHttp(HttpSettings settings) : settings_(std::move(settings)), easy_(NewEasy()) {}

  Result<HttpResponse> Send(const HttpRequest& request) override {
    const std::string origin = OriginOf(request.url);
    if (origin.empty()) return Fail(ErrorKind::kProtocol, "not an http or https address");
    std::string url = request.url;
    for (int hop = 0; hop <= kMaxRedirects; ++hop) {
      // The token belongs to the origin that was asked, wherever the way leads in between.
      const BearerToken* token = OriginOf(url) == origin ? request.token : nullptr;
      TRY_ASSIGN(HttpResponse response, Exchange(request, url, token));
      if (!IsRedirect(response.status) || request.redirects == Redirects::kRefuse || request.method != "GET")
        return response;
      const auto next = ResolveRedirect(url, std::string(response.Header("location")));
      if (!next || !KeepsSecurity(url, *next))
        return Fail(ErrorKind::kProtocol, OriginOf(url) + ": redirects to an address that is not followed");
      if (request.redirects == Redirects::kSameOrigin && OriginOf(*next) != origin)
        return Fail(ErrorKind::kProtocol, origin + ": redirects to another host, which is not asked");
      url = *next;
    }
    return Fail(ErrorKind::kProtocol, origin + ": redirects more than " + std::to_string(kMaxRedirects) + " times");
  }

 private:
  Result<HttpResponse> Exchange(const HttpRequest& request, const std::string& url, const BearerToken* token) {
    if (!easy_) return Fail(ErrorKind::kNetwork, "libcurl could not be started");
    CURL* easy = easy_.get();
    Prepare(easy, settings_, url);
    HeaderList headers;
    for (const auto& [name, value] : request.headers) AppendHeader(&headers, name + ": " + value);
    if (token != nullptr && !token->Empty()) AppendHeader(&headers, token->ForAuthorizationHeader());
    if (request.method != "GET") {
      AppendHeader(&headers, "Expect:");
      curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
      curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
      curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    }
    Receiving receiving{.max_bytes = request.max_bytes};
    char detail[CURL_ERROR_SIZE] = {};
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout_millis));
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, detail);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, OnBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &receiving);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, OnHeader);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &receiving);
    const CURLcode code = curl_easy_perform(easy);
    if (receiving.too_large)
      return Fail(ErrorKind::kTooLarge,
                  OriginOf(url) + ": an answer of more than " + std::to_string(request.max_bytes) + " bytes");
    if (code != CURLE_OK) return std::unexpected(TransferError(code, url, detail));
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    receiving.response.status = static_cast<int>(status);
    receiving.response.url = url;
    return std::move(receiving.response);
  }

  HttpSettings settings_;
  Easy easy_;
};

}  // namespace

std::unique_ptr<HttpTransport> MakeCurlHttp(HttpSettings settings) {
  return std::make_unique<CurlHttp>(std::move(settings));
}

}  // namespace xpu_align
