// Classes of a C++ file with their member functions, as the text shows them. Used by the declarations extractor and the
// reference matrix.
#pragma once
#include <vector>

#include "distill/cpp_scopes.h"
#include "distill/extract.h"

namespace xpu_align::distill {

// A function that is declared or defined by a statement.
struct CppFunction {
  std::string name;
  size_t name_token = 0, open = 0, close = 0;  // of the parameters
  size_t first = 0, last = 0;                  // tokens of the declaration, [first, last)
  bool is_virtual = false, is_override = false, is_pure = false;
};
// Null name when the statement declares no function.
CppFunction FunctionOf(const CppTokens& tokens, const CppStatement& statement);

// What the body at '{' does: throws or checks that nothing holds, nothing, or something.
enum class BodyKind { kNone, kEmpty, kThrows, kOther };
BodyKind BodyOf(const CppTokens& tokens, size_t open);

std::vector<ClassText> CppClasses(const CppTokens& tokens, const CppScopes& scopes, const SourceText& source);

}  // namespace xpu_align::distill
