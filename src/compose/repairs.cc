#include "compose/repairs.h"

#include <algorithm>

#include "compose/python_tree.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

using Lines = std::vector<std::string>;

// Each gives the number of the first line that it changed, 0 for none.
using RepairFunction = int (*)(Lines*);

int FirstDifference(const Lines& before, const Lines& after) {
  for (size_t i = 0; i < before.size(); ++i)
    if (i >= after.size() || before[i] != after[i]) return static_cast<int>(i) + 1;
  return 0;
}

void ReplaceEach(std::string* line, std::string_view from, std::string_view to) {
  for (size_t at = line->find(from); at != std::string::npos; at = line->find(from, at + to.size()))
    line->replace(at, from.size(), to);
}

int TypographicQuotes(Lines* lines) {
  const Lines before = *lines;
  for (std::string& line : *lines) {
    for (const char* single : {"\u2018", "\u2019", "\u201a", "\u201b"}) ReplaceEach(&line, single, "'");
    for (const char* twofold : {"\u201c", "\u201d", "\u201e", "\u201f"}) ReplaceEach(&line, twofold, "\"");
    ReplaceEach(&line, "\u00a0", " ");
  }
  return FirstDifference(before, *lines);
}

int TildeLines(Lines* lines) {
  static const Pattern pattern = Pattern::Constant(R"(^\s*~+\s*$)");
  const Lines before = *lines;
  for (std::string& line : *lines)
    if (pattern.FoundIn(line)) line.clear();
  return FirstDifference(before, *lines);
}

// A fence that was "closed" at the end of a line of code goes on to the end of the document.
int FenceAtLineEnd(Lines* lines) {
  static const Pattern pattern = Pattern::Constant("^(.*\\S.*?)[`]{3,}\\s*$");
  for (size_t i = 0; i < lines->size(); ++i) {
    const auto match = pattern.Find((*lines)[i]);
    if (!match) continue;
    const std::string kept(match->groups[1]);
    lines->resize(i);
    lines->push_back(kept);
    return static_cast<int>(i) + 1;
  }
  return 0;
}

int TemplateHeading(Lines* lines) {
  static const Pattern pattern = Pattern::Constant(R"(^\W*#+ *Versions|\+###|^### )");
  for (size_t i = 0; i < lines->size(); ++i) {
    if (!pattern.FoundIn((*lines)[i])) continue;
    lines->resize(i);
    return static_cast<int>(i) + 1;
  }
  return 0;
}

int SlashComments(Lines* lines) {
  static const Pattern pattern = Pattern::Constant(R"(\s*//.*$)");
  const Lines before = *lines;
  for (std::string& line : *lines) line = pattern.ReplaceAll(line, "");
  return FirstDifference(before, *lines);
}

// Input lines keep their place; lines of output become empty.
int SessionPrompts(Lines* lines) {
  static const Pattern pattern = Pattern::Constant(R"(^\s*(?:>>>|\.\.\.|In \[\d+\]:|   \.\.\.:)(?: (.*)|$))");
  const Lines before = *lines;
  if (std::ranges::none_of(before, [](const std::string& line) {
        return line.contains(">>>") || line.contains("In [");
      }))
    return 0;
  for (std::string& line : *lines) {
    const auto match = pattern.Find(line);
    line = match ? std::string(match->groups[1]) : std::string();
  }
  return FirstDifference(before, *lines);
}

int Dedent(Lines* lines) {
  size_t least = std::string::npos;
  for (const std::string& line : *lines)
    if (const size_t indent = line.find_first_not_of(" \t"); indent != std::string::npos && line[indent] != '#')
      least = std::min(least, indent);
  if (least == 0 || least == std::string::npos) return 0;
  for (std::string& line : *lines) {
    const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    line.erase(0, std::min(least, indent));
  }
  return 1;
}

constexpr std::pair<std::string_view, RepairFunction> kRepairs[] = {
    {"typographic-quotes", TypographicQuotes}, {"tilde-line", TildeLines},         {"fence-at-line-end", FenceAtLineEnd},
    {"template-heading", TemplateHeading},     {"slash-comment", SlashComments},   {"session-prompt", SessionPrompts},
    {"dedent", Dedent},
};

std::string Join(const Lines& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

bool Parses(const std::string& code) {
  return code.find_first_not_of(" \t\n") != std::string::npos && PythonTree::Parse(code).WellFormed();
}

}  // namespace

std::vector<std::string> SplitLines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::optional<RepairedCode> ParseableForm(const std::string& code) {
  if (Parses(code)) return RepairedCode{code, {}};
  const Lines original = SplitLines(code);
  for (const auto& [rule, repair] : kRepairs) {
    Lines lines = original;
    const int line = repair(&lines);
    if (line == 0) continue;
    if (std::string text = Join(lines); Parses(text)) return RepairedCode{std::move(text), {{std::string(rule), line}}};
  }
  RepairedCode repaired;
  Lines lines = original;
  for (const auto& [rule, repair] : kRepairs) {
    const int line = repair(&lines);
    if (line == 0) continue;
    repaired.repairs.push_back({std::string(rule), line});
    repaired.code = Join(lines);
    if (Parses(repaired.code)) return repaired;
  }
  return std::nullopt;
}

}  // namespace xpu_align
