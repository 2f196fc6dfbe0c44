#include "edge/http/url.h"

#include <curl/curl.h>

#include <algorithm>
#include <memory>

namespace xpu_align {
namespace {

struct UrlCleanup {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, UrlCleanup>;

std::optional<std::string> Part(CURLU* url, CURLUPart part, unsigned int flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return std::nullopt;
  std::string copy(text);
  curl_free(text);
  return copy;
}

bool IsWeb(CURLU* url) {
  const auto scheme = Part(url, CURLUPART_SCHEME);
  return scheme == "http" || scheme == "https";
}

}  // namespace

std::string OriginOf(const std::string& url) {
  const Url parsed(curl_url());
  if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK || !IsWeb(parsed.get()))
    return {};
  std::string host = Part(parsed.get(), CURLUPART_HOST).value_or("");
  std::ranges::transform(host, host.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return *Part(parsed.get(), CURLUPART_SCHEME) + "://" + host + ":" +
         Part(parsed.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT).value_or("");
}

std::optional<std::string> ResolveRedirect(const std::string& base, const std::string& location) {
  const Url parsed(curl_url());
  if (!parsed || location.empty() || curl_url_set(parsed.get(), CURLUPART_URL, base.c_str(), 0) != CURLUE_OK ||
      curl_url_set(parsed.get(), CURLUPART_URL, location.c_str(), 0) != CURLUE_OK || !IsWeb(parsed.get()))
    return std::nullopt;
  return Part(parsed.get(), CURLUPART_URL);
}

bool KeepsSecurity(const std::string& from, const std::string& to) {
  return !(OriginOf(from).starts_with("https://") && OriginOf(to).starts_with("http://"));
}

}  // namespace xpu_align
