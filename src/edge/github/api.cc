#include "edge/github/api.h"

#include <charconv>

#include "edge/http/url.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

std::optional<int64_t> NumberIn(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool NamesRateLimit(const Json& json) {
  if (json.StringOr("message").contains("rate limit")) return true;
  for (const Json& error : json.ArrayOf("errors"))
    if (error.StringOr("type") == "RATE_LIMITED" || error.StringOr("message").contains("rate limit")) return true;
  return false;
}

AnswerFacts FactsOf(const HttpResponse& response, const Json& json) {
  return {.status = response.status,
          .retry_after_seconds = NumberIn(response.Header("retry-after")),
          .remaining = NumberIn(response.Header("x-ratelimit-remaining")),
          .reset_at = NumberIn(response.Header("x-ratelimit-reset")),
          .says_rate_limited = NamesRateLimit(json)};
}

}  // namespace

struct Api::Outcome {
  HttpResponse response;
  Json json;
  bool shrink = false;
};

// Sends until the answer is final, waiting as Pacing says.
Result<Api::Outcome> Api::Exchange(const HttpRequest& request, int64_t* count) {
  while (true) {
    ++*count;
    auto response = http_.Send(request);
    AnswerFacts facts;
    Outcome outcome;
    std::optional<Error> failure;
    if (response) {
      auto json = ParseJson(response->body);
      // A body that is no JSON matters only where one was promised.
      if (json) outcome.json = std::move(*json);
      facts = FactsOf(*response, outcome.json);
      if (!json && response->status == 200) {
        facts.status = 0;
        failure =
            Error{ErrorKind::kProtocol, OriginOf(request.url) + ": the answer is not whole: " + json.error().message};
      } else if (response->status >= 500) {
        failure = Error{ErrorKind::kNetwork,
                        OriginOf(request.url) + ": answers with status " + std::to_string(response->status)};
      }
      outcome.response = std::move(*response);
    } else {
      if (response.error().kind != ErrorKind::kNetwork) return std::unexpected(response.error());
      failure = response.error();
    }
    const PaceDecision decision = pacing_.After(facts, clock_.NowSeconds());
    if (decision.pace == Pace::kGiveUp) {
      if (failure) return Fail(*failure, decision.reason);
      return Fail(ErrorKind::kRateLimited, "GitHub: " + decision.reason);
    }
    if (decision.pace == Pace::kGoOn) return outcome;
    TRY(clock_.SleepMillis(decision.wait_millis));
    if (decision.pace == Pace::kShrink && request.method == "POST") {
      outcome.shrink = true;
      return outcome;
    }
  }
}

Result<ApiAnswer> Api::Get(const std::string& url, int64_t* count) {
  if (OriginOf(url).empty() || OriginOf(url) != OriginOf(settings_.api_url))
    return Fail(ErrorKind::kProtocol, "GitHub names a next page on another host: " + UntrustedText(url).ForLogLine(80));
  HttpRequest request{.url = url,
                      .headers = {{"Accept", "application/vnd.github+json"}, {"X-GitHub-Api-Version", "2022-11-28"}},
                      .token = &settings_.token};
  TRY_ASSIGN(Outcome outcome, Exchange(request, count));
  const int status = outcome.response.status;
  if (status == 401 || status == 403)
    return Fail(ErrorKind::kAuth, "GitHub refuses the request with " + std::to_string(status) + ": " +
                                      UntrustedText(outcome.json.StringOr("message")).ForLogLine() +
                                      "; check the token and its access to " + settings_.repository);
  return ApiAnswer{status, std::move(outcome.json), NextLink(outcome.response.Header("link"))};
}

Result<ApiAnswer> Api::GetOfRepository(const std::string& path) {
  return Get(settings_.api_url + "/repos/" + settings_.repository + path, &costs_.core);
}
Result<ApiAnswer> Api::Search(const std::string& query_string) {
  return Get(settings_.api_url + "/search/issues?" + query_string, &costs_.search);
}
Result<ApiAnswer> Api::GetNext(const std::string& url) { return Get(url, &costs_.core); }

Result<std::optional<Json>> Api::Graphql(const std::string& query, const Json& variables) {
  HttpRequest request{.method = "POST",
                      .url = GraphqlAddress(settings_.api_url),
                      .headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}},
                      .body = WriteJsonLine(Json().Set("query", query).Set("variables", variables)),
                      .token = &settings_.token};
  TRY_ASSIGN(Outcome outcome, Exchange(request, &costs_.graphql));
  if (outcome.shrink) return std::optional<Json>();
  const int status = outcome.response.status;
  if (status == 401 || status == 403)
    return Fail(ErrorKind::kAuth, "GitHub's GraphQL refuses the token with " + std::to_string(status));
  if (status != 200 || !outcome.json["data"].IsObject()) {
    const auto& errors = outcome.json.ArrayOf("errors");
    const std::string said = errors.empty() ? outcome.json.StringOr("message") : errors[0].StringOr("message");
    return Fail(ErrorKind::kProtocol,
                "GraphQL answers with status " + std::to_string(status) + ": " + UntrustedText(said).ForLogLine());
  }
  return std::optional<Json>(std::move(outcome.json));
}

std::string NextLink(std::string_view header) {
  // <address>; rel="next", <address>; rel="last"   (RFC 8288; addresses hold no '>')
  while (!header.empty()) {
    const size_t first = header.find('<'), close = header.find('>', first);
    if (first == std::string_view::npos || close == std::string_view::npos) return {};
    const size_t open = header.rfind('<', close);  // an address that is never closed ends where the next one begins
    const size_t end = std::min(header.find('<', close), header.size());
    if (header.substr(close, end - close).contains("rel=\"next\""))
      return std::string(header.substr(open + 1, close - open - 1));
    header.remove_prefix(end);
  }
  return {};
}

std::string GraphqlAddress(const std::string& api_url) {
  constexpr std::string_view kEnterprise = "/api/v3";
  if (api_url.ends_with(kEnterprise))
    return api_url.substr(0, api_url.size() - std::string_view("/v3").size()) + "/graphql";
  return api_url + "/graphql";
}

}  // namespace xpu_align
