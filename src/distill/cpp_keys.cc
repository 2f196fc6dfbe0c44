#include <set>

#include "distill/cpp_file.h"

namespace xpu_align::distill {
namespace {

constexpr size_t kMaxBody = 300;

// Values of keys, not keys.
bool IsKeyText(std::string_view text) {
  if (text.size() < 3 || text == "True" || text == "False" || text == "true" || text == "false") return false;
  const bool word = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
                    std::string_view::npos;
  return word && (text[0] < '0' || text[0] > '9');
}

bool NamesKey(std::string_view name) {
  return name == "key" || name == "name" || name == "option" || name.ends_with("_key") || name.ends_with("Key") ||
         name.ends_with("_option");
}

bool ListsKeys(std::string_view function) { return function.ends_with("getKeys") || function.ends_with("get_keys"); }

void AddKey(const CppFile& file, size_t string, size_t first, size_t last) {
  const std::string key(file.tokens.StringContent(string));
  if (!IsKeyText(key)) return;
  Json value;
  value.Set("key", key).Set("class", file.scopes.SubjectAt(string));
  file.SetGuard(&value, string);
  file.facts.Add({FactKind::kCfg, key, file.scopes.SubjectAt(string), value, "cpp.key@1"}, file.Begin(first),
                 file.End(last));
}

}  // namespace

void ExtractCppKeys(const CppFile& file) {
  if (!file.facts.Wants(FactKind::kCfg)) return;
  const CppTokens& tokens = file.tokens;
  for (size_t i = 2; i < tokens.Size(); ++i) {
    if (!tokens.IsString(i)) continue;
    if (tokens.Is(i - 1, "==") && (NamesKey(tokens.Text(i - 2)) || tokens.Is(i - 2, "]"))) {
      AddKey(file, i, i - 2, i);
    } else if (const int function = file.scopes.Enclosing(file.scopes.At(i), ScopeKind::kFunction);
               function >= 0 && ListsKeys(file.scopes[function].name)) {
      AddKey(file, i, i, i);
    }
  }
}

void ExtractCppMacros(const CppFile& file) {
  if (!file.facts.Wants(FactKind::kMacro)) return;
  for (const CppDirective& directive : file.tokens.Directives()) {
    if (directive.name != "define") continue;
    const CppTokens rest(directive.rest);
    if (rest.Size() == 0 || !rest.IsName(0)) continue;
    Json value;
    const std::string name(rest.Text(0));
    size_t body = 1;
    if (rest.Is(1, "(") && rest[1].begin == rest[0].end && rest[1].pair > 0) {
      body = static_cast<size_t>(rest[1].pair) + 1;
      value.Set("parameters", rest.Snippet(2, body - 1));
    }
    if (body >= rest.Size()) continue;  // the guard of a header, or a switch
    std::string text = rest.Snippet(body, rest.Size());
    if (text.size() > kMaxBody) {
      size_t end = kMaxBody;
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
      text = text.substr(0, end) + "{}";
    }
    value.Set("name", name).Set("body", text);
    value.SetIfAny("guard", file.tokens.GuardText(directive.guard));
    file.facts.Add({FactKind::kMacro, name, value.StringOr("parameters"), value, "cpp.macro@1"}, directive.begin,
                   directive.end);
  }
}

}  // namespace xpu_align::distill
