#include "json/json.h"

namespace xpu_align {
namespace {

const Json kNull;
const Json::Array kNoElements;

bool IsEmptyValue(const Json& value) {
  if (value.IsNull()) return true;
  if (const auto* text = value.AsString()) return text->empty();
  if (const auto* array = value.AsArray()) return array->empty();
  if (const auto* object = value.AsObject()) return object->empty();
  return false;
}

}  // namespace

std::optional<int64_t> Json::AsInt() const {
  if (const auto* value = std::get_if<int64_t>(&value_)) return *value;
  return std::nullopt;
}

std::optional<double> Json::AsDouble() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<int64_t>(&value_)) return static_cast<double>(*value);
  return std::nullopt;
}

std::optional<bool> Json::AsBool() const {
  if (const auto* value = std::get_if<bool>(&value_)) return *value;
  return std::nullopt;
}

const Json& Json::operator[](std::string_view key) const {
  if (const Object* object = AsObject())
    if (const auto found = object->find(key); found != object->end()) return found->second;
  return kNull;
}

bool Json::Has(std::string_view key) const {
  const Object* object = AsObject();
  return object && object->find(key) != object->end();
}

std::string Json::StringOr(std::string_view key, std::string_view fallback) const {
  const std::string* value = (*this)[key].AsString();
  return value ? *value : std::string(fallback);
}

int64_t Json::IntOr(std::string_view key, int64_t fallback) const { return (*this)[key].AsInt().value_or(fallback); }

bool Json::BoolOr(std::string_view key, bool fallback) const { return (*this)[key].AsBool().value_or(fallback); }

const Json::Array& Json::ArrayOf(std::string_view key) const {
  const Array* value = (*this)[key].AsArray();
  return value ? *value : kNoElements;
}

std::vector<std::string> Json::StringsOf(std::string_view key) const {
  std::vector<std::string> out;
  for (const Json& element : ArrayOf(key))
    if (const std::string* text = element.AsString()) out.push_back(*text);
  return out;
}

Result<std::string> Json::String(std::string_view key) const {
  if (const std::string* value = (*this)[key].AsString()) return *value;
  return Fail(ErrorKind::kProtocol, "\"" + std::string(key) + "\" is missing or not a string");
}

Result<int64_t> Json::Int(std::string_view key) const {
  if (const auto value = (*this)[key].AsInt()) return *value;
  return Fail(ErrorKind::kProtocol, "\"" + std::string(key) + "\" is missing or not an integer");
}

Json& Json::Set(std::string_view key, Json value) {
  if (IsNull()) value_ = Object{};
  CHECK(IsObject());
  std::get<Object>(value_).insert_or_assign(std::string(key), std::move(value));
  return *this;
}

Json& Json::SetIfAny(std::string_view key, Json value) {
  return IsEmptyValue(value) ? *this : Set(key, std::move(value));
}

Json& Json::Append(Json value) {
  if (IsNull()) value_ = Array{};
  CHECK(IsArray());
  std::get<Array>(value_).push_back(std::move(value));
  return *this;
}

void Json::Remove(std::string_view key) {
  if (Object* object = std::get_if<Object>(&value_))
    if (const auto found = object->find(key); found != object->end()) object->erase(found);
}

}  // namespace xpu_align
