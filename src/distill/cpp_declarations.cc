#include <algorithm>

#include "distill/cpp_classes.h"
#include "distill/cpp_file.h"

namespace xpu_align::distill {
namespace {

bool IsStateName(std::string_view name) {
  for (const std::string_view end : {"State", "Status", "Stage", "Phase"})
    if (name.ends_with(end)) return true;
  return false;
}

void AddEnum(const CppFile& file, const CppScope& scope) {
  const CppTokens& tokens = file.tokens;
  Json members = Json::EmptyArray();
  size_t begin = scope.open + 1;
  for (size_t i = begin; i <= scope.close && i < tokens.Size(); ++i) {
    if (i == scope.close || tokens.Is(i, ",")) {
      if (i > begin) members.Append(tokens.Snippet(begin, i));
      begin = i + 1;
    } else if (tokens[i].pair > static_cast<int32_t>(i)) {
      i = static_cast<size_t>(tokens[i].pair);
    }
  }
  if (members.AsArray()->empty() || scope.close >= tokens.Size()) return;
  const std::string name = scope.name.empty() ? "(unnamed)" : scope.name;
  Json value;
  value.SetIfAny("name", scope.name).Set("members", std::move(members));
  file.SetGuard(&value, scope.open);
  std::string subject = file.scopes.SubjectAt(scope.open);
  if (!scope.name.empty()) subject = subject.empty() ? name : subject.ends_with(name) ? subject : subject + "::" + name;
  const FactKind kind = IsStateName(scope.name) ? FactKind::kState : FactKind::kEnum;
  file.facts.Add({kind, subject, "", value, "cpp.enum@1"}, file.Begin(scope.head), file.End(scope.close));
}

// `constexpr T k = v`, `static const T k = v`, `T member_ = v`, `T member_{v}`
void AddVariable(const CppFile& file, const CppStatement& statement) {
  const CppTokens& tokens = file.tokens;
  bool constant = false;
  size_t equals = statement.last;
  for (size_t i = statement.first; i < statement.last; ++i) {
    const std::string_view text = tokens.Text(i);
    if (text == "using" || text == "typedef" || text == "friend" || text == "return" || text == "namespace" ||
        text == "template" || text == "operator")
      return;
    if (text == "constexpr" || text == "const") constant = true;
    if (text == "(") return;  // a function, or an initialiser that is computed
    if (text == "=" || text == "{") {
      equals = i;
      break;
    }
    if (tokens[i].pair > static_cast<int32_t>(i)) i = static_cast<size_t>(tokens[i].pair);
  }
  if (equals >= statement.last || equals < statement.first + 2) return;
  size_t name = equals - 1;
  if (tokens.Is(name, "]") && tokens[name].pair > 0) name = static_cast<size_t>(tokens[name].pair) - 1;
  if (!tokens.IsName(name) || name <= statement.first) return;
  const bool braces = tokens.Is(equals, "{");
  const std::string text =
      braces ? tokens.Snippet(equals + 1, file.Close(equals)) : tokens.Snippet(equals + 1, statement.last);
  if (text.empty() && !braces) return;
  const bool in_class = file.scopes[statement.scope].kind == ScopeKind::kClass;
  if (!constant && !in_class) return;
  const std::string owner = file.scopes.SubjectAt(statement.first);
  const std::string subject = (owner.empty() ? "" : owner + "::") + std::string(tokens.Text(name));
  Json value;
  value.Set("name", tokens.Text(name)).Set("type", tokens.Snippet(statement.first, name)).Set("default", text);
  file.SetGuard(&value, name);
  const bool is_static = tokens.Is(statement.first, "static") || tokens.Is(statement.first, "constexpr") ||
                         tokens.Is(statement.first, "inline");
  const FactKind kind = constant && (is_static || !in_class) ? FactKind::kConst : FactKind::kField;
  file.facts.Add({kind, subject, "", value, kind == FactKind::kConst ? "cpp.const@1" : "cpp.field@1"},
                 file.Begin(statement.first), file.End(statement.last - 1));
}

bool IsExport(std::string_view name) {
  return (name.ends_with("_API") || name.ends_with("_EXPORT") || name == "TORCH_EXPORT") &&
         name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

void AddFunction(const CppFile& file, const CppStatement& statement) {
  const CppTokens& tokens = file.tokens;
  const CppFunction function = FunctionOf(tokens, statement);
  if (function.name.empty() || function.name.starts_with('~')) return;
  const CppScope& scope = file.scopes[statement.scope];
  const bool in_class = scope.kind == ScopeKind::kClass;
  if (in_class && function.name == scope.name) return;
  const std::string owner = file.scopes.SubjectAt(statement.first);
  const std::string subject = (owner.empty() ? "" : owner + "::") + function.name;
  Json value;
  value.Set("name", function.name)
      .Set("signature", tokens.Snippet(function.first, std::min(function.close + 1, statement.last)));
  if (in_class) value.Set("class", owner);
  file.SetGuard(&value, function.name_token);
  const BodyKind body = BodyOf(tokens, statement.last);
  // A short body is part of the statement: what the default does is what matters.
  size_t last = statement.last - 1;
  if (statement.body >= 0 && (body == BodyKind::kThrows || body == BodyKind::kEmpty))
    last = std::min(file.scopes[statement.body].close, tokens.Size() - 1);
  const auto add = [&](FactKind kind, const char* state, std::string_view rule) {
    value.Set("state", state);
    std::string parameters = tokens.Snippet(function.open + 1, function.close);
    file.facts.Add({kind, subject, std::move(parameters), value, rule}, file.Begin(function.first), file.End(last));
  };
  if (in_class && function.is_override) {
    add(FactKind::kOverride,
        body == BodyKind::kThrows  ? "throws"
        : body == BodyKind::kEmpty ? "empty"
                                   : "override",
        "cpp.override@1");
  } else if (in_class && (function.is_virtual || function.is_pure)) {
    add(FactKind::kVirtual,
        function.is_pure            ? "pure"
        : body == BodyKind::kThrows ? "throws"
                                    : "default",
        "cpp.virtual@1");
  } else {
    for (size_t i = function.first; i < function.open; ++i)
      if (IsExport(tokens.Text(i))) return add(FactKind::kApi, in_class ? "member" : "function", "cpp.api@1");
  }
}

}  // namespace

void ExtractCppDeclarations(const CppFile& file) {
  for (const CppScope& scope : file.scopes.Scopes())
    if (scope.kind == ScopeKind::kEnum) AddEnum(file, scope);
  for (const CppStatement& statement : file.scopes.Statements()) {
    if (statement.body < 0) AddVariable(file, statement);
    if (statement.body < 0 || file.scopes[statement.body].kind == ScopeKind::kFunction) AddFunction(file, statement);
  }
}

}  // namespace xpu_align::distill
