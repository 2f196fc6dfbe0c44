// CppScopes: which braces of a file are namespaces, classes, enumerations, functions or blocks after a macro call, told
// from the tokens in front of each. Statements in namespaces and classes come with it. A guess where macros hide the
// grammar; never fails. Used by the C++ extractors.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "distill/cpp_tokens.h"

namespace xpu_align::distill {

enum class ScopeKind { kFile, kNamespace, kClass, kEnum, kFunction, kMacroBlock, kBlock };

struct CppScope {
  ScopeKind kind = ScopeKind::kFile;
  std::string name;                      // of a function as written: NPUGraph::capture_begin
  size_t head = 0, open = 0, close = 0;  // tokens: first of the statement, '{', '}'
  int parent = -1;
};

// A statement directly in a namespace or class: [first, last), the ';' or the body not included.
struct CppStatement {
  size_t first = 0, last = 0;
  int scope = 0;  // that it stands in
  int body = -1;  // the scope that it opens
};

class CppScopes {
 public:
  explicit CppScopes(const CppTokens& tokens);

  const std::vector<CppScope>& Scopes() const { return scopes_; }
  const std::vector<CppStatement>& Statements() const { return statements_; }
  int At(size_t token) const { return scope_of_[token]; }
  const CppScope& operator[](int scope) const { return scopes_[static_cast<size_t>(scope)]; }
  // The nearest scope of that kind around or equal to `scope`; -1.
  int Enclosing(int scope, ScopeKind kind) const;
  // Class::function around a token; the class alone, or the namespace-free "" where there is none.
  std::string SubjectAt(size_t token) const;
  // First token of the statement that a token is part of.
  size_t StatementBegin(size_t token) const;

 private:
  void Classify(CppScope* scope) const;

  const CppTokens& tokens_;
  std::vector<CppScope> scopes_;
  std::vector<int> scope_of_;
  std::vector<CppStatement> statements_;
};

}  // namespace xpu_align::distill
