#include "edge/recording/secret_scan.h"

#include <algorithm>

#include "edge/recording/encoding.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kLeastToken = 8;

std::string Hex(std::string_view bytes, std::string_view digits, std::string_view before_each) {
  std::string text;
  for (const char c : bytes) {
    text += before_each;
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

// The digits of base64 that depend on `secret` alone when `before` other bytes stand in front of it.
std::string InnerBase64(std::string_view secret, size_t before) {
  const std::string text = Base64(std::string(before, 'x') + std::string(secret));
  const size_t whole = (before + secret.size()) * 8 / 6;
  const size_t first = (before * 8 + 5) / 6;
  return text.substr(first, whole - first);
}

// "\u0041" as it may stand for "A" in JSON.
std::string WithoutJsonEscapes(std::string_view bytes) {
  static const Pattern kEscape = Pattern::Constant(R"(\\u00([0-9A-Fa-f]{2}))");
  std::string text;
  size_t from = 0;
  for (auto match = kEscape.Find(bytes); match; match = kEscape.Find(bytes, from)) {
    text.append(bytes, from, match->offset - from);
    text += static_cast<char>(std::stoi(std::string(match->groups[1]), nullptr, 16));
    from = match->offset + match->groups[0].size();
  }
  return text.append(bytes, from);
}

}  // namespace

SecretScan::SecretScan(std::string_view token) {
  if (token.size() < kLeastToken) return;
  forms_.emplace_back("the token of this run", token);
  for (const std::string_view digits : {"0123456789abcdef", "0123456789ABCDEF"}) {
    forms_.emplace_back("the token of this run in hex", Hex(token, digits, ""));
    forms_.emplace_back("the token of this run, percent-encoded", Hex(token, digits, "%"));
  }
  for (size_t before = 0; before < 3; ++before) {
    std::string inner = InnerBase64(token, before);
    forms_.emplace_back("the token of this run in base64", inner);
    std::ranges::replace(inner, '+', '-');
    std::ranges::replace(inner, '/', '_');
    forms_.emplace_back("the token of this run in base64", inner);
  }
}

std::optional<std::string> SecretScan::FindPlain(std::string_view bytes) const {
  for (const auto& [name, form] : forms_)
    if (bytes.contains(form)) return name;
  static const Pattern kGithubToken =
      Pattern::Constant(R"(\b(gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}))");
  if (kGithubToken.FoundIn(bytes)) return "what looks like a token of GitHub";
  return std::nullopt;
}

std::optional<std::string> SecretScan::FindIn(std::string_view bytes) const {
  if (auto found = FindPlain(bytes)) return found;
  if (!bytes.contains("\\u00")) return std::nullopt;
  return FindPlain(WithoutJsonEscapes(bytes));
}

}  // namespace xpu_align
