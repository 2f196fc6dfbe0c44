#include "distill/cpp_classes.h"

#include <algorithm>

namespace xpu_align::distill {
namespace {

bool IsUpperName(std::string_view name) {
  return name.size() > 2 && name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

// Names of `: public A, private B<C>`.
std::vector<std::string> BasesOf(const CppTokens& tokens, const CppScope& scope) {
  std::vector<std::string> bases;
  size_t colon = scope.head;
  while (colon < scope.open && !tokens.Is(colon, ":")) ++colon;
  int angle = 0;
  std::string current;
  for (size_t i = colon + 1; i <= scope.open; ++i) {
    if (i == scope.open || (tokens.Is(i, ",") && angle == 0)) {
      if (!current.empty()) bases.push_back(current);
      current.clear();
    } else if (tokens.Is(i, "<")) {
      ++angle;
    } else if (tokens.Is(i, ">")) {
      --angle;
    } else if (angle == 0 && tokens.IsName(i) && !tokens.Is(i, "public") && !tokens.Is(i, "protected") &&
               !tokens.Is(i, "private") && !tokens.Is(i, "virtual")) {
      current = tokens.Text(i);  // the last part of a qualified name
    }
  }
  return bases;
}

}  // namespace

CppFunction FunctionOf(const CppTokens& tokens, const CppStatement& statement) {
  CppFunction function;
  size_t begin = statement.first;
  while (tokens.Is(begin, "template") && tokens.Is(begin + 1, "<")) {
    int depth = 0;
    size_t i = begin + 1;
    for (; i < statement.last; ++i) {
      if (tokens.Is(i, "<")) ++depth;
      if (tokens.Is(i, ">") && --depth == 0) break;
    }
    begin = std::min(i + 1, statement.last);
  }
  for (size_t i = begin; i < statement.last; ++i) {
    if (tokens.Is(i, "=") && !tokens.Is(i - 1, "operator")) return {};
    if (tokens.Is(i, "using") || tokens.Is(i, "typedef") || tokens.Is(i, "friend") || tokens.Is(i, "static_assert"))
      return {};
    if (tokens.Is(i, "virtual")) function.is_virtual = true;
    if (!tokens.Is(i, "(")) continue;
    const bool attribute = tokens.Is(i - 1, "__attribute__") || tokens.Is(i - 1, "alignas") ||
                           tokens.Is(i - 1, "decltype") ||
                           (i == begin + 1 && IsUpperName(tokens.Text(begin)) &&
                            tokens.IsName(static_cast<size_t>(std::max(tokens[i].pair, 0)) + 1));
    const auto close = static_cast<size_t>(std::max(tokens[i].pair, 0));
    if (close <= i) return {};
    if (attribute) {
      i = close;
      continue;
    }
    if (i == begin || !(tokens.IsName(i - 1) || tokens.Is(begin, "operator"))) {
      bool is_operator = false;
      for (size_t j = begin; j < i; ++j) is_operator = is_operator || tokens.Is(j, "operator");
      if (!is_operator) return {};
    }
    function.open = i, function.close = close, function.first = begin, function.last = statement.last;
    function.name_token = i - 1;
    function.name = tokens.Text(i - 1);
    if (i >= 2 && tokens.Is(i - 2, "~")) function.name = "~" + function.name;
    for (size_t j = begin; j < i; ++j)
      if (tokens.Is(j, "operator")) function.name = tokens.Snippet(j, i);
    for (size_t j = close + 1; j < statement.last; ++j) {
      if (tokens.Is(j, ":")) break;  // initialisers of a constructor
      if (tokens.Is(j, "override") || tokens.Is(j, "final")) function.is_override = true;
      if (tokens.Is(j, "=") && tokens.Is(j + 1, "0")) function.is_pure = true;
    }
    return function;
  }
  return {};
}

BodyKind BodyOf(const CppTokens& tokens, size_t open) {
  if (!tokens.Is(open, "{") || tokens[open].pair < 0) return BodyKind::kNone;
  const auto close = static_cast<size_t>(tokens[open].pair);
  if (close == open + 1) return BodyKind::kEmpty;
  for (size_t i = open + 1; i < close; ++i) {
    // What stands in a block of its own happens under a condition.
    if (tokens.Is(i, "{") && tokens[i].pair > 0) i = static_cast<size_t>(tokens[i].pair);
    if (!tokens.IsName(i)) continue;
    const std::string_view name = tokens.Text(i);
    if (name == "throw" || name == "AT_ERROR" || name == "TORCH_CHECK_NOT_IMPLEMENTED" ||
        name == "FAIL_PRIVATEUSE1HOOKS_FUNC" || (name.starts_with("FAIL_") && IsUpperName(name)))
      return BodyKind::kThrows;
    if (name.starts_with("TORCH_CHECK") || name.starts_with("TORCH_INTERNAL_ASSERT"))
      return tokens.Is(i + 2, "false") || tokens.Is(i + 3, "false") ? BodyKind::kThrows : BodyKind::kOther;
    if (name == "if" || name == "for" || name == "while" || name == "switch") return BodyKind::kOther;
  }
  return BodyKind::kOther;
}

std::vector<ClassText> CppClasses(const CppTokens& tokens, const CppScopes& scopes, const SourceText& source) {
  std::vector<ClassText> classes;
  std::vector<int> class_of_scope(scopes.Scopes().size(), -1);
  for (size_t s = 0; s < scopes.Scopes().size(); ++s) {
    const CppScope& scope = scopes.Scopes()[s];
    if (scope.kind != ScopeKind::kClass || scope.close >= tokens.Size()) continue;
    class_of_scope[s] = static_cast<int>(classes.size());
    classes.push_back(
        {scope.name, source.LinesOf(tokens[scope.head].begin, tokens[scope.close].end), BasesOf(tokens, scope), {}});
  }
  for (const CppStatement& statement : scopes.Statements()) {
    const int index = class_of_scope[static_cast<size_t>(statement.scope)];
    if (index < 0) continue;
    const CppFunction function = FunctionOf(tokens, statement);
    if (function.name.empty() || function.name.starts_with('~') ||
        function.name == classes[static_cast<size_t>(index)].name)
      continue;
    const size_t last =
        statement.body < 0 ? statement.last - 1 : std::min(scopes[statement.body].close, tokens.Size() - 1);
    const BodyKind body = BodyOf(tokens, statement.last);
    using State = ClassMember::State;
    ClassMember member{.name = function.name,
                       .lines = source.LinesOf(tokens[function.first].begin, tokens[last].end),
                       .signature = tokens.Snippet(function.first, std::min(function.close + 1, statement.last)),
                       .state = function.is_pure                                   ? State::kPure
                                : function.is_override                             ? State::kOverride
                                : function.is_virtual && body == BodyKind::kThrows ? State::kThrows
                                : function.is_virtual                              ? State::kDefault
                                                                                   : State::kPlain,
                       .is_virtual = function.is_virtual,
                       .is_empty = body == BodyKind::kEmpty};
    // An override that only throws fills nothing.
    if (function.is_override && body == BodyKind::kThrows) member.state = State::kThrows;
    classes[static_cast<size_t>(index)].members.push_back(std::move(member));
  }
  return classes;
}

}  // namespace xpu_align::distill
