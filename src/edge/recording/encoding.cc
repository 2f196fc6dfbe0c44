#include "edge/recording/encoding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/utf8.h"

namespace xpu_align {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Kinds that an answer of GitHub or of a clone can fail with; a signal is nobody's answer.
constexpr std::array<std::pair<ErrorKind, std::string_view>, 8> kKinds = {{
    {ErrorKind::kConfig, "config"},
    {ErrorKind::kAuth, "auth"},
    {ErrorKind::kNetwork, "network"},
    {ErrorKind::kProtocol, "protocol"},
    {ErrorKind::kNotFound, "not-found"},
    {ErrorKind::kRateLimited, "rate-limited"},
    {ErrorKind::kFileSystem, "file-system"},
    {ErrorKind::kGit, "git"},
}};

}  // namespace

std::string Base64(std::string_view bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (size_t i = 0; i < 4; ++i) text += i <= count ? kDigits[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  std::string bytes;
  for (size_t at = 0; at < text.size(); at += 4) {
    uint32_t group = 0;
    size_t padding = 0;
    for (const char c : text.substr(at, 4)) {
      const size_t digit = kDigits.find(c);
      if (digit == std::string_view::npos) ++padding;
      group = group << 6 | (digit == std::string_view::npos ? 0u : static_cast<uint32_t>(digit));
    }
    if (padding > 2) return std::nullopt;
    for (size_t i = 0; i < 3 - padding; ++i) bytes += static_cast<char>(group >> (16 - 8 * i) & 255);
  }
  // One spelling for each value: what was written here.
  if (Base64(bytes) != text) return std::nullopt;
  return bytes;
}

Json TextToJson(const UntrustedText& text) {
  const std::string_view bytes = text.ForMatching();
  if (ValidUtf8(bytes) != bytes) return Json().Set("base64", Base64(bytes));
  if (!bytes.contains('\n')) return Json(bytes);
  Json lines = Json::EmptyArray();
  for (size_t begin = 0; begin <= bytes.size();) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    lines.Append(bytes.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Result<UntrustedText> TextFromJson(const Json& json) {
  if (const std::string* text = json.AsString()) return UntrustedText(*text);
  if (const Json::Array* lines = json.AsArray()) {
    std::string text;
    for (const Json& line : *lines) {
      if (!line.IsString()) return Fail(ErrorKind::kProtocol, "a line of a text is no string");
      if (&line != lines->data()) text += '\n';
      text += *line.AsString();
    }
    return UntrustedText(std::move(text));
  }
  const std::string* encoded = json["base64"].AsString();
  auto bytes = encoded ? FromBase64(*encoded) : std::nullopt;
  if (!bytes) return Fail(ErrorKind::kProtocol, "a text is neither string, lines nor base64");
  return UntrustedText(std::move(*bytes));
}

Json ErrorToJson(const Error& error) {
  const auto named = std::ranges::find(kKinds, error.kind, &std::pair<ErrorKind, std::string_view>::first);
  return Json()
      .Set("kind", named == kKinds.end() ? "protocol" : named->second)
      .Set("message", ValidUtf8(error.message));
}

Result<Error> ErrorFromJson(const Json& json) {
  TRY_ASSIGN(const std::string kind, json.String("kind"));
  TRY_ASSIGN(std::string message, json.String("message"));
  const auto named = std::ranges::find(kKinds, kind, &std::pair<ErrorKind, std::string_view>::second);
  if (named == kKinds.end()) return Fail(ErrorKind::kProtocol, "an error of an unknown kind is recorded");
  return Error{named->first, std::move(message)};
}

}  // namespace xpu_align
