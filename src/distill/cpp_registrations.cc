#include <algorithm>

#include "distill/cpp_file.h"

namespace xpu_align::distill {
namespace {

bool IsUpperName(std::string_view name) {
  return name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

bool IsRegistrationMacro(std::string_view name, const ScopeReaders& readers) {
  if (std::ranges::find(readers.registration, name) != readers.registration.end()) return true;
  if (name == "DEFINE_DISPATCH" || name == "DECLARE_DISPATCH") return true;
  if (!IsUpperName(name)) return false;
  return name.starts_with("TORCH_LIBRARY") || name.starts_with("STABLE_TORCH_LIBRARY") ||
         name.starts_with("REGISTER_") || name.contains("_REGISTER_") ||
         (name.contains("_DEFINE_") && name.contains("REGISTRY")) ||
         (name.contains("_DECLARE_") && name.contains("REGISTRY"));
}

// registerX( or RegisterX name(
bool IsRegistrationCall(std::string_view name, const ScopeReaders& readers) {
  if (std::ranges::find(readers.registration, name) != readers.registration.end()) return true;
  if (!name.starts_with("register") && !name.starts_with("Register")) return false;
  return name.size() > 8 && (name[8] == '_' || (name[8] >= 'A' && name[8] <= 'Z'));
}

// A name followed by ')' and a body, or declared with a type in front, is no call.
bool IsCall(const CppFile& file, size_t name, size_t close) {
  const CppTokens& tokens = file.tokens;
  if (tokens.Is(close + 1, "{") || tokens.Is(close + 1, "const") || tokens.Is(close + 1, "override")) return false;
  size_t before = name;
  while (before >= 2 && tokens.Is(before - 1, "::") && tokens.IsName(before - 2)) before -= 2;
  if (before > 0 && tokens.Is(before - 1, "::")) --before;
  if (before == 0) return false;
  if (tokens.IsName(before - 1)) return tokens.Is(before - 1, "return");
  return !tokens.Is(before - 1, ">") && !tokens.Is(before - 1, "*") && !tokens.Is(before - 1, "&") &&
         !tokens.Is(before - 1, "~");
}

struct Library {
  std::string name, key;
};

// The TORCH_LIBRARY block around a token, if any.
Library LibraryAt(const CppFile& file, size_t token) {
  const int block = file.scopes.Enclosing(file.scopes.At(token), ScopeKind::kMacroBlock);
  if (block < 0) return {};
  const CppScope& scope = file.scopes[block];
  if (!scope.name.contains("TORCH_LIBRARY") && scope.name != "PYBIND11_MODULE") return {};
  Library library{scope.name, {}};
  for (size_t i = scope.head; i < scope.open; ++i)
    if (file.tokens.Is(i, "(")) {
      const auto arguments = file.tokens.Arguments(i);
      if (!arguments.empty()) library.name = file.tokens.Snippet(arguments[0].first, arguments[0].second);
      if (arguments.size() > 1 && scope.name != "PYBIND11_MODULE")
        library.key = file.tokens.Snippet(arguments[1].first, arguments[1].second);
      break;
    }
  if (scope.name == "PYBIND11_MODULE") library.key = "pybind11";
  return library;
}

void AddMacro(const CppFile& file, size_t at) {
  const CppTokens& tokens = file.tokens;
  const size_t close = file.Close(at + 1);
  const std::string name(tokens.Text(at));
  const auto arguments = tokens.Arguments(at + 1);
  Json value, list = Json::EmptyArray();
  std::string first_two;
  for (size_t i = 0; i < arguments.size() && i < 4; ++i) {
    const std::string text = tokens.Snippet(arguments[i].first, arguments[i].second);
    list.Append(text);
    if (i < 2) first_two += (i == 0 ? "" : ", ") + text;
  }
  value.Set("macro", name).Set("arguments", std::move(list));
  file.SetGuard(&value, at);
  size_t end = close;
  if (tokens.Is(close + 1, ";")) end = close + 1;
  file.facts.Add({FactKind::kReg, name, first_two, value, "cpp.reg@1"}, file.Begin(at), file.End(end));
  if (name.contains("TORCH_LIBRARY_IMPL") && arguments.size() >= 2) {
    const std::string key = tokens.Snippet(arguments[1].first, arguments[1].second);
    Json dispatch;
    dispatch.Set("key", key).Set("namespace", tokens.Snippet(arguments[0].first, arguments[0].second));
    file.SetGuard(&dispatch, at);
    file.facts.Add({FactKind::kDispatch, key, dispatch.StringOr("namespace"), dispatch, "cpp.dispatch@1"},
                   file.Begin(at), file.End(close));
  }
}

// m.impl("op", kernel), m.def("schema"), m.fallback(kernel)
void AddMember(const CppFile& file, size_t at) {
  const CppTokens& tokens = file.tokens;
  const Library library = LibraryAt(file, at);
  if (library.name.empty()) return;
  const size_t open = at + 1, close = file.Close(open);
  const auto arguments = tokens.Arguments(open);
  if (arguments.empty()) return;
  const std::string call(tokens.Text(at));
  std::string name;
  for (size_t i = arguments[0].first; i < arguments[0].second; ++i)
    if (tokens.IsString(i)) name += tokens.StringContent(i);
  if (name.empty()) name = tokens.Snippet(arguments[0].first, arguments[0].second);
  const std::string op = name.substr(0, name.find_first_of("( "));
  Json value;
  value.Set("call", call).Set("name", name).Set("library", library.name);
  value.SetIfAny("dispatch", library.key == "pybind11" ? "" : library.key);
  if (arguments.size() > 1) value.Set("kernel", tokens.Snippet(arguments.back().first, arguments.back().second));
  file.SetGuard(&value, at);
  const size_t begin = file.Begin(at - 2);
  if (library.key == "pybind11") {
    if (call == "def")
      file.facts.Add(
          {FactKind::kApi, library.name + "." + op, "pybind11", value.Set("binding", "pybind11"), "cpp.api@1"}, begin,
          file.End(close));
    return;
  }
  file.facts.Add({FactKind::kReg, library.name + "::" + op, call + "|" + library.key, value, "cpp.reg@1"}, begin,
                 file.End(close));
}

void AddCall(const CppFile& file, size_t at, size_t open) {
  const CppTokens& tokens = file.tokens;
  const size_t close = file.Close(open);
  Json value, list = Json::EmptyArray();
  const auto arguments = tokens.Arguments(open);
  for (size_t i = 0; i < arguments.size() && i < 4; ++i)
    list.Append(tokens.Snippet(arguments[i].first, arguments[i].second));
  const std::string first = arguments.empty() ? "" : tokens.Snippet(arguments[0].first, arguments[0].second);
  value.Set("call", tokens.Text(at)).Set("arguments", std::move(list));
  file.SetGuard(&value, at);
  file.facts.Add({FactKind::kReg, std::string(tokens.Text(at)), first, value, "cpp.reg@1"}, file.Begin(at),
                 file.End(close));
}

}  // namespace

void ExtractCppRegistrations(const CppFile& file) {
  if (!file.facts.Wants(FactKind::kReg) && !file.facts.Wants(FactKind::kDispatch) && !file.facts.Wants(FactKind::kApi))
    return;
  const CppTokens& tokens = file.tokens;
  for (size_t i = 0; i + 1 < tokens.Size(); ++i) {
    if (!tokens.IsName(i)) continue;
    const std::string_view name = tokens.Text(i);
    const bool called = tokens.Is(i + 1, "(") && file.Close(i + 1) > i + 1;
    if (called && IsRegistrationMacro(name, file.readers)) {
      AddMacro(file, i);
    } else if (called && i >= 2 && (name == "impl" || name == "def" || name == "fallback") && tokens.Is(i - 1, ".")) {
      AddMember(file, i);
    } else if (IsRegistrationCall(name, file.readers)) {
      if (called && IsCall(file, i, file.Close(i + 1)))
        AddCall(file, i, i + 1);
      else if (name.front() == 'R' && tokens.IsName(i + 1) && tokens.Is(i + 2, "(") && file.scopes.At(i) >= 0 &&
               !tokens.Is(file.Close(i + 2) + 1, "{"))
        AddCall(file, i, i + 2);
    }
  }
}

}  // namespace xpu_align::distill
