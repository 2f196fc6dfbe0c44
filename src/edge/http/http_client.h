// CurlHttp: HttpTransport by libcurl. Refuses other protocols than http and https, bodies over their
// limit, and tokens across origins. Made by src/app from values; reads no environment itself, except
// that libcurl reads the usual proxy variables.
#pragma once
#include <memory>
#include <string>

#include "ports/http.h"

namespace xpu_align {

struct HttpSettings {
  std::string user_agent;
  std::string ca_file;       // CURL_CA_BUNDLE or SSL_CERT_FILE; empty: /etc/ssl/certs/ca-certificates.crt
  std::string ca_directory;  // SSL_CERT_DIR
  int64_t connect_timeout_millis = 30'000;
  int64_t stall_seconds = 60;  // a transfer below one byte a second for so long has failed
};

std::unique_ptr<HttpTransport> MakeCurlHttp(HttpSettings settings);

}  // namespace xpu_align
