// Api: single requests to GitHub's REST and GraphQL interfaces, paced, counted and checked to be JSON. Refuses
// addresses off the API's origin, so that no Link header can carry the token away. Used by the other files of
// edge/github.
#pragma once
#include <optional>
#include <string>

#include "edge/github/github.h"
#include "edge/github/pacing.h"
#include "json/json.h"

namespace xpu_align {

struct ApiAnswer {
  int status = 0;  // 200, or what the caller must judge: 404, 406, 410, 422, 451, ...
  Json json;
  std::string next;  // address of the next page, as given; empty: this is the last one
};

class Api {
 public:
  Api(GithubSettings settings, HttpTransport& http, Clock& clock)
      : settings_(std::move(settings)),
        http_(http),
        clock_(clock),
        pacing_(settings_.wait_budget_millis, HasToken() ? kReserve : 0) {}

  bool HasToken() const { return !settings_.token.Empty(); }
  const std::string& Repository() const { return settings_.repository; }
  // `path`: below the repository ("/issues?..."). kAuth (before anything was answered), kNetwork, kProtocol,
  // kTooLarge, kRateLimited, kCancelled.
  Result<ApiAnswer> GetOfRepository(const std::string& path);
  Result<ApiAnswer> Search(const std::string& query_string);
  Result<ApiAnswer> GetNext(const std::string& url);  // as a Link header gave it

  // Nothing when the server was too slow: ask for less. There is "data"; errors beside it are left to the caller.
  Result<std::optional<Json>> Graphql(const std::string& query, const Json& variables);

  const RequestCosts& Costs() const { return costs_; }

 private:
  struct Outcome;
  Result<ApiAnswer> Get(const std::string& url, Allowance allowance);
  Result<Outcome> Exchange(const HttpRequest& request, Allowance allowance);
  std::optional<Error> FailureOf(const HttpRequest& request, const Result<Json>& json, const HttpResponse& response,
                                 AnswerFacts* facts) const;

  GithubSettings settings_;
  HttpTransport& http_;
  Clock& clock_;
  Pacing pacing_;
  RequestCosts costs_;
  bool accepted_ = false;  // a request was answered well: the token is good, a refusal is a fault of the moment
};

// The address with rel="next" of a Link header; empty when there is none.
std::string NextLink(std::string_view link_header);
// https://api.github.com -> .../graphql; https://HOST/api/v3 -> https://HOST/api/graphql.
std::string GraphqlAddress(const std::string& api_url);

}  // namespace xpu_align
