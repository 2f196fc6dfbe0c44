// Json: a JSON value with checked accessors, a bounded parser and a canonical writer (keys sorted, LF,
// two spaces). The only folder that sees RapidJSON. Parsing is iterative and limited in size and depth,
// so hostile input gives an Error, never a crash.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "text/error.h"

namespace xpu_align {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::map<std::string, Json, std::less<>>;

  Json() : value_(nullptr) {}
  Json(std::nullptr_t) : value_(nullptr) {}
  Json(bool value) : value_(value) {}
  Json(int value) : value_(static_cast<int64_t>(value)) {}
  Json(int64_t value) : value_(value) {}
  Json(size_t value) : value_(static_cast<int64_t>(value)) {}
  Json(double value) : value_(value) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}
  template <typename T>
  Json(const std::vector<T>& values) : value_(Array(values.begin(), values.end())) {}

  static Json EmptyObject() { return Json(Object{}); }
  static Json EmptyArray() { return Json(Array{}); }

  bool IsNull() const { return std::holds_alternative<std::nullptr_t>(value_); }
  bool IsString() const { return std::holds_alternative<std::string>(value_); }
  bool IsArray() const { return std::holds_alternative<Array>(value_); }
  bool IsObject() const { return std::holds_alternative<Object>(value_); }
  bool IsInt() const { return std::holds_alternative<int64_t>(value_); }

  // Null when the value has another type.
  const std::string* AsString() const { return std::get_if<std::string>(&value_); }
  const Array* AsArray() const { return std::get_if<Array>(&value_); }
  const Object* AsObject() const { return std::get_if<Object>(&value_); }
  std::optional<int64_t> AsInt() const;
  std::optional<double> AsDouble() const;  // integers, too
  std::optional<bool> AsBool() const;

  // Member access that never fails: a missing member, a member of another type, or a value that is no
  // object gives the fallback (for `operator[]` a null value).
  const Json& operator[](std::string_view key) const;
  bool Has(std::string_view key) const;
  std::string StringOr(std::string_view key, std::string_view fallback = {}) const;
  int64_t IntOr(std::string_view key, int64_t fallback = 0) const;
  bool BoolOr(std::string_view key, bool fallback) const;
  const Array& ArrayOf(std::string_view key) const;          // empty when missing
  std::vector<std::string> StringsOf(std::string_view key) const;  // other types in it are left out

  // Member access that must succeed: kProtocol names the key and the type that was expected.
  Result<std::string> String(std::string_view key) const;
  Result<int64_t> Int(std::string_view key) const;

  // Writing. Set and Append turn a null value into an object or array first.
  Json& Set(std::string_view key, Json value);
  // Leaves the key out when the value is empty (null, "", [], {}).
  Json& SetIfAny(std::string_view key, Json value);
  Json& Append(Json value);
  void Remove(std::string_view key);

  bool operator==(const Json&) const = default;

 private:
  std::variant<std::nullptr_t, bool, int64_t, double, std::string, Array, Object> value_;
};

struct JsonLimits {
  size_t max_bytes = 64u << 20;
  size_t max_depth = 64;
};

// kProtocol with the byte offset when the text is not one JSON value within the limits.
Result<Json> ParseJson(std::string_view text, const JsonLimits& limits = {});

// Canonical: keys sorted, no spaces, one line, no newline at the end; strings made valid UTF-8.
std::string WriteJsonLine(const Json& value);
// Canonical: keys sorted, indented by two spaces, newline at the end.
std::string WriteJson(const Json& value);

}  // namespace xpu_align
