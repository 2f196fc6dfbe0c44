#include "contract/faults.h"

namespace xpu_align {
namespace {

using Answer = Result<HttpResponse>;
constexpr const char* kHtml = "<!DOCTYPE html><html><body>Unicorn!</body></html>";

auto Fails(ErrorKind kind, const char* message) {
  return [=](HttpResponse, int64_t) -> Answer { return Fail(kind, std::string("127.0.0.1: ") + message); };
}

auto Says(int status, std::string body, std::map<std::string, std::string> headers = {}) {
  return [=](HttpResponse truth, int64_t) -> Answer { return HttpResponse{status, headers, body, truth.url}; };
}

// 403 as at an empty allowance that is full again in `seconds`.
auto Empty(int64_t seconds) {
  return [=](HttpResponse truth, int64_t now) -> Answer {
    return HttpResponse{403,
                        {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", std::to_string(now + seconds)}},
                        R"({"message": "API rate limit exceeded for installation"})",
                        truth.url};
  };
}

// The true answer, and few are left.
auto NearlyEmpty(int64_t seconds) {
  return [=](HttpResponse truth, int64_t now) -> Answer {
    truth.headers["x-ratelimit-remaining"] = "49";
    truth.headers["x-ratelimit-reset"] = std::to_string(now + seconds);
    return truth;
  };
}

Json ErrorAt(Json::Array path) {
  return Json().Set("message", "Resource limits for this query exceeded.").Set("path", Json(std::move(path)));
}

// Every element of "data" that is a list or an object loses `spoil`'s share; errors name them.
Answer Partial(HttpResponse truth, const std::function<Json(Json)>& spoil) {
  Json answer = ParseJson(truth.body).value_or(Json());
  Json errors = Json::EmptyArray(), data = Json::EmptyObject();
  for (const auto& [key, value] : *answer["data"].AsObject()) {
    if (const Json::Array* list = value.AsArray()) {
      Json nodes = Json::EmptyArray();
      for (size_t i = 0; i < list->size(); ++i) {
        nodes.Append(i % 3 == 0 ? spoil((*list)[i]) : (*list)[i]);
        if (i % 3 == 0) errors.Append(ErrorAt({key, i, "comments"}));
      }
      data.Set(key, nodes);
    } else {
      Json object = value;
      for (const auto& [name, inner] : *value.AsObject())
        if (inner.IsObject()) {
          object.Set(name, Json());
          errors.Append(ErrorAt({key, name}));
          break;
        }
      data.Set(key, object);
    }
  }
  truth.body = WriteJsonLine(Json().Set("data", data).Set("errors", errors));
  return truth;
}

std::vector<Fault> MakeFaults() {
  using enum Asked;
  const std::string html_type = "text/html";
  return {
      {"connection dropped", kEverything, Fails(ErrorKind::kNetwork, "Empty reply from server")},
      {"slow body", kEverything, Fails(ErrorKind::kNetwork, "Operation too slow")},
      {"certificate", kEverything, Fails(ErrorKind::kNetwork, "SSL certificate problem")},
      {"redirect to another host", kEverything, Fails(ErrorKind::kProtocol, "redirects to another host")},
      {"damaged compression", kEverything, Fails(ErrorKind::kProtocol, "Unrecognized content encoding")},
      {"too large", kEverything, Fails(ErrorKind::kTooLarge, "an answer of more than 9 bytes"), true},
      {"cut body", kEverything,
       [](HttpResponse truth, int64_t) -> Answer {
         truth.body.resize(truth.body.size() / 2);
         return truth;
       }},
      {"empty body", kEverything, Says(200, "")},
      {"null", kEverything, Says(200, "null")},
      {"HTML inside 200", kEverything, Says(200, kHtml)},
      {"another object", kEverything, Says(200, R"({"message": "hello"})")},
      {"500", kEverything, Says(500, R"({"message": "Server Error"})")},
      {"502 HTML", kEverything, Says(502, kHtml)},
      {"503 Retry-After", kEverything, Says(503, "", {{"retry-after", "30"}})},
      {"504", kEverything, Says(504, "")},
      {"401", kEverything, Says(401, R"({"message": "Bad credentials"})")},
      {"403", kEverything, Says(403, R"({"message": "Resource not accessible"})")},
      {"403 HTML", kEverything, Says(403, kHtml)},
      {"404", kEverything, Says(404, R"({"message": "Not Found"})"), true},
      {"410", kEverything, Says(410, R"({"message": "This issue was deleted"})"), true},
      {"422", kEverything, Says(422, R"({"message": "Sorry, this diff is taking too long to generate."})"), true},
      {"451", kEverything, Says(451, R"({"message": "Repository access blocked"})"), true},
      {"primary limit", kEverything, Empty(60)},
      {"primary limit, reset far", kEverything, Empty(7200)},
      {"secondary limit, Retry-After", kEverything,
       Says(403, R"({"message": "You have exceeded a secondary rate limit"})", {{"retry-after", "30"}})},
      {"secondary limit", kEverything, Says(403, R"({"message": "You have exceeded a secondary rate limit"})")},
      {"429", kEverything, Says(429, "")},
      {"49 left", kEverything, NearlyEmpty(60)},
      {"49 left, reset far", kEverything, NearlyEmpty(7200)},
      {"an empty object", kRest, Says(200, "{}")},
      {"limit inside 200", kGraphql,
       Says(200, R"({"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]})")},
      {"timeout inside 200", kGraphql,
       Says(200, R"({"data": null, "errors": [{"message": "Something went wrong while executing your query."}]})")},
      {"empty data", kGraphql, Says(200, R"({"data": {}})")},
      {"a part of the items", kGraphql,
       [](HttpResponse truth, int64_t) { return Partial(std::move(truth), [](const Json&) { return Json(); }); }},
      {"a part of an item", kGraphql,
       [](HttpResponse truth, int64_t) {
         return Partial(std::move(truth),
                        [](Json node) { return node.IsObject() ? node.Set("comments", Json()) : node; });
       }},
  };
}

}  // namespace

const std::vector<Fault>& Faults() {
  static const std::vector<Fault> faults = MakeFaults();
  return faults;
}

Result<HttpResponse> AnswerMemory::Send(const HttpRequest& request) {
  const std::string key = request.method + " " + request.url + "\n" + request.body;
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  auto answer = server_.Send(request);
  if (answer) answers_.emplace(key, *answer);
  return answer;
}

Result<HttpResponse> FaultyTransport::Send(const HttpRequest& request) {
  const size_t index = lines.size();
  const size_t path = request.url.find('/', request.url.find("://") + 3);
  lines.push_back(request.method + " " + request.url.substr(path));
  auto truth = truth_.Send(request);
  const bool here =
      fault_ != nullptr && Hits(*fault_, lines.back()) && (index == at_ || (lasts_ == Lasts::kFromHere && index > at_));
  if (!truth || !here) return truth;
  ++spoilt;
  return fault_->instead(std::move(*truth), clock_.NowSeconds());
}

}  // namespace xpu_align
