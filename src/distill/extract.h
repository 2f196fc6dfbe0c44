// Extracts the facts of one file: C++ by a tolerant lexer, Python by tree-sitter; other files give none. Never fails
// on what it does not understand, never evaluates, never looks into another file. Called by build, verify and drift.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "distill/fact.h"
#include "distill/scope.h"
#include "distill/source_text.h"

namespace xpu_align::distill {

struct FileToRead {
  const std::string& repo;
  const std::string& path;
  const std::string& blob;
  const SourceText& source;
  std::optional<LineRange> window;
};

// Facts of these kinds, in no order, not numbered.
std::vector<Fact> ExtractFacts(const FileToRead& file, const ScopeReaders& readers, const std::vector<FactKind>& kinds);

// What a crude count of the text expects: the other half of the recall line in coverage.
struct CrudeCount {
  int64_t check = 0, registration = 0, env = 0, raise = 0;
};
CrudeCount CountCrudely(const SourceText& source, std::string_view path, std::optional<LineRange> window);

// A class as the text shows it; the same for both languages.
struct ClassMember {
  std::string name;
  LineRange lines;
  std::string signature;
  enum class State { kPure, kThrows, kDefault, kOverride, kPlain } state = State::kPlain;
  bool is_virtual = false;
  bool is_empty = false;  // the body does nothing
};
struct ClassText {
  std::string name;
  LineRange lines;
  std::vector<std::string> bases;
  std::vector<ClassMember> members;  // functions only
};
std::vector<ClassText> ExtractClasses(const SourceText& source, std::string_view path);

// Changes whenever the extractors may give other facts: part of the key of every cache.
inline constexpr std::string_view kExtractorVersion = "1";

}  // namespace xpu_align::distill
