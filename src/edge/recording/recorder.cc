#include "edge/recording/recorder.h"

#include <algorithm>
#include <charconv>

#include "edge/recording/encoding.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

// Everything else - cookies, dates, request ids, what is left of a rate limit that is not spent - is left out.
constexpr std::string_view kKeptHeaders[] = {"content-type", "link", "retry-after"};
constexpr size_t kLargeAnswer = 1000;  // bytes of JSON; larger ones get a file of their own

// A stand-in on loopback has another port each time; equal worlds shall give equal recordings.
constexpr std::string_view kStandIn = "http://stand-in.invalid";

bool IsLoopback(const std::string& url) {
  static const Pattern kLoopback = Pattern::Constant(R"(^https?://(127\.[0-9.]+|localhost|\[::1\])(:|/|$))");
  return kLoopback.FoundIn(url);
}

std::string Numbered(const std::string& folder, size_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 4 - std::min<size_t>(4, digits.size()), '0');
  return folder + "/" + digits;
}

}  // namespace

Recorder::Recorder(RecordingWriter writer, RecordingScope scope, std::string version)
    : writer_(std::move(writer)), scope_(std::move(scope)), version_(std::move(version)) {
  while (scope_.api_url.ends_with('/')) scope_.api_url.pop_back();
  if (!IsLoopback(scope_.api_url)) return;
  origin_ = scope_.api_url;
  scope_.api_url = kStandIn;
}

Result<std::unique_ptr<Recorder>> Recorder::Begin(const std::filesystem::path& folder, RecordingScope scope,
                                                  std::string version, const std::string& token) {
  TRY_ASSIGN(RecordingWriter writer, RecordingWriter::Begin(folder, SecretScan(token)));
  return std::unique_ptr<Recorder>(new Recorder(std::move(writer), std::move(scope), std::move(version)));
}

std::string Recorder::Portable(std::string text) const {
  if (origin_.empty()) return text;
  for (size_t at = 0; (at = text.find(origin_, at)) != std::string::npos; at += kStandIn.size())
    text.replace(at, origin_.size(), kStandIn);
  return text;
}

// JSON is indented, so that people can read and compare it; anything else stays as it came.
std::string Recorder::WriteBody(const std::string& stem, const std::string& bytes) {
  if (bytes.empty()) return {};
  std::string content = Portable(bytes), name = stem + ".txt";
  if (const auto json = ParseJson(content)) {
    std::string indented = WriteJson(*json);
    const auto again = ParseJson(indented, {.max_bytes = 128u << 20});
    if (again && *again == *json) content = std::move(indented), name = stem + ".json";
  }
  static_cast<void>(writer_.Write(name, content));
  return name;
}

void Recorder::Add(const HttpRequest& request, const Result<HttpResponse>& response, int64_t now_seconds) {
  if (!response && response.error().kind == ErrorKind::kCancelled) return;
  const std::string stem = Numbered("exchanges", exchanges_.size() + 1);
  RecordedExchange exchange{.method = request.method, .url = Portable(request.url)};
  exchange.request_file = WriteBody(stem + ".request", request.body);
  if (!response) {
    exchange.error = Error{response.error().kind, Portable(response.error().message)};
    exchanges_.push_back(std::move(exchange));
    return;
  }
  exchange.status = response->status;
  for (const std::string_view name : kKeptHeaders)
    if (const std::string_view value = response->Header(name); !value.empty())
      exchange.headers.emplace(name, Portable(std::string(value)));
  if (response->Header("x-ratelimit-remaining") == "0") {
    exchange.headers.emplace("x-ratelimit-remaining", "0");
    const std::string_view reset = response->Header("x-ratelimit-reset");
    int64_t at = 0;
    const auto [end, error] = std::from_chars(reset.data(), reset.data() + reset.size(), at);
    constexpr int64_t kDay = 86'400;
    if (error == std::errc() && end == reset.data() + reset.size() && at >= 0)
      exchange.reset_after = std::clamp(at, now_seconds - kDay, now_seconds + 30 * kDay) - now_seconds;
  }
  exchange.answer_file = WriteBody(stem + ".answer", response->body);
  if (response->url != request.url) exchange.answered_by = Portable(response->url);
  exchanges_.push_back(std::move(exchange));
}

void Recorder::Add(const std::string& question, std::vector<std::string> of, Result<Json> answer) {
  if (!answer && answer.error().kind == ErrorKind::kCancelled) return;
  RecordedAnswer recorded{.question = question, .of = std::move(of)};
  if (!answer) {
    recorded.error = Error{answer.error().kind, Portable(answer.error().message)};
  } else if (std::string bytes = WriteJson(*answer); bytes.size() > kLargeAnswer) {
    recorded.value_file = Numbered("repository", answers_.size() + 1) + ".json";
    static_cast<void>(writer_.Write(recorded.value_file, bytes));
  } else {
    recorded.value = std::move(*answer);
  }
  answers_.push_back(std::move(recorded));
}

Result<std::string> Recorder::Finish() {
  TRY(writer_.Write("exchanges.json", WriteJson(ToJson(exchanges_))));
  TRY(writer_.Write("repository.json", WriteJson(ToJson(answers_))));
  TRY(writer_.Finish({.scope = scope_, .version = version_}));
  return "recorded " + std::to_string(exchanges_.size()) + " exchanges with GitHub and " +
         std::to_string(answers_.size()) + " answers of the clone";
}

}  // namespace xpu_align
