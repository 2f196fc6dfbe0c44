#include "distill/scope_reader.h"

#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

const Json kNothing;
const Json kNoMembers = Json::EmptyObject();

bool IsPlainText(std::string_view text) {
  if (text.starts_with(' ') || text.ends_with(' ')) return false;
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) return false;
  return true;
}

}  // namespace

bool ScopeReader::IsId(std::string_view text) {
  if (text.empty() || text.size() > 64) return false;
  bool may_join = false;
  for (const char c : text) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!word && !((c == '-' || c == '_') && may_join)) return false;
    may_join = word;
  }
  return may_join;
}

ScopeReader::ScopeReader(const Json& json, std::string where, std::vector<Finding>* findings)
    : json_(json), where_(std::move(where)), findings_(findings) {
  if (!json_.IsObject()) findings_->push_back({CheckId::kScope, where_, "is no object"});
}

void ScopeReader::Refuse(std::string_view key, const std::string& why) {
  findings_->push_back({CheckId::kScope, where_ + "." + UntrustedText(std::string(key)).ForLogLine(80), why});
}

const Json& ScopeReader::Member(std::string_view key) {
  asked_.emplace(key);
  return json_.IsObject() ? json_[key] : kNothing;
}

void ScopeReader::RefuseOthers() {
  if (!json_.IsObject()) return;
  for (const auto& [name, value] : *json_.AsObject())
    if (!asked_.contains(name)) Refuse(name, "is no key that a scope knows");
}

std::string ScopeReader::Text(std::string_view key, Presence presence, size_t max_bytes) {
  const Json& member = Member(key);
  if (member.IsNull() && presence == Presence::kOptional) return {};
  if (!member.IsString() || member.AsString()->empty()) {
    Refuse(key, "must be a text");
    return {};
  }
  if (!IsPlainText(*member.AsString()) || member.AsString()->size() > max_bytes) {
    Refuse(key, "must be one line of printable ASCII of at most " + std::to_string(max_bytes) + " characters");
    return {};
  }
  return *member.AsString();
}

std::string ScopeReader::Word(std::string_view key, std::initializer_list<std::string_view> words) {
  const Json& member = Member(key);
  std::string all;
  for (const std::string_view word : words) {
    if (member.IsString() && *member.AsString() == word) return std::string(word);
    all += (all.empty() ? "" : " or ") + std::string(word);
  }
  Refuse(key, "must be " + all);
  return {};
}

std::string ScopeReader::Id(std::string_view key) {
  const Json& member = Member(key);
  if (member.IsString() && IsId(*member.AsString())) return *member.AsString();
  Refuse(key, "must be an id: a-z, 0-9, single '-' or '_' between them, at most 64 characters");
  return {};
}

int64_t ScopeReader::Number(std::string_view key, int64_t fallback, int64_t most) {
  const Json& member = Member(key);
  if (member.IsNull()) return fallback;
  const auto value = member.AsInt();
  if (value && *value >= 1 && *value <= most) return *value;
  Refuse(key, "must be a number from 1 to " + std::to_string(most));
  return fallback;
}

std::vector<std::string> ScopeReader::Texts(std::string_view key, Presence presence) {
  const Json& member = Member(key);
  std::vector<std::string> texts;
  if (member.IsNull() && presence == Presence::kOptional) return texts;
  bool good = member.IsArray();
  if (good)
    for (const Json& one : *member.AsArray()) {
      good = good && one.IsString() && !one.AsString()->empty() && IsPlainText(*one.AsString());
      if (good) texts.push_back(*one.AsString());
    }
  if (!good) Refuse(key, "must be a list of texts");
  return texts;
}

std::vector<PathGlob> ScopeReader::Globs(std::string_view key, Presence presence) {
  std::vector<PathGlob> globs;
  for (const std::string& text : Texts(key, presence)) {
    auto glob = PathGlob::Parse(text);
    if (glob)
      globs.push_back(std::move(*glob));
    else
      Refuse(key, glob.error().message);
  }
  if (globs.empty() && presence == Presence::kRequired) Refuse(key, "must name at least one pattern");
  return globs;
}

std::string ScopeReader::Path(std::string_view key, Presence presence) {
  const std::string text = Text(key, presence);
  if (text.empty()) return {};
  const auto glob = PathGlob::Parse(text);
  if (glob && glob->IsLiteral()) return text;
  Refuse(key, glob ? "must be a path without wildcards" : glob.error().message);
  return {};
}

std::vector<ScopeReader> ScopeReader::Objects(std::string_view key, Presence presence) {
  const Json& member = Member(key);
  std::vector<ScopeReader> out;
  if (member.IsNull() && presence == Presence::kOptional) return out;
  if (!member.IsArray() || (member.AsArray()->empty() && presence == Presence::kRequired)) {
    Refuse(key, "must be a list of objects");
    return out;
  }
  for (size_t i = 0; i < member.AsArray()->size(); ++i)
    out.emplace_back((*member.AsArray())[i], where_ + "." + std::string(key) + "[" + std::to_string(i) + "]",
                     findings_);
  return out;
}

ScopeReader ScopeReader::Object(std::string_view key, Presence presence) {
  const Json& member = Member(key);
  const bool missing = member.IsNull() && presence == Presence::kOptional;
  return ScopeReader(missing ? kNoMembers : member, where_ + "." + std::string(key), findings_);
}

const Json::Object& ScopeReader::Map(std::string_view key) {
  const Json& member = Member(key);
  if (member.IsObject()) return *member.AsObject();
  if (!member.IsNull()) Refuse(key, "must be an object");
  return *kNoMembers.AsObject();
}

}  // namespace xpu_align::distill
