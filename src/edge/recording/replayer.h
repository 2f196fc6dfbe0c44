// Replayer: gives what a recording holds, to the same questions in the same order, without network, clone, token or
// waiting. A question that was not recorded is an error, and the run that asked it can not stand. Made by src/app
// for --replay; asked by the ports of recorded_http.h and recorded_repository.h.
#pragma once
#include <deque>
#include <memory>

#include "edge/recording/recording_folder.h"
#include "ports/clock.h"
#include "ports/http.h"

namespace xpu_align {

// Time that passes by waiting alone.
class ReplayClock : public Clock {
 public:
  explicit ReplayClock(int64_t begin_seconds) : millis_(begin_seconds * 1000) {}
  int64_t NowSeconds() override { return millis_ / 1000; }
  int64_t MonotonicMillis() override { return millis_; }
  Status SleepMillis(int64_t millis) override {
    millis_ += millis;
    return {};
  }

 private:
  int64_t millis_;
};

class Replayer {
 public:
  // kNotFound, kProtocol as RecordingReader::Open.
  static Result<std::unique_ptr<Replayer>> Open(const std::filesystem::path& folder);

  const RecordingScope& Scope() const { return reader_.Manifest().scope; }
  Clock& VirtualClock() { return clock_; }

  // kConfig when there is no such exchange left. Equal requests get their answers in the order of the recording.
  Result<HttpResponse> Answer(const HttpRequest& request);
  // The same for the clone, whose last answer to a question stays true.
  Result<Json> Answer(const std::string& question, const std::vector<std::string>& of);
  bool Knows(const std::string& question, const std::vector<std::string>& of) const;
  // Every answer of the clone to `question`.
  std::vector<Json> AnswersTo(const std::string& question) const;

  // The first thing that was asked and not recorded, as an error that says what to do.
  Status NothingMissing() const;
  // Exchanges that nobody asked for: "GET https://..."
  std::vector<std::string> NotAskedFor() const;

 private:
  using Question = std::vector<std::string>;

  explicit Replayer(RecordingReader reader);
  Status Load();
  std::unexpected<Error> Missing(const std::string& what);
  Result<Json> ValueOf(const RecordedAnswer& answer) const;

  RecordingReader reader_;
  ReplayClock clock_;
  std::vector<RecordedExchange> exchanges_;
  std::vector<RecordedAnswer> answers_;
  std::map<std::string, std::deque<size_t>> left_;          // request -> exchanges, in order
  std::map<Question, std::deque<size_t>> answers_left_;     // question and arguments -> answers, in order
  std::optional<Error> missing_;
};

}  // namespace xpu_align
