#include <algorithm>

#include "distill/cpp_file.h"

namespace xpu_align::distill {
namespace {

constexpr int kMaxMessageDepth = 8;  // calls in calls that a message is looked for in

enum class CheckShape { kNone, kConditionFirst, kTypeFirst, kMessageOnly, kComparison };

CheckShape ShapeOfCheck(std::string_view name, const ScopeReaders& readers) {
  if (std::ranges::find(readers.check, name) != readers.check.end()) return CheckShape::kConditionFirst;
  if (name == "AT_ERROR") return CheckShape::kMessageOnly;
  if (name == "TORCH_CHECK_WITH" || name == "TORCH_CHECK_WITH_MSG" || name == "STD_TORCH_CHECK_WITH")
    return CheckShape::kTypeFirst;
  for (const std::string_view comparison : {"_EQ", "_NE", "_LT", "_LE", "_GT", "_GE"})
    if (name.starts_with("TORCH_CHECK") && name.ends_with(comparison)) return CheckShape::kComparison;
  if (name.starts_with("TORCH_CHECK") || name.starts_with("STD_TORCH_CHECK") ||
      name.starts_with("TORCH_INTERNAL_ASSERT") || name.starts_with("AT_ASSERT"))
    return CheckShape::kConditionFirst;
  return CheckShape::kNone;
}

bool IsWarning(std::string_view name, const ScopeReaders& readers) {
  return name.starts_with("TORCH_WARN") || name == "AT_WARN" ||
         std::ranges::find(readers.warn, name) != readers.warn.end();
}

// What tells one check of a function from the next: its message, else its condition.
std::string Detail(const MessageText& message, const std::string& condition) {
  return message.HasLiteral() ? message.Text() : "if " + condition;
}

void AddCheck(const CppFile& file, size_t at, CheckShape shape) {
  const CppTokens& tokens = file.tokens;
  const size_t close = file.Close(at + 1);
  const auto arguments = tokens.Arguments(at + 1);
  if (arguments.empty()) return;
  size_t next = shape == CheckShape::kTypeFirst ? 1 : 0;
  std::string condition;
  if (shape == CheckShape::kComparison && arguments.size() > 1) {
    condition = tokens.Snippet(arguments[0].first, arguments[1].second);
    next = 2;
  } else if (shape != CheckShape::kMessageOnly && next < arguments.size()) {
    condition = tokens.Snippet(arguments[next].first, arguments[next].second);
    ++next;
  }
  MessageText message;
  if (next < arguments.size()) message = file.Message(arguments[next].first, close);
  if (condition.empty() && !message.HasLiteral()) return;
  Json value;
  value.Set("macro", tokens.Text(at))
      .SetIfAny("condition", condition)
      .SetIfAny("message", message.HasLiteral() ? message.Text() : "");
  file.SetGuard(&value, at);
  file.facts.Add(
      {FactKind::kCheck, file.scopes.SubjectAt(at), Detail(message, condition), value, "cpp.check@1", message.Kind()},
      file.Begin(at), file.End(close));
}

void AddWarning(const CppFile& file, size_t at) {
  const size_t close = file.Close(at + 1);
  const auto arguments = file.tokens.Arguments(at + 1);
  if (arguments.empty()) return;
  const MessageText message = file.Message(arguments[0].first, close);
  if (!message.HasLiteral()) return;
  Json value;
  value.Set("macro", file.tokens.Text(at)).Set("message", message.Text());
  file.SetGuard(&value, at);
  file.facts.Add({FactKind::kWarn, file.scopes.SubjectAt(at), message.Text(), value, "cpp.warn@1", message.Kind()},
                 file.Begin(at), file.End(close));
}

// LOG(WARNING) << "..." << x;
void AddLogWarning(const CppFile& file, size_t at) {
  size_t end = file.Close(at + 1);
  const size_t begin = end + 1;
  while (end + 1 < file.tokens.Size() && !file.tokens.Is(end + 1, ";") && !file.tokens.Is(end + 1, "}")) ++end;
  const MessageText message = file.Message(begin, end + 1);
  if (!message.HasLiteral()) return;
  Json value;
  value.Set("macro", "LOG").Set("message", message.Text());
  file.facts.Add({FactKind::kWarn, file.scopes.SubjectAt(at), message.Text(), value, "cpp.warn@1", message.Kind()},
                 file.Begin(at), file.End(end));
}

// The condition of an `if (...)` directly in front of the statement or of the block that begins with it.
std::string ConditionBefore(const CppFile& file, size_t at) {
  if (at == 0) return {};
  size_t before = at - 1;
  if (file.tokens.Is(before, "{") && before > 0) --before;
  if (!file.tokens.Is(before, ")") || file.tokens[before].pair < 1) return {};
  const auto open = static_cast<size_t>(file.tokens[before].pair);
  return file.tokens.Is(open - 1, "if") ? file.tokens.Snippet(open + 1, before) : std::string();
}

void AddThrow(const CppFile& file, size_t at) {
  size_t end = at + 1;
  while (end < file.tokens.Size() && !file.tokens.Is(end, ";") && !file.tokens.Is(end, "}")) {
    if (file.tokens[end].pair > static_cast<int32_t>(end)) end = static_cast<size_t>(file.tokens[end].pair);
    ++end;
  }
  if (end == at + 1 || end >= file.tokens.Size()) return;  // `throw;` passes on what another threw
  size_t open = at + 1;
  while (open < end && !file.tokens.Is(open, "(") && !file.tokens.Is(open, "{")) ++open;
  const std::string type = file.tokens.Snippet(at + 1, open);
  const MessageText message = open < end ? file.Message(open + 1, file.Close(open)) : MessageText();
  const std::string condition = ConditionBefore(file, at);
  Json value;
  value.Set("macro", "throw").Set("type", type).SetIfAny("under", condition);
  value.SetIfAny("message", message.HasLiteral() ? message.Text() : "");
  file.SetGuard(&value, at);
  const std::string detail = message.HasLiteral() ? message.Text() : "throw " + type + " if " + condition;
  file.facts.Add({FactKind::kCheck, file.scopes.SubjectAt(at), detail, value, "cpp.check@1", message.Kind()},
                 file.Begin(at), file.End(end - 1));
}

}  // namespace

MessageText CppFile::Message(size_t first, size_t last, int depth) const {
  MessageText message;
  for (size_t i = first; i < last; ++i) {
    if (tokens.IsString(i)) {
      message.Literal(tokens.StringContent(i));
    } else if (tokens.Is(i, ",") || tokens.Is(i, "+") || tokens.Is(i, "<<")) {
      continue;
    } else {
      // A call with literals among its arguments, like c10::str("a", b), is looked into.
      size_t end = i;
      while (end < last && !tokens.Is(end, ",") && !tokens.Is(end, "<<") && !tokens.IsString(end) &&
             !tokens.Is(end, "("))
        ++end;
      if (tokens.Is(end, "(") && end < last && Close(end) < last + 1) {
        const size_t close = Close(end);
        bool literal = false;
        for (size_t j = end; j < close && depth < kMaxMessageDepth; ++j) literal = literal || tokens.IsString(j);
        if (literal) {
          const MessageText inner = Message(end + 1, close, depth + 1);
          message.Literal(inner.Text());
          if (inner.Kind() == Confidence::kPartial) message.Computed();
          i = close;
          continue;
        }
        end = close + 1;
      }
      message.Computed();
      i = std::max(i, end - 1);
    }
  }
  return message;
}

void ExtractCppChecks(const CppFile& file) {
  const CppTokens& tokens = file.tokens;
  const bool checks = file.facts.Wants(FactKind::kCheck), warnings = file.facts.Wants(FactKind::kWarn);
  for (size_t i = 0; i + 1 < tokens.Size(); ++i) {
    if (!tokens.IsName(i)) continue;
    const std::string_view name = tokens.Text(i);
    if (checks && name == "throw") AddThrow(file, i);
    if (!tokens.Is(i + 1, "(") || file.Close(i + 1) == i + 1) continue;
    if (const CheckShape shape = checks ? ShapeOfCheck(name, file.readers) : CheckShape::kNone;
        shape != CheckShape::kNone)
      AddCheck(file, i, shape);
    if (warnings && IsWarning(name, file.readers)) AddWarning(file, i);
    if (warnings && name == "LOG" && tokens.Is(i + 2, "WARNING")) AddLogWarning(file, i);
  }
}

}  // namespace xpu_align::distill
