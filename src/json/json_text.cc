// RapidJSON on one side, Json on the other: the parser builds values from events, iteratively.
#include <rapidjson/error/en.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "json/json.h"
#include "text/utf8.h"

namespace xpu_align {
namespace {

// Receives RapidJSON's events; a stack of open containers stands in for recursion.
class Builder {
 public:
  explicit Builder(size_t max_depth) : max_depth_(max_depth) {}

  bool Null() { return Put(Json()); }
  bool Bool(bool value) { return Put(Json(value)); }
  bool Int(int value) { return Put(Json(static_cast<int64_t>(value))); }
  bool Uint(unsigned value) { return Put(Json(static_cast<int64_t>(value))); }
  bool Int64(int64_t value) { return Put(Json(value)); }
  bool Uint64(uint64_t value) {
    return value > INT64_MAX ? Put(Json(static_cast<double>(value))) : Put(Json(static_cast<int64_t>(value)));
  }
  bool Double(double value) { return Put(Json(value)); }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return false; }  // not asked for
  bool String(const char* text, rapidjson::SizeType size, bool) { return Put(Json(std::string(text, size))); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    keys_.emplace_back(text, size);
    return true;
  }
  bool StartObject() { return Open(Json::EmptyObject()); }
  bool EndObject(rapidjson::SizeType) { return Close(); }
  bool StartArray() { return Open(Json::EmptyArray()); }
  bool EndArray(rapidjson::SizeType) { return Close(); }

  bool too_deep() const { return too_deep_; }
  Json Take() { return std::move(root_); }

 private:
  bool Open(Json container) {
    if (open_.size() >= max_depth_) {
      too_deep_ = true;
      return false;
    }
    open_.push_back(std::move(container));
    return true;
  }
  bool Close() {
    Json done = std::move(open_.back());
    open_.pop_back();
    return Put(std::move(done));
  }
  bool Put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().IsArray()) {
      open_.back().Append(std::move(value));
    } else {
      open_.back().Set(keys_.back(), std::move(value));
      keys_.pop_back();
    }
    return true;
  }

  size_t max_depth_;
  bool too_deep_ = false;
  std::vector<Json> open_;
  std::vector<std::string> keys_;
  Json root_;
};

template <typename Writer>
void Write(const Json& value, Writer* writer) {
  if (const auto* object = value.AsObject()) {
    writer->StartObject();
    for (const auto& [key, member] : *object) {
      const std::string valid = ValidUtf8(key);
      writer->Key(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
      Write(member, writer);
    }
    writer->EndObject();
  } else if (const auto* array = value.AsArray()) {
    writer->StartArray();
    for (const Json& element : *array) Write(element, writer);
    writer->EndArray();
  } else if (const auto* text = value.AsString()) {
    const std::string valid = ValidUtf8(*text);
    writer->String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
  } else if (const auto flag = value.AsBool()) {
    writer->Bool(*flag);
  } else if (const auto integer = value.AsInt()) {
    writer->Int64(*integer);
  } else if (const auto real = value.AsDouble()) {
    if (std::isfinite(*real)) writer->Double(*real);
    else writer->Null();  // JSON has no NaN or infinity
  } else {
    writer->Null();
  }
}

// The code unit that an escape of four hex digits at the front of `text` stands for; below 0 when there is none.
int EscapedUnit(std::string_view text) {
  int unit = 0;
  if (text.size() < 6 || !text.starts_with("\\u")) return -1;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return error == std::errc() && end == text.data() + 6 ? unit : -1;
}

// Half of a surrogate pair is no character: one of them in a title must not cost the answer that holds it.
std::string WithoutLoneSurrogates(std::string_view text) {
  const auto is_high = [](int unit) { return unit >= 0xd800 && unit < 0xdc00; };
  const auto is_low = [](int unit) { return unit >= 0xdc00 && unit < 0xe000; };
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t taken = text[0] == '\\' ? std::min<size_t>(2, text.size()) : std::min(text.find('\\'), text.size());
    std::string_view written = text.substr(0, taken);
    if (const int unit = EscapedUnit(text); is_high(unit) && is_low(EscapedUnit(text.substr(6)))) {
      written = text.substr(0, taken = 12);
    } else if (is_high(unit) || is_low(unit)) {
      written = "\\ufffd", taken = 6;
    }
    out += written;
    text.remove_prefix(taken);
  }
  return out;
}

Result<Json> ParseWhole(std::string_view text, const JsonLimits& limits, rapidjson::ParseErrorCode* code) {
  rapidjson::MemoryStream bytes(text.data(), text.size());
  rapidjson::Reader reader;
  Builder builder(limits.max_depth);
  constexpr unsigned kFlags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag | rapidjson::kParseFullPrecisionFlag;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(bytes, builder);
  *code = result.Code();
  if (builder.too_deep())
    return Fail(ErrorKind::kProtocol, "JSON is nested deeper than " + std::to_string(limits.max_depth));
  if (!result)
    return Fail(ErrorKind::kProtocol, "not JSON at byte " + std::to_string(result.Offset()) + ": " +
                                          rapidjson::GetParseError_En(result.Code()));
  return builder.Take();
}

}  // namespace

Result<Json> ParseJson(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes)
    return Fail(ErrorKind::kProtocol, "JSON of " + std::to_string(text.size()) + " bytes is over the limit of " +
                                          std::to_string(limits.max_bytes));
  rapidjson::ParseErrorCode code = rapidjson::kParseErrorNone;
  auto parsed = ParseWhole(text, limits, &code);
  if (code == rapidjson::kParseErrorStringUnicodeSurrogateInvalid)
    return ParseWhole(WithoutLoneSurrogates(text), limits, &code);
  return parsed;
}

std::string WriteJsonLine(const Json& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  Write(value, &writer);
  return std::string(buffer.GetString(), buffer.GetSize());
}

std::string WriteJson(const Json& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  Write(value, &writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace xpu_align
