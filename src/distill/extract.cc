#include "distill/extract.h"

#include <algorithm>

#include "distill/cpp_classes.h"
#include "distill/cpp_file.h"
#include "distill/python_syntax.h"
#include "text/pattern.h"

namespace xpu_align::distill {
namespace {

enum class Language { kCpp, kPython, kOther };

Language LanguageOf(std::string_view path) {
  const size_t dot = path.rfind('.');
  const std::string_view end = dot == std::string_view::npos ? std::string_view() : path.substr(dot);
  if (end == ".py" || end == ".pyi") return Language::kPython;
  for (const std::string_view cpp :
       {".h", ".hpp", ".hh", ".cc", ".cpp", ".cxx", ".c", ".cu", ".cuh", ".inc", ".inl", ".mm"})
    if (end == cpp) return Language::kCpp;
  return Language::kOther;
}

// One fact twice at one place: two rules saw the same text.
void DropDoubles(std::vector<Fact>* facts) {
  std::ranges::stable_sort(*facts, Precedes);
  const auto same = [](const Fact& a, const Fact& b) {
    return a.key == b.key && a.cites == b.cites && a.value == b.value;
  };
  const auto [first, last] = std::ranges::unique(*facts, same);
  facts->erase(first, last);
}

int64_t CountOf(const Pattern& pattern, std::string_view text) {
  return static_cast<int64_t>(pattern.FindAll(text).size());
}

}  // namespace

std::vector<Fact> ExtractFacts(const FileToRead& file, const ScopeReaders& readers,
                               const std::vector<FactKind>& kinds) {
  std::vector<Fact> facts;
  FactMaker maker(file, kinds, &facts);
  const Language language = LanguageOf(file.path);
  if (language == Language::kCpp) {
    const CppTokens tokens(file.source.Text());
    const CppScopes scopes(tokens);
    const CppFile cpp{tokens, scopes, readers, maker};
    ExtractCppRegistrations(cpp);
    ExtractCppEnvironment(cpp);
    ExtractCppChecks(cpp);
    ExtractCppDeclarations(cpp);
    ExtractCppMacros(cpp);
    ExtractCppKeys(cpp);
  } else if (language == Language::kPython) {
    ExtractPythonFacts(readers, &maker);
  }
  DropDoubles(&facts);
  return facts;
}

std::vector<ClassText> ExtractClasses(const SourceText& source, std::string_view path) {
  if (LanguageOf(path) == Language::kPython) return PythonClasses(source);
  if (LanguageOf(path) != Language::kCpp) return {};
  const CppTokens tokens(source.Text());
  return CppClasses(tokens, CppScopes(tokens), source);
}

CrudeCount CountCrudely(const SourceText& source, std::string_view path, std::optional<LineRange> window) {
  // Lines that begin as a comment or a directive are left out; the rest is taken as it comes.
  static const Pattern kCheck = Pattern::Constant(R"((?m)^[^#\n/]*?\b(?:TORCH_CHECK|TORCH_INTERNAL_ASSERT)\w*\s*\()");
  static const Pattern kThrow = Pattern::Constant(R"((?m)^[^#\n/"]*?\bthrow\s+\w)");
  static const Pattern kLibrary =
      Pattern::Constant(R"((?m)^\s*(?:TORCH_LIBRARY\w*|C10_REGISTER_\w+|REGISTER_\w+)\s*\()");
  static const Pattern kGetEnv =
      Pattern::Constant(R"(\b(?:getenv|get_env|has_env|check_env|getCvar(?:Bool|Int|String))\(\s*["{])");
  static const Pattern kRaise = Pattern::Constant(R"((?m)^\s*raise\s+\w[\w.]*\(\s*(?:[rfRF]*["']))");
  static const Pattern kPythonEnv = Pattern::Constant(R"((?:os\.getenv\(|\benviron\.get\(|\benviron\[)\s*["'])");
  const std::string part = source.Lines(window ? *window : LineRange{1, std::max(source.LineCount(), 1)});
  CrudeCount count;
  if (LanguageOf(path) == Language::kPython) {
    count.raise = CountOf(kRaise, part);
    count.env = CountOf(kPythonEnv, part);
  } else if (LanguageOf(path) == Language::kCpp) {
    count.check = CountOf(kCheck, part);
    count.raise = CountOf(kThrow, part);
    count.registration = CountOf(kLibrary, part);
    count.env = CountOf(kGetEnv, part);
  }
  return count;
}

}  // namespace xpu_align::distill
