// GithubSource over GitHub's public API: lists by REST, details by GraphQL in batches, or by REST alone when
// there is no token. Made by src/app from values; reads no environment.
#pragma once
#include <memory>
#include <string>

#include "ports/clock.h"
#include "ports/github_source.h"
#include "ports/http.h"

namespace xpu_align {

struct GithubSettings {
  std::string api_url = "https://api.github.com";  // GITHUB_API_URL
  std::string repository;                          // OWNER/NAME
  BearerToken token;                               // empty: REST only, 60 requests an hour
  int64_t wait_budget_millis = 600'000;
};

// `http` and `clock` outlive the source. kConfig when the repository's name or the address is malformed.
Result<std::unique_ptr<GithubSource>> MakeGithubSource(GithubSettings settings, HttpTransport& http, Clock& clock);

}  // namespace xpu_align
