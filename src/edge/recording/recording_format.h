// The files of a recording as values: manifest.json, exchanges.json and repository.json. Everything read here may
// be hostile: names of files are of one closed shape, so no path leaves the folder. docs/recording.md describes it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/json.h"
#include "model/window.h"
#include "ports/github_source.h"

namespace xpu_align {

// What the recorded command asked for; a replay must ask for the same.
struct RecordingScope {
  std::string repository;  // OWNER/NAME
  Window window;
  std::vector<std::string> references;  // of a spot check; empty: the whole window
  ItemEvents events = ItemEvents::kCreated;
  bool window_was_over = true;  // what happens in the rest of it is not in the recording
  std::string api_url;
  bool has_token = false, has_clone = false;  // both decide what is asked
};

struct RecordingManifest {
  RecordingScope scope;
  std::string version;                       // of the binary that recorded
  std::map<std::string, std::string> files;  // name -> SHA-256
};

// One request and what came of it.
struct RecordedExchange {
  std::string method, url;
  std::string request_file;  // its body; empty: none
  int status = 0;
  std::map<std::string, std::string> headers;
  std::string answer_file;             // body of the answer; empty: none
  std::string answered_by;             // address that answered, when it is another
  std::optional<int64_t> reset_after;  // seconds until the rate limit that this answer names ends
  std::optional<Error> error;          // no answer at all
};

// One question to the clone and its answer.
struct RecordedAnswer {
  std::string question;         // name of the port's function
  std::vector<std::string> of;  // its arguments
  Json value;                   // of a small answer
  std::string value_file;       // of a large one
  std::optional<Error> error;
};

// exchanges.json, repository.json, exchanges/0001.answer.json, repository/0001.json and the like.
bool IsRecordingFile(std::string_view name);

Json ToJson(const RecordingManifest& manifest);
Result<RecordingManifest> ManifestFromJson(const Json& json);
Json ToJson(const std::vector<RecordedExchange>& exchanges);
Result<std::vector<RecordedExchange>> ExchangesFromJson(const Json& json);
Json ToJson(const std::vector<RecordedAnswer>& answers);
Result<std::vector<RecordedAnswer>> AnswersFromJson(const Json& json);

}  // namespace xpu_align
