#include "edge/http/curl_session.h"

#include "edge/http/url.h"

namespace xpu_align {

Easy NewEasy() {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  return Easy(initialised == CURLE_OK ? curl_easy_init() : nullptr);
}

void Prepare(CURL* easy, const HttpSettings& settings, const std::string& url) {
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, settings.user_agent.c_str());
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings.connect_timeout_millis));
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, static_cast<long>(settings.stall_seconds));
  // Proxies come from http_proxy, https_proxy, all_proxy and no_proxy, which libcurl reads by itself; the
  // variables for certificates are read by the curl tool only, so they arrive as settings.
  if (!settings.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, settings.ca_file.c_str());
  if (!settings.ca_directory.empty()) curl_easy_setopt(easy, CURLOPT_CAPATH, settings.ca_directory.c_str());
}

void AppendHeader(HeaderList* list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list->get(), line.c_str());
  CHECK(longer != nullptr);
  static_cast<void>(list->release());
  list->reset(longer);
}

Error TransferError(CURLcode code, const std::string& url, const char* detail) {
  const std::string what = detail != nullptr && *detail != '\0' ? detail : curl_easy_strerror(code);
  const std::string message = OriginOf(url) + ": " + what;
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
      return {ErrorKind::kProtocol, message};
    default:
      return {ErrorKind::kNetwork, message};
  }
}

}  // namespace xpu_align
