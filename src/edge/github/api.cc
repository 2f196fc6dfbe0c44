// g++ 12 takes a variant inside std::expected for uninitialised where it is moved (GCC bug 105562).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
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

bool NamesRateLimit(const HttpResponse& response, const Json& json) {
  const auto names = [](const std::string& text) {
    return text.contains("rate limit") || text.contains("abuse detection");
  };
  // In words of REST only beside a refusal: a title may say it, too.
  if (response.status != 200) return names(json.StringOr("message"));
  for (const Json& error : json.ArrayOf("errors"))
    if (error.StringOr("type") == "RATE_LIMITED" || names(error.StringOr("message"))) return true;
  return false;
}

AnswerFacts FactsOf(const HttpResponse& response, const Json& json) {
  return {.status = response.status,
          .retry_after_seconds = NumberIn(response.Header("retry-after")),
          .remaining = NumberIn(response.Header("x-ratelimit-remaining")),
          .reset_at = NumberIn(response.Header("x-ratelimit-reset")),
          .says_rate_limited = NamesRateLimit(response, json)};
}

std::string MessageOf(const Json& json) {
  const auto& errors = json.ArrayOf("errors");
  return UntrustedText(errors.empty() ? json.StringOr("message") : errors[0].StringOr("message")).ForLogLine();
}

int64_t RequestCosts::*CounterOf(Allowance allowance) {
  switch (allowance) {
    case Allowance::kCore:
      return &RequestCosts::core;
    case Allowance::kSearch:
      return &RequestCosts::search;
    case Allowance::kGraphql:
      return &RequestCosts::graphql;
  }
  CHECK(false);
}

bool IsRefusal(int status) { return status == 401 || status == 403; }

// GitHub says inside a 200, too, that a query took too long.
constexpr int kTooSlow = 504;

}  // namespace

struct Api::Outcome {
  HttpResponse response;
  Json json;
  bool shrink = false;
};

// What another attempt may mend; nothing: the answer is good, or the caller's to judge. Sets `facts.status` to what
// Pacing must know.
std::optional<Error> Api::FailureOf(const HttpRequest& request, const Result<Json>& json, const HttpResponse& response,
                                    AnswerFacts* facts) const {
  const std::string origin = OriginOf(request.url);
  const int status = response.status;
  if (status >= 500) return Error{ErrorKind::kNetwork, origin + ": answers with status " + std::to_string(status)};
  if (IsRateLimited(*facts)) return std::nullopt;
  if (IsRefusal(status) && accepted_) {
    facts->status = 0;
    return Error{ErrorKind::kProtocol, origin + ": refuses with " + std::to_string(status) +
                                           " what it allowed before: " + MessageOf(json ? *json : Json())};
  }
  if (status != 200) return std::nullopt;
  if (!json || !(json->IsArray() || json->IsObject())) {
    facts->status = 0;
    return Error{ErrorKind::kProtocol,
                 origin + ": the answer is not whole: " + (json ? "no list and no object" : json.error().message)};
  }
  if (request.method == "POST" && !(*json)["data"].IsObject()) {
    facts->status = kTooSlow;
    return Error{ErrorKind::kProtocol, origin + ": GraphQL gives no data: " + MessageOf(*json)};
  }
  return std::nullopt;
}

// Sends until the answer is final, waiting as Pacing says.
Result<Api::Outcome> Api::Exchange(const HttpRequest& request, Allowance allowance) {
  while (true) {
    const PaceDecision before = pacing_.Before(allowance, clock_.NowSeconds());
    if (before.pace == Pace::kGiveUp) return Fail(ErrorKind::kRateLimited, "GitHub: " + before.reason);
    if (before.pace == Pace::kWait) TRY(clock_.SleepMillis(before.wait_millis));
    ++(costs_.*CounterOf(allowance));
    auto response = http_.Send(request);
    // A body that is no JSON matters only where one was promised.
    auto json = response ? ParseJson(response->body) : Result<Json>(std::unexpected(response.error()));
    AnswerFacts facts;
    std::optional<Error> failure;
    if (response) {
      facts = FactsOf(*response, json ? *json : Json());
      failure = FailureOf(request, json, *response, &facts);
      accepted_ = accepted_ || (response->status == 200 && !failure);
    } else {
      failure = response.error();
      if (failure->kind == ErrorKind::kTooLarge || failure->kind == ErrorKind::kCancelled)
        return std::unexpected(*failure);
    }
    const PaceDecision decision = pacing_.After(facts, clock_.NowSeconds(), allowance);
    if (decision.pace == Pace::kGiveUp) {
      if (failure) return Fail(*failure, decision.reason);
      return Fail(ErrorKind::kRateLimited, "GitHub: " + decision.reason);
    }
    if (decision.pace == Pace::kGoOn) return Outcome{std::move(*response), json ? std::move(*json) : Json()};
    TRY(clock_.SleepMillis(decision.wait_millis));
    if (decision.pace == Pace::kShrink && request.method == "POST") return Outcome{.shrink = true};
  }
}

Result<ApiAnswer> Api::Get(const std::string& url, Allowance allowance) {
  if (OriginOf(url).empty() || OriginOf(url) != OriginOf(settings_.api_url))
    return Fail(ErrorKind::kProtocol, "GitHub names a next page on another host: " + UntrustedText(url).ForLogLine(80));
  HttpRequest request{.url = url,
                      .headers = {{"Accept", "application/vnd.github+json"}, {"X-GitHub-Api-Version", "2022-11-28"}},
                      .token = &settings_.token,
                      .redirects = Redirects::kSameOrigin};
  TRY_ASSIGN(Outcome outcome, Exchange(request, allowance));
  const int status = outcome.response.status;
  if (IsRefusal(status))
    return Fail(ErrorKind::kAuth, "GitHub refuses the request with " + std::to_string(status) + ": " +
                                      MessageOf(outcome.json) + "; check the token and its access to " +
                                      settings_.repository);
  return ApiAnswer{status, std::move(outcome.json), NextLink(outcome.response.Header("link"))};
}

Result<ApiAnswer> Api::GetOfRepository(const std::string& path) {
  return Get(settings_.api_url + "/repos/" + settings_.repository + path, Allowance::kCore);
}
Result<ApiAnswer> Api::Search(const std::string& query_string) {
  return Get(settings_.api_url + "/search/issues?" + query_string, Allowance::kSearch);
}
Result<ApiAnswer> Api::GetNext(const std::string& url) { return Get(url, Allowance::kCore); }

Result<std::optional<Json>> Api::Graphql(const std::string& query, const Json& variables) {
  HttpRequest request{.method = "POST",
                      .url = GraphqlAddress(settings_.api_url),
                      .headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}},
                      .body = WriteJsonLine(Json().Set("query", query).Set("variables", variables)),
                      .token = &settings_.token};
  TRY_ASSIGN(Outcome outcome, Exchange(request, Allowance::kGraphql));
  if (outcome.shrink) return std::optional<Json>();
  const int status = outcome.response.status;
  if (IsRefusal(status))
    return Fail(ErrorKind::kAuth, "GitHub's GraphQL refuses the token with " + std::to_string(status));
  if (status != 200)
    return Fail(ErrorKind::kProtocol,
                "GraphQL answers with status " + std::to_string(status) + ": " + MessageOf(outcome.json));
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
