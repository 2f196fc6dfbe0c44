#include <algorithm>
#include <set>

#include "distill/cpp_file.h"

namespace xpu_align::distill {
namespace {

constexpr int kDerivedLines = 4;  // a default further away belongs to something else

bool IsReader(std::string_view name, const ScopeReaders& readers) {
  static const std::set<std::string_view> kKnown = {"getenv",     "secure_getenv", "get_env",
                                                    "has_env",    "check_env",     "getCvarBool",
                                                    "getCvarInt", "getCvarString", "get_env_or_default"};
  return kKnown.contains(name) || std::ranges::find(readers.env, name) != readers.env.end();
}

bool IsWriter(std::string_view name) {
  return name == "setenv" || name == "putenv" || name == "set_env" || name == "unsetenv";
}

bool IsVariableName(std::string_view name) {
  return name.size() > 2 && name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos &&
         name.contains('_');
}

// Literals of the first argument, or the constant that holds them.
std::vector<std::string> Names(const CppFile& file, std::pair<size_t, size_t> argument) {
  std::vector<std::string> names;
  for (size_t i = argument.first; i < argument.second; ++i)
    if (file.tokens.IsString(i)) names.emplace_back(file.tokens.StringContent(i));
  if (names.empty() && argument.second == argument.first + 1 && IsVariableName(file.tokens.Text(argument.first)))
    names.emplace_back(file.tokens.Text(argument.first));
  std::erase(names, "");
  return names;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

struct Elsewhere {
  std::string text;
  size_t first = 0, last = 0;  // tokens of the citation
};

// `v = getenv(..)` and, at most four lines on, `v ? f(v) : DEFAULT` or `v == nullptr ? DEFAULT : f(v)`.
Elsewhere DefaultBehind(const CppFile& file, size_t at, size_t close) {
  const CppTokens& tokens = file.tokens;
  const size_t begin = file.scopes.StatementBegin(at);
  std::string_view variable;
  for (size_t i = begin; i < at; ++i)
    if (tokens.Is(i, "=") && i > begin && tokens.IsName(i - 1)) variable = tokens.Text(i - 1);
  if (variable.empty()) return {};
  const int line = file.facts.Source().LineOf(file.Begin(close));
  const int function = file.scopes.Enclosing(file.scopes.At(at), ScopeKind::kFunction);
  for (size_t i = close + 1; i < tokens.Size(); ++i) {
    if (file.facts.Source().LineOf(file.Begin(i)) > line + kDerivedLines) break;
    if (file.scopes.Enclosing(file.scopes.At(i), ScopeKind::kFunction) != function) break;
    if (!tokens.Is(i, "?")) continue;
    size_t start = i;
    bool about = false, is_null_test = false;
    while (start > close && !tokens.Is(start - 1, ";") && !tokens.Is(start - 1, "=") &&
           !tokens.Is(start - 1, "return") && !tokens.Is(start - 1, "{")) {
      --start;
      about = about || tokens.Text(start) == variable;
      is_null_test = is_null_test || tokens.Is(start, "==") || tokens.Is(start, "!");
    }
    if (!about) continue;
    size_t colon = i, end = i;
    while (end < tokens.Size() && !tokens.Is(end, ";") &&
           !(tokens.Is(end, ")") && tokens[end].pair < static_cast<int32_t>(i))) {
      if (tokens.Is(end, ":") && colon == i) colon = end;
      if (tokens[end].pair > static_cast<int32_t>(end)) end = static_cast<size_t>(tokens[end].pair);
      ++end;
    }
    if (colon == i) return {};
    Elsewhere out{is_null_test ? tokens.Snippet(i + 1, colon) : tokens.Snippet(colon + 1, end), start, end - 1};
    return out;
  }
  return {};
}

void AddRead(const CppFile& file, size_t at) {
  const CppTokens& tokens = file.tokens;
  const size_t open = at + 1, close = file.Close(open);
  const auto arguments = tokens.Arguments(open);
  if (arguments.empty()) return;
  const std::vector<std::string> names = Names(file, arguments[0]);
  if (names.empty()) return;
  Json value;
  value.Set("names", Json(names)).Set("reader", tokens.Text(at));
  if (tokens.Is(file.scopes.StatementBegin(at), "static")) value.Set("read_once", true);
  file.SetGuard(&value, at);
  size_t end = close;
  Elsewhere behind;
  const bool tells_default = tokens.Text(at).starts_with("getCvar") ||
                             std::ranges::find(file.readers.env, tokens.Text(at)) != file.readers.env.end() ||
                             tokens.Is(at, "get_env_or_default");
  if (tells_default && arguments.size() > 1) {
    value.Set("default", tokens.Snippet(arguments[1].first, arguments[1].second));
  } else if (tokens.Is(close + 1, ".") && tokens.Is(close + 2, "value_or") && tokens.Is(close + 3, "(")) {
    end = file.Close(close + 3);
    value.Set("default", tokens.Snippet(close + 4, end));
  } else {
    behind = DefaultBehind(file, at, close);
    value.Set("default", behind.text.empty() ? Json() : Json(behind.text));
  }
  Seen seen{FactKind::kEnv, Joined(names), std::string(tokens.Text(at)), value, "cpp.env@1"};
  if (behind.last > 0)
    file.facts.Add(std::move(seen), file.Begin(at), file.End(end), file.Begin(behind.first), file.End(behind.last));
  else
    file.facts.Add(std::move(seen), file.Begin(at), file.End(end));
}

void AddWrite(const CppFile& file, size_t at) {
  const size_t close = file.Close(at + 1);
  const auto arguments = file.tokens.Arguments(at + 1);
  if (arguments.empty()) return;
  const std::vector<std::string> names = Names(file, arguments[0]);
  if (names.empty()) return;
  Json value;
  value.Set("names", Json(names)).Set("call", file.tokens.Text(at));
  if (arguments.size() > 1) value.Set("value", file.tokens.Snippet(arguments[1].first, arguments[1].second));
  file.SetGuard(&value, at);
  file.facts.Add({FactKind::kEnvSet, Joined(names), std::string(file.tokens.Text(at)), value, "cpp.env-set@1"},
                 file.Begin(at), file.End(close));
}

// vector<string> NAME = {"NAME", "OLD_NAME"}: names that mean the same.
void AddAliases(const CppFile& file, const CppStatement& statement) {
  const CppTokens& tokens = file.tokens;
  size_t equals = statement.first;
  while (equals < statement.last && !tokens.Is(equals, "=")) ++equals;
  if (equals == statement.first || equals + 1 >= statement.last || !tokens.Is(equals + 1, "{") ||
      !tokens.IsName(equals - 1))
    return;
  const std::string_view constant = tokens.Text(equals - 1);
  std::vector<std::string> names;
  for (size_t i = equals + 2; i + 1 < statement.last; ++i) {
    if (tokens.Is(i, ",")) continue;
    if (!tokens.IsString(i) || !IsVariableName(tokens.StringContent(i))) return;
    names.emplace_back(tokens.StringContent(i));
  }
  if (names.empty() || std::ranges::find(names, constant) == names.end()) return;
  Json value;
  value.Set("names", Json(names)).Set("reader", "declared").Set("default", Json());
  file.SetGuard(&value, statement.first);
  file.facts.Add({FactKind::kEnv, Joined(names), "declared", value, "cpp.env@1"}, file.Begin(statement.first),
                 file.End(statement.last - 1));
}

}  // namespace

void ExtractCppEnvironment(const CppFile& file) {
  const CppTokens& tokens = file.tokens;
  if (!file.facts.Wants(FactKind::kEnv) && !file.facts.Wants(FactKind::kEnvSet)) return;
  for (size_t i = 0; i + 1 < tokens.Size(); ++i) {
    if (!tokens.IsName(i) || !tokens.Is(i + 1, "(") || file.Close(i + 1) == i + 1) continue;
    if (IsReader(tokens.Text(i), file.readers)) AddRead(file, i);
    if (IsWriter(tokens.Text(i))) AddWrite(file, i);
  }
  for (const CppStatement& statement : file.scopes.Statements())
    if (statement.body < 0) AddAliases(file, statement);
}

}  // namespace xpu_align::distill
