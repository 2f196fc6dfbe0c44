// Recorder: writes down every exchange with GitHub and every answer of the clone, without secrets, so that Replayer
// can give them again. Headers are left out but for those that decide what is asked next. One thread. Made by src/app
// for --record; filled by the ports of recorded_http.h and recorded_repository.h.
#pragma once
#include <memory>

#include "edge/recording/recording_folder.h"
#include "ports/clock.h"
#include "ports/http.h"

namespace xpu_align {

class Recorder {
 public:
  // `token`: only looked for. kConfig when the folder is not empty.
  static Result<std::unique_ptr<Recorder>> Begin(const std::filesystem::path& folder, RecordingScope scope,
                                                 std::string version, const std::string& token);

  // Never fail: what went wrong is told by Finish.
  void Add(const HttpRequest& request, const Result<HttpResponse>& response, int64_t now_seconds);
  void Add(const std::string& question, std::vector<std::string> of, Result<Json> answer);

  // The whole recording in a sentence. An error when a secret was found or a file could not be written; the folder is
  // then no recording.
  Result<std::string> Finish();

 private:
  Recorder(RecordingWriter writer, RecordingScope scope, std::string version);
  std::string Portable(std::string text) const;
  std::string WriteBody(const std::string& stem, const std::string& bytes);

  RecordingWriter writer_;
  RecordingScope scope_;
  std::string version_, origin_;
  std::vector<RecordedExchange> exchanges_;
  std::vector<RecordedAnswer> answers_;
};

}  // namespace xpu_align
