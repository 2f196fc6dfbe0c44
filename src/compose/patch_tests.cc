#include "compose/patch_tests.h"

#include <algorithm>

#include "compose/names.h"
#include "compose/repairs.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxImportLines = 200;  // of one statement; a bracket that never closes is no import

// A line of the file after the change.
struct HunkLine {
  std::string text;
  int patch_line = 0;
  bool added = false;
};
using Hunk = std::vector<HunkLine>;

std::vector<Hunk> HunksOf(std::string_view patch) {
  std::vector<Hunk> hunks;
  int number = 0;
  for (const std::string& line : SplitLines(patch)) {
    ++number;
    if (line.starts_with("@@")) {
      hunks.emplace_back();
    } else if (!hunks.empty() && !line.starts_with('-') && !line.starts_with('\\')) {
      std::string text = line.empty() ? line : line.substr(1);
      if (text.ends_with('\r')) text.pop_back();
      hunks.back().push_back({std::move(text), number, line.starts_with('+')});
    }
  }
  return hunks;
}

size_t IndentOf(const std::string& line) { return line.find_first_not_of(" \t"); }

bool IsBlank(const std::string& line) { return IndentOf(line) == std::string::npos; }

// First line of the decorators above `at`.
size_t DecoratorsBegin(const Hunk& hunk, size_t at, size_t indent) {
  size_t begin = at;
  for (size_t i = at; i-- > 0;) {
    const HunkLine& line = hunk[i];
    if (!line.added || IsBlank(line.text) || IndentOf(line.text) < indent) break;
    const char first = line.text[IndentOf(line.text)];
    if (IndentOf(line.text) == indent && first != '@' && first != ')') break;
    if (IndentOf(line.text) == indent && first == '@') begin = i;
  }
  return begin;
}

// One past the last line of the definition at `at`; 0 when a line of it is not added.
size_t DefinitionEnd(const Hunk& hunk, size_t at, size_t indent) {
  size_t end = at + 1;
  for (size_t i = at + 1; i < hunk.size(); ++i) {
    if (IsBlank(hunk[i].text)) continue;
    const size_t here = IndentOf(hunk[i].text);
    if (here < indent || (here == indent && hunk[i].text[here] != ')')) break;
    end = i + 1;
  }
  for (size_t i = at; i < end; ++i)
    if (!hunk[i].added) return 0;
  return end;
}

void TakeTests(const Hunk& hunk, std::vector<PatchTest>* tests) {
  static const Pattern definition = Pattern::Constant(R"(^( *)def (test_\w+)\()");
  for (size_t at = 0; at < hunk.size(); ++at) {
    const auto match = definition.Find(hunk[at].text);
    if (!match || !hunk[at].added) continue;
    const size_t indent = match->groups[1].size();
    const size_t begin = DecoratorsBegin(hunk, at, indent);
    const size_t end = DefinitionEnd(hunk, at, indent);
    if (end == 0) continue;
    PatchTest test{.name = std::string(match->groups[2]), .style = indent > 0 ? TestStyle::kMethod : TestStyle::kFunction};
    for (size_t i = begin; i < end; ++i)
      test.code += hunk[i].text.substr(std::min(indent, hunk[i].text.size())) + "\n";
    test.first_line = hunk[begin].patch_line;
    test.last_line = hunk[end - 1].patch_line;
    if (PythonTree::Parse(test.code).WellFormed()) tests->push_back(std::move(test));
  }
}

// A module of the test folder is not there where the script runs.
bool IsInstalledModule(std::string_view module) {
  static const Pattern pattern =
      Pattern::Constant(R"(^(torch|numpy|math|os|sys|re|gc|io|copy|random|functools|itertools|collections|contextlib|unittest|warnings|typing|dataclasses|operator|logging|tempfile|weakref|threading|time|types|inspect|enum|textwrap|sympy|triton)(\.|$))");
  return pattern.FoundIn(module);
}

void TakeImports(const Hunk& hunk, std::map<std::string, std::string>* imports) {
  static const Pattern start = Pattern::Constant(R"(^(?:import|from)\s)");
  for (size_t i = 0; i < hunk.size(); ++i) {
    if (!start.FoundIn(hunk[i].text)) continue;
    std::string statement = hunk[i].text;
    for (size_t more = i + 1; statement.contains('(') && !statement.contains(')') && more < std::min(hunk.size(), i + kMaxImportLines); ++more)
      statement += "\n" + hunk[more].text;
    const PythonTree tree = PythonTree::Parse(statement + "\n");
    if (!tree.WellFormed()) continue;
    for (const auto& [local, full] : NamesOf(tree).imports) {
      if (!IsInstalledModule(full)) continue;
      const size_t dot = full.rfind('.');
      const bool from = statement.starts_with("from");
      imports->emplace(local, from ? "from " + full.substr(0, dot) + " import " + full.substr(dot + 1) + " as " + local
                                   : statement);
    }
  }
}

}  // namespace

PatchTests TestsOfPatch(std::string_view patch) {
  PatchTests found;
  for (const Hunk& hunk : HunksOf(patch)) {
    TakeTests(hunk, &found.tests);
    TakeImports(hunk, &found.imports);
  }
  return found;
}

}  // namespace xpu_align
