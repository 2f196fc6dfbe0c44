// What every transfer of this program has in common: one global initialisation of libcurl, and the options
// that proxies, certificates, protocols and patience follow. Used by the other files of edge/http.
#pragma once
#include <curl/curl.h>

#include <memory>
#include <string>

#include "edge/http/http_client.h"

namespace xpu_align {

struct EasyCleanup {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct MultiCleanup {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct ListCleanup {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EasyCleanup>;
using Multi = std::unique_ptr<CURLM, MultiCleanup>;
using HeaderList = std::unique_ptr<curl_slist, ListCleanup>;

// A handle after curl_global_init, which is done once. Null when libcurl has no memory.
Easy NewEasy();

// Resets `easy` (live connections stay) and sets the common options. Redirects are off.
void Prepare(CURL* easy, const HttpSettings& settings, const std::string& url);

// Appends to `*list`, which may be null.
void AppendHeader(HeaderList* list, const std::string& line);

// kProtocol or kNetwork with the host of `url` and what libcurl says.
Error TransferError(CURLcode code, const std::string& url, const char* detail);

}  // namespace xpu_align
