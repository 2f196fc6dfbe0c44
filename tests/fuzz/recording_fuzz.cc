// Any JSON as a file of a recording: what is accepted is written and accepted again as the same, names only files of a
// recording, and answers of the clone keep their ids and their texts' bytes.
#include "edge/recording/encoding.h"
#include "edge/recording/recording_format.h"
#include "edge/recording/repository_json.h"
#include "fuzz/properties.h"

namespace xpu_align {
namespace {

template <typename T>
void RoundTrip(const Result<T>& value, Json (*to_json)(const T&), Result<T> (*from_json)(const Json&)) {
  if (!value) return;
  const Json written = to_json(*value);
  const auto again = from_json(written);
  CHECK(again.has_value());
  CHECK(to_json(*again) == written);
}

void CheckName(const std::string& name) {
  CHECK(name.empty() || IsRecordingFile(name));
  CHECK(!name.contains("..") && !name.starts_with('/') && IsOneLine(name));
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string_view input = TextOf(data, size);
  const UntrustedText text{std::string(input)};
  CHECK(TextFromJson(TextToJson(text)) == text);
  CHECK(FromBase64(Base64(input)) == input);
  if (const auto bytes = FromBase64(input)) CHECK(Base64(*bytes) == input);
  const auto json = ParseJson(input);
  if (!json) return 0;
  const auto manifest = ManifestFromJson(*json);
  RoundTrip<RecordingManifest>(manifest, ToJson, ManifestFromJson);
  if (manifest)
    for (const auto& [name, sha256] : manifest->files) CheckName(name);
  const auto exchanges = ExchangesFromJson(*json);
  RoundTrip<std::vector<RecordedExchange>>(exchanges, ToJson, ExchangesFromJson);
  if (exchanges)
    for (const RecordedExchange& exchange : *exchanges) CheckName(exchange.request_file), CheckName(exchange.answer_file);
  const auto answers = AnswersFromJson(*json);
  RoundTrip<std::vector<RecordedAnswer>>(answers, ToJson, AnswersFromJson);
  if (answers)
    for (const RecordedAnswer& answer : *answers) CheckName(answer.value_file);
  RoundTrip<TrunkCommit>(CommitFromJson(*json), CommitToJson, CommitFromJson);
  RoundTrip<std::vector<TrunkCommit>>(CommitsFromJson(*json), CommitsToJson, CommitsFromJson);
  RoundTrip<RepositoryDiff>(DiffFromJson(*json), DiffToJson, DiffFromJson);
  return 0;
}
