#include "distill/cpp_scopes.h"

#include <algorithm>
#include <set>

namespace xpu_align::distill {
namespace {

bool IsControl(std::string_view name) {
  static const std::set<std::string_view> kWords = {"if", "for",  "while", "switch", "catch",
                                                    "do", "else", "try",   "return", "constexpr"};
  return kWords.contains(name);
}

bool IsMacroName(std::string_view name) {
  return name.size() > 3 && name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

// The qualified name that ends before `end`: A::B::f, ~f, operator==.
std::string NameBefore(const CppTokens& tokens, size_t begin, size_t end) {
  size_t first = end;
  for (size_t i = end; i-- > begin;)
    if (tokens.Is(i, "operator")) return tokens.Snippet(i, end);
  if (first == begin || !tokens.IsName(first - 1)) return {};
  --first;
  while (first > begin) {
    if (tokens.Is(first - 1, "~") || tokens.Is(first - 1, "::")) {
      --first;
    } else if (tokens.Is(first, "::") && tokens.IsName(first - 1)) {
      --first;
    } else {
      break;
    }
  }
  return tokens.Snippet(first, end);
}

}  // namespace

// What the tokens [scope->head, scope->open) announce.
void CppScopes::Classify(CppScope* scope) const {
  const CppScope& parent = scopes_[static_cast<size_t>(scope->parent)];
  const bool in_code = Enclosing(scope->parent, ScopeKind::kFunction) >= 0 || parent.kind == ScopeKind::kBlock ||
                       parent.kind == ScopeKind::kMacroBlock;
  scope->kind = ScopeKind::kBlock;
  size_t begin = scope->head;
  const size_t end = scope->open;
  // template <...> in front decides nothing, and may hold `class`.
  while (tokens_.Is(begin, "template") && tokens_.Is(begin + 1, "<")) {
    int depth = 0;
    size_t i = begin + 1;
    for (; i < end; ++i) {
      if (tokens_.Is(i, "(") && tokens_[i].pair > 0)
        i = static_cast<size_t>(tokens_[i].pair);
      else if (tokens_.Is(i, "<"))
        ++depth;
      else if (tokens_.Is(i, "<<"))
        depth += 2;
      else if (tokens_.Is(i, ">") && --depth == 0)
        break;
    }
    begin = std::min(i + 1, end);
  }
  size_t paren = end, keyword = end, colon = end;
  std::string_view word;
  for (size_t i = begin; i < end; ++i) {
    const std::string_view text = tokens_.Text(i);
    if (text == "=" && !tokens_.Is(i - 1, "operator") && paren == end) return;  // an initialiser
    if (text == ":" && colon == end && i > begin) colon = i;
    if (keyword == end && paren == end &&
        (text == "namespace" || text == "class" || text == "struct" || text == "union" || text == "enum"))
      keyword = i, word = text;
    if (text == "(" || text == "[") {
      if (text == "(" && paren == end &&
          !(keyword < end && i > begin &&
            (tokens_.Is(i - 1, "__attribute__") || tokens_.Is(i - 1, "alignas") || IsMacroName(tokens_.Text(i - 1)))))
        paren = i;
      if (tokens_[i].pair > static_cast<int32_t>(i)) i = std::min(static_cast<size_t>(tokens_[i].pair), end);
    }
  }
  if (word == "namespace") {
    scope->kind = ScopeKind::kNamespace;
    scope->name = tokens_.Snippet(keyword + 1, end);
    return;
  }
  if (keyword < end && paren == end) {
    scope->kind = word == "enum" ? ScopeKind::kEnum : ScopeKind::kClass;
    const size_t stop = colon > keyword ? std::min(colon, end) : end;
    // The last name outside of template arguments and brackets: an export macro may stand before it.
    int angle = 0;
    for (size_t i = keyword + 1; i < stop; ++i) {
      if (tokens_.Is(i, "<"))
        ++angle;
      else if (tokens_.Is(i, ">"))
        --angle;
      else if (tokens_.Is(i, "(") && tokens_[i].pair > 0)
        i = static_cast<size_t>(tokens_[i].pair);
      else if (angle == 0 && tokens_.IsName(i) && !tokens_.Is(i, "final") && !tokens_.Is(i, "class") &&
               !tokens_.Is(i, "struct"))
        scope->name = tokens_.Text(i);
    }
    return;
  }
  if (paren == end) {
    if (begin < end && tokens_.Is(begin, "extern")) scope->kind = ScopeKind::kNamespace;  // extern "C" {
    return;
  }
  if (tokens_[paren].pair > static_cast<int32_t>(end)) return;  // a lambda among the arguments
  const std::string name = NameBefore(tokens_, begin, paren);
  if (name.empty() || IsControl(name)) return;
  if (IsMacroName(name) && paren == begin + 1) {
    scope->kind = ScopeKind::kMacroBlock;
    scope->name = name;
  } else if (!in_code) {
    scope->kind = ScopeKind::kFunction;
    scope->name = name;
  }
}

CppScopes::CppScopes(const CppTokens& tokens) : tokens_(tokens), scope_of_(tokens.Size()) {
  scopes_.push_back({.close = tokens.Size()});
  struct Level {
    int scope;
    size_t begin;  // of the statement that is being read
  };
  std::vector<Level> levels = {{0, 0}};
  const auto holds_statements = [&](int scope) {
    const ScopeKind kind = (*this)[scope].kind;
    return kind == ScopeKind::kFile || kind == ScopeKind::kNamespace || kind == ScopeKind::kClass;
  };
  for (size_t i = 0; i < tokens.Size(); ++i) {
    while (levels.size() > 1 && i > (*this)[levels.back().scope].close) levels.pop_back();
    Level& level = levels.back();
    scope_of_[i] = level.scope;
    const std::string_view text = tokens.Text(i);
    if (tokens[i].kind != TokenKind::kSign) continue;
    if (text == "(" || text == "[") {
      continue;  // braces of lambdas inside are blocks of their own
    } else if (text == ";") {
      if (holds_statements(level.scope) && i > level.begin) statements_.push_back({level.begin, i, level.scope, -1});
      level.begin = i + 1;
    } else if (text == ":" && (*this)[level.scope].kind == ScopeKind::kClass && i == level.begin + 1) {
      level.begin = i + 1;  // public:
    } else if (text == "{" && tokens[i].pair < 0) {
      level.begin = i + 1;  // of one branch of #if; the other branch opens what is closed
    } else if (text == "{") {
      const auto close = static_cast<size_t>(tokens[i].pair);
      // A member initialised with braces in front of the body.
      const bool initialiser = holds_statements(level.scope) && i > level.begin &&
                               (tokens.IsName(i - 1) || tokens.Is(i - 1, ">")) && !tokens.Is(i - 1, "const") &&
                               !tokens.Is(i - 1, "noexcept") && !tokens.Is(i - 1, "override") &&
                               !tokens.Is(i - 1, "final") &&
                               (tokens.Is(close + 1, ",") || (tokens.Is(close + 1, "{") && close + 1 < tokens.Size()));
      CppScope scope{.kind = ScopeKind::kBlock, .head = level.begin, .open = i, .close = close, .parent = level.scope};
      if (!initialiser) Classify(&scope);
      const bool plain = scope.kind == ScopeKind::kBlock;
      scopes_.push_back(std::move(scope));
      const int index = static_cast<int>(scopes_.size()) - 1;
      if (!plain && holds_statements(level.scope)) statements_.push_back({level.begin, i, level.scope, index});
      levels.push_back({index, i + 1});
    } else if (text == "}") {
      // Closes the current scope (it owns this token); the outer statement goes on after an initialiser only.
      if (levels.size() > 1 && (*this)[level.scope].close == i) {
        const CppScope& closed = (*this)[level.scope];
        const bool statement_ends = closed.kind != ScopeKind::kBlock || !holds_statements(closed.parent);
        levels.pop_back();
        if (statement_ends) levels.back().begin = i + 1;
      }
    }
  }
}

int CppScopes::Enclosing(int scope, ScopeKind kind) const {
  while (scope >= 0 && (*this)[scope].kind != kind) scope = (*this)[scope].parent;
  return scope;
}

std::string CppScopes::SubjectAt(size_t token) const {
  std::string name;
  for (int scope = At(token); scope >= 0; scope = (*this)[scope].parent) {
    const CppScope& one = (*this)[scope];
    if (one.kind != ScopeKind::kFunction && one.kind != ScopeKind::kClass && one.kind != ScopeKind::kEnum) continue;
    if (one.name.empty()) continue;
    name = name.empty() ? one.name : one.name + "::" + name;
  }
  return name;
}

size_t CppScopes::StatementBegin(size_t token) const {
  size_t i = token;
  for (; i > 0; --i) {
    const size_t before = i - 1;
    if (tokens_.Is(before, ";") || tokens_.Is(before, "{") ||
        (tokens_.Is(before, "}") && scope_of_[before] != scope_of_[token]))
      break;
    if (tokens_[before].pair >= 0 && tokens_[before].pair < static_cast<int32_t>(before)) {
      if (tokens_.Is(before, "}")) break;
      i = static_cast<size_t>(tokens_[before].pair) + 1;
    }
  }
  return i;
}

}  // namespace xpu_align::distill
