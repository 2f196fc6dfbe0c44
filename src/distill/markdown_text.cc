#include "distill/markdown_text.h"

#include <algorithm>

#include "text/utf8.h"

namespace xpu_align::distill {
namespace {

std::string OneLine(std::string_view text, size_t max_chars) {
  std::string out;
  size_t chars = 0;
  while (!text.empty()) {
    const char32_t c = TakeCodePoint(&text);
    if (c == '\n' || c == '\t' || c == '\r') {
      out += ' ';
    } else if (IsControl(c) || IsInvisibleFormat(c)) {
      continue;
    } else {
      AppendUtf8(c, &out);
    }
    if (++chars == max_chars && !text.empty()) return out + "...";
  }
  return out;
}

std::string Spanned(std::string text) {
  size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  if (text.empty()) text = " ";
  const bool pad = text.front() == '`' || text.back() == '`' || text.front() == ' ' || text.back() == ' ';
  return fence + (pad ? " " + text + " " : text) + fence;
}

std::string Joined(const Json& value, std::string_view key) {
  std::string out;
  for (const std::string& one : value.StringsOf(key)) out += (out.empty() ? "" : ", ") + one;
  return out;
}

std::string Plain(const Fact& fact) {
  const Json& value = fact.value;
  const auto text = [&](std::string_view key) { return value.StringOr(key); };
  const auto with = [&](std::string_view key, const char* before) {
    return value.Has(key) && !text(key).empty() ? before + text(key) : "";
  };
  const auto default_text = [&] {
    return value["default"].IsString() ? " default " + text("default") : std::string(" default not stated here");
  };
  switch (fact.kind) {
    case FactKind::kReg:
      if (value.Has("macro")) return text("macro") + "(" + Joined(value, "arguments") + ")" + with("guard", " under ");
      if (value.Has("library"))
        return text("library") + "." + text("call") + "(" + text("name") + with("kernel", ", ") + ")" +
               with("dispatch", " on ");
      if (value.Has("name")) return text("under") + ": " + text("name");
      return text("call") + "(" + Joined(value, "arguments") + ")" + with("under", " of ") + with("guard", " under ");
    case FactKind::kDispatch:
      return text("key") + " of " + text("namespace");
    case FactKind::kEnv:
      return Joined(value, "names") + default_text();
    case FactKind::kEnvSet:
      return Joined(value, "names") + with("value", " = ") + " by " + text("call");
    case FactKind::kCfg:
    case FactKind::kConst:
    case FactKind::kField:
      return fact.subject + (value.Has("default") ? " = " + text("default") : "");
    case FactKind::kEnum:
    case FactKind::kState:
      return fact.subject + ": " + (value.Has("members") ? Joined(value, "members") : Joined(value, "transitions"));
    case FactKind::kCheck:
      return (value.Has("message") ? text("message") : text("macro") + with("type", " ")) +
             with("condition", " unless ") + with("under", " if ");
    case FactKind::kWarn:
      return text("message") + with("under", " if ");
    case FactKind::kVirtual:
    case FactKind::kOverride:
    case FactKind::kApi:
      return (text("signature").empty() ? text("name") : text("signature")) + " [" +
             (value.Has("binding") ? text("binding") : text("state")) + "]" + with("class", " in ");
    case FactKind::kMacro:
      return text("name") + (value.Has("parameters") ? "(" + text("parameters") + ")" : "") + " " + text("body");
  }
  return {};
}

constexpr size_t kStatementChars = 220;

}  // namespace

std::string CodeSpan(std::string_view text, size_t max_chars) { return Spanned(OneLine(text, max_chars)); }

std::string CodeCell(std::string_view text, size_t max_chars) {
  std::string span = CodeSpan(text, max_chars);
  for (size_t at = 0; (at = span.find('|', at)) != std::string::npos; at += 2) span.insert(at, 1, '\\');
  return span;
}

std::string WithoutCodeSpans(std::string_view markdown) {
  const auto run_at = [&](size_t at) {
    size_t length = 0;
    while (at + length < markdown.size() && markdown[at + length] == '`') ++length;
    return length;
  };
  std::string out;
  for (size_t at = 0; at < markdown.size();) {
    const size_t fence = run_at(at);
    if (fence == 0) {
      out += markdown[at++];
      continue;
    }
    size_t close = at + fence;
    while (close < markdown.size() && run_at(close) != fence) close += std::max<size_t>(run_at(close), 1);
    at = close < markdown.size() ? close + fence : at + fence;
  }
  return out;
}

std::string PlaceSpan(const Citation& cite) {
  std::string text = cite.repo + ":" + cite.path + ":" + std::to_string(cite.lines.first);
  if (cite.lines.last != cite.lines.first) text += "-" + std::to_string(cite.lines.last);
  return CodeCell(text, 400);
}

std::string Statement(const Fact& fact) { return CodeSpan(Plain(fact), kStatementChars); }
std::string StatementCell(const Fact& fact) { return CodeCell(Plain(fact), kStatementChars); }

}  // namespace xpu_align::distill
