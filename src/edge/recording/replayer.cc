#include "edge/recording/replayer.h"

#include <algorithm>

#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

// Equal for a body as it was sent and as it was recorded.
std::string KeyOf(const std::string& method, const std::string& url, const std::string& body) {
  const auto json = ParseJson(body);
  return method + " " + url + "\n" + (json ? WriteJsonLine(*json) : body);
}

std::string Shown(const std::string& method, const std::string& url) {
  return UntrustedText(method + " " + url).ForLogLine(160);
}

}  // namespace

Replayer::Replayer(RecordingReader reader)
    : reader_(std::move(reader)), clock_(reader_.Manifest().scope.window.EndSeconds()) {}

Result<std::unique_ptr<Replayer>> Replayer::Open(const std::filesystem::path& folder) {
  TRY_ASSIGN(RecordingReader reader, RecordingReader::Open(folder));
  std::unique_ptr<Replayer> replayer(new Replayer(std::move(reader)));
  if (const Status loaded = replayer->Load(); !loaded)
    return Fail(loaded.error(), "the recording in " + folder.string() + " can not be replayed");
  return replayer;
}

Status Replayer::Load() {
  TRY_ASSIGN(const Json exchanges, reader_.ReadJson("exchanges.json"));
  TRY_ASSIGN(exchanges_, ExchangesFromJson(exchanges));
  for (size_t i = 0; i < exchanges_.size(); ++i) {
    std::string body;
    if (!exchanges_[i].request_file.empty()) {
      TRY_ASSIGN(body, reader_.Read(exchanges_[i].request_file));
    }
    left_[KeyOf(exchanges_[i].method, exchanges_[i].url, body)].push_back(i);
  }
  TRY_ASSIGN(const Json answers, reader_.ReadJson("repository.json"));
  TRY_ASSIGN(answers_, AnswersFromJson(answers));
  for (size_t i = 0; i < answers_.size(); ++i) {
    Question question{answers_[i].question};
    std::ranges::copy(answers_[i].of, std::back_inserter(question));
    answers_left_[question].push_back(i);
  }
  return {};
}

std::unexpected<Error> Replayer::Missing(const std::string& what) {
  const RecordingManifest& manifest = reader_.Manifest();
  if (!missing_)
    missing_ = Error{ErrorKind::kConfig,
                     "the recording has no answer to " + what + ". It was made by xpu-align " +
                         UntrustedText(manifest.version).ForLogLine(40) + " of " + manifest.scope.repository + ", " +
                         manifest.scope.window.Name() +
                         "; replay with that version, its rules and the options of the recording, or record again"};
  return std::unexpected(*missing_);
}

Result<HttpResponse> Replayer::Answer(const HttpRequest& request) {
  const auto found = left_.find(KeyOf(request.method, request.url, request.body));
  if (missing_ || found == left_.end() || found->second.empty()) return Missing(Shown(request.method, request.url));
  const RecordedExchange& exchange = exchanges_[found->second.front()];
  found->second.pop_front();
  if (exchange.error) return std::unexpected(*exchange.error);
  HttpResponse response{.status = exchange.status, .headers = exchange.headers};
  response.url = exchange.answered_by.empty() ? request.url : exchange.answered_by;
  if (exchange.reset_after)
    response.headers["x-ratelimit-reset"] = std::to_string(clock_.NowSeconds() + *exchange.reset_after);
  if (!exchange.answer_file.empty()) {
    TRY_ASSIGN(response.body, reader_.Read(exchange.answer_file));
  }
  return response;
}

Result<Json> Replayer::ValueOf(const RecordedAnswer& answer) const {
  if (answer.error) return std::unexpected(*answer.error);
  if (answer.value_file.empty()) return answer.value;
  return reader_.ReadJson(answer.value_file);
}

Result<Json> Replayer::Answer(const std::string& question, const std::vector<std::string>& of) {
  Question key{question};
  std::ranges::copy(of, std::back_inserter(key));
  const auto found = answers_left_.find(key);
  if (found == answers_left_.end()) {
    std::string what = question + " of the clone (";
    for (const std::string& argument : of) what += (&argument == of.data() ? "" : ", ") + argument;
    return Missing(UntrustedText(what + ")").ForLogLine(160));
  }
  const RecordedAnswer& answer = answers_[found->second.front()];
  if (found->second.size() > 1) found->second.pop_front();
  return ValueOf(answer);
}

bool Replayer::Knows(const std::string& question, const std::vector<std::string>& of) const {
  Question key{question};
  std::ranges::copy(of, std::back_inserter(key));
  return answers_left_.contains(key);
}

std::vector<Json> Replayer::AnswersTo(const std::string& question) const {
  std::vector<Json> values;
  for (const RecordedAnswer& answer : answers_)
    if (answer.question == question)
      if (auto value = ValueOf(answer)) values.push_back(std::move(*value));
  return values;
}

Status Replayer::NothingMissing() const {
  if (missing_) return std::unexpected(*missing_);
  return {};
}

std::vector<std::string> Replayer::NotAskedFor() const {
  std::vector<size_t> left;
  for (const auto& [key, indices] : left_) std::ranges::copy(indices, std::back_inserter(left));
  std::ranges::sort(left);
  std::vector<std::string> names;
  for (const size_t index : left) names.push_back(Shown(exchanges_[index].method, exchanges_[index].url));
  return names;
}

}  // namespace xpu_align
