// What the extractors of C++ share: the tokens and scopes of one file, what the project calls its readers, and where
// facts go. Used by extract.cc and the cpp_* extractors.
#pragma once
#include "distill/cpp_scopes.h"
#include "distill/cpp_tokens.h"
#include "distill/fact_maker.h"

namespace xpu_align::distill {

struct CppFile {
  const CppTokens& tokens;
  const CppScopes& scopes;
  const ScopeReaders& readers;
  FactMaker& facts;

  // Bytes of tokens [first, last].
  size_t Begin(size_t token) const { return tokens[token].begin; }
  size_t End(size_t token) const { return tokens[token].end; }
  // The string literals of tokens [first, last) with {} for what is computed between them.
  MessageText Message(size_t first, size_t last, int depth = 0) const;
  // The index of the bracket that closes `open`; `open` itself when nothing does.
  size_t Close(size_t open) const { return tokens[open].pair > 0 ? static_cast<size_t>(tokens[open].pair) : open; }
  void SetGuard(Json* value, size_t token) const { value->SetIfAny("guard", tokens.GuardText(tokens[token].guard)); }
};

void ExtractCppRegistrations(const CppFile& file);
void ExtractCppEnvironment(const CppFile& file);
void ExtractCppChecks(const CppFile& file);
void ExtractCppDeclarations(const CppFile& file);
void ExtractCppMacros(const CppFile& file);
void ExtractCppKeys(const CppFile& file);

}  // namespace xpu_align::distill
