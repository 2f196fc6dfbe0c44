#include "edge/recording/recording_format.h"

#include "edge/recording/encoding.h"
#include "model/schema.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

// A member that may be missing and otherwise names a file of the recording.
Result<std::string> FileMember(const Json& json, std::string_view key) {
  if (!json.Has(key)) return std::string();
  TRY_ASSIGN(std::string name, json.String(key));
  if (!IsRecordingFile(name)) return Fail(ErrorKind::kProtocol, std::string(key) + " names no file of a recording");
  return name;
}

Result<std::optional<Error>> ErrorMember(const Json& json) {
  if (!json.Has("error")) return std::nullopt;
  TRY_ASSIGN(Error error, ErrorFromJson(json["error"]));
  return error;
}

Result<std::vector<std::string>> Strings(const Json& json, std::string_view key) {
  std::vector<std::string> strings = json.StringsOf(key);
  if (strings.size() != json.ArrayOf(key).size())
    return Fail(ErrorKind::kProtocol, std::string(key) + " holds something else than strings");
  return strings;
}

Result<std::map<std::string, std::string>> StringMap(const Json& json, std::string_view key) {
  std::map<std::string, std::string> map;
  if (!json.Has(key)) return map;
  const Json::Object* object = json[key].AsObject();
  if (!object) return Fail(ErrorKind::kProtocol, std::string(key) + " is no object");
  for (const auto& [name, value] : *object) {
    if (!value.IsString()) return Fail(ErrorKind::kProtocol, std::string(key) + " holds something else than strings");
    map.emplace(name, *value.AsString());
  }
  return map;
}

Result<Window> WindowFromJson(const Json& json) {
  const auto start = ParseDate(json.StringOr("start")), end = ParseDate(json.StringOr("end"));
  const auto window = start && end ? Window::Of(*start, *end) : Fail(ErrorKind::kProtocol, "");
  if (!window) return Fail(ErrorKind::kProtocol, "the window is none");
  return window;
}

Result<RecordedExchange> ExchangeFromJson(const Json& json) {
  RecordedExchange exchange;
  TRY_ASSIGN(exchange.method, json.String("method"));
  TRY_ASSIGN(exchange.url, json.String("url"));
  TRY_ASSIGN(exchange.request_file, FileMember(json, "request"));
  TRY_ASSIGN(exchange.error, ErrorMember(json));
  if (exchange.error) return exchange;
  TRY_ASSIGN(const int64_t status, json.Int("status"));
  if (status < 100 || status > 599) return Fail(ErrorKind::kProtocol, "a status is none of HTTP");
  exchange.status = static_cast<int>(status);
  TRY_ASSIGN(exchange.headers, StringMap(json, "headers"));
  TRY_ASSIGN(exchange.answer_file, FileMember(json, "answer"));
  exchange.answered_by = json.StringOr("answered_by");
  if (json.Has("reset_after")) {
    TRY_ASSIGN(exchange.reset_after, json.Int("reset_after"));
    constexpr int64_t kYear = 366 * 86'400;
    if (std::abs(*exchange.reset_after) > kYear) return Fail(ErrorKind::kProtocol, "reset_after is over a year");
  }
  return exchange;
}

Result<RecordedAnswer> AnswerFromJson(const Json& json) {
  RecordedAnswer answer;
  TRY_ASSIGN(answer.question, json.String("question"));
  TRY_ASSIGN(answer.of, Strings(json, "of"));
  TRY_ASSIGN(answer.error, ErrorMember(json));
  if (answer.error) return answer;
  TRY_ASSIGN(answer.value_file, FileMember(json, "answer_file"));
  if (answer.value_file.empty()) answer.value = json["answer"];
  return answer;
}

template <typename T>
Result<std::vector<T>> ListFromJson(const Json& json, std::string_view schema, std::string_view key,
                                    Result<T> (*from_json)(const Json&)) {
  TRY(CheckSchema(json, schema));
  std::vector<T> list;
  for (const Json& element : json.ArrayOf(key)) {
    auto value = from_json(element);
    if (!value) return Fail(value.error(), std::string(key) + ", entry " + std::to_string(list.size() + 1));
    list.push_back(std::move(*value));
  }
  return list;
}

}  // namespace

bool IsRecordingFile(std::string_view name) {
  static const Pattern kName = Pattern::Constant(
      R"(^(exchanges\.json|repository\.json|exchanges/[0-9]{4,6}\.(request|answer)\.(json|txt)|repository/[0-9]{4,6}\.json)$)");
  return !name.contains('\n') && kName.FoundIn(name);
}

Json ToJson(const RecordingManifest& manifest) {
  const RecordingScope& scope = manifest.scope;
  Json files = Json::EmptyObject();
  for (const auto& [name, sha256] : manifest.files) files.Set(name, sha256);
  return Json()
      .Set("schema", SchemaOf("recording"))
      .Set("version", manifest.version)
      .Set("repository", scope.repository)
      .Set("window", Json().Set("start", FormatDate(scope.window.start)).Set("end", FormatDate(scope.window.end)))
      .SetIfAny("references", scope.references)
      .Set("events", Name(scope.events))
      .Set("window_was_over", scope.window_was_over)
      .Set("api_url", scope.api_url)
      .Set("token", scope.has_token)
      .Set("clone", scope.has_clone)
      .Set("files", files);
}

Result<RecordingManifest> ManifestFromJson(const Json& json) {
  TRY(CheckSchema(json, "recording"));
  RecordingManifest manifest;
  RecordingScope& scope = manifest.scope;
  TRY_ASSIGN(manifest.version, json.String("version"));
  TRY_ASSIGN(scope.repository, json.String("repository"));
  static const Pattern kRepository = Pattern::Constant(R"(^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$)");
  if (scope.repository.contains('\n') || !kRepository.FoundIn(scope.repository))
    return Fail(ErrorKind::kProtocol, "the repository is no OWNER/NAME");
  TRY_ASSIGN(scope.window, WindowFromJson(json["window"]));
  TRY_ASSIGN(scope.references, Strings(json, "references"));
  const auto events = EventsNamed(json.StringOr("events"));
  if (!events) return Fail(ErrorKind::kProtocol, "events is none of created, updated and merged");
  scope.events = *events;
  scope.window_was_over = json.BoolOr("window_was_over", false);
  TRY_ASSIGN(scope.api_url, json.String("api_url"));
  scope.has_token = json.BoolOr("token", false);
  scope.has_clone = json.BoolOr("clone", false);
  TRY_ASSIGN(manifest.files, StringMap(json, "files"));
  static const Pattern kSha256 = Pattern::Constant(R"(^[0-9a-f]{64}$)");
  for (const auto& [name, sha256] : manifest.files)
    if (!IsRecordingFile(name) || !kSha256.FoundIn(sha256))
      return Fail(ErrorKind::kProtocol, "files names something that is no file of a recording");
  return manifest;
}

Json ToJson(const std::vector<RecordedExchange>& exchanges) {
  Json list = Json::EmptyArray();
  for (const RecordedExchange& exchange : exchanges) {
    Json json;
    json.Set("method", exchange.method).Set("url", exchange.url).SetIfAny("request", exchange.request_file);
    if (exchange.error) {
      list.Append(json.Set("error", ErrorToJson(*exchange.error)));
      continue;
    }
    Json headers = Json::EmptyObject();
    for (const auto& [name, value] : exchange.headers) headers.Set(name, value);
    json.Set("status", exchange.status)
        .SetIfAny("headers", headers)
        .SetIfAny("answer", exchange.answer_file)
        .SetIfAny("answered_by", exchange.answered_by);
    if (exchange.reset_after) json.Set("reset_after", *exchange.reset_after);
    list.Append(std::move(json));
  }
  return Json().Set("schema", SchemaOf("recorded-exchanges")).Set("exchanges", list);
}

Result<std::vector<RecordedExchange>> ExchangesFromJson(const Json& json) {
  return ListFromJson(json, "recorded-exchanges", "exchanges", ExchangeFromJson);
}

Json ToJson(const std::vector<RecordedAnswer>& answers) {
  Json list = Json::EmptyArray();
  for (const RecordedAnswer& answer : answers) {
    Json json;
    json.Set("question", answer.question).SetIfAny("of", answer.of);
    if (answer.error) {
      json.Set("error", ErrorToJson(*answer.error));
    } else if (!answer.value_file.empty()) {
      json.Set("answer_file", answer.value_file);
    } else if (!answer.value.IsNull()) {
      json.Set("answer", answer.value);
    }
    list.Append(std::move(json));
  }
  return Json().Set("schema", SchemaOf("recorded-answers")).Set("answers", list);
}

Result<std::vector<RecordedAnswer>> AnswersFromJson(const Json& json) {
  return ListFromJson(json, "recorded-answers", "answers", AnswerFromJson);
}

}  // namespace xpu_align
