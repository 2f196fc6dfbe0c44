#include "filter/diff_effect.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "text/pattern.h"

namespace xpu_align {
namespace {

enum class Language { kPython, kC, kOther };

Language LanguageOf(std::string_view path) {
  const size_t dot = path.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? "" : path.substr(dot);
  if (extension == ".py" || extension == ".pyi") return Language::kPython;
  for (const std::string_view c : {".cpp", ".cc", ".c", ".h", ".hpp", ".cu", ".cuh", ".mm", ".metal", ".inl"})
    if (extension == c) return Language::kC;
  return Language::kOther;
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Where a comment starts outside quotes; npos when there is none. A Python # must be followed by a space or
// another #: #include and #pragma in templates of generated code are not comments.
size_t CommentStart(std::string_view line, Language language) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote) {
      if (c == '\\') ++i;
      else if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (language == Language::kC && line.substr(i).starts_with("//")) {
      return i;
    } else if (language == Language::kPython && c == '#' &&
               (i + 1 == line.size() || line[i + 1] == ' ' || line[i + 1] == '#')) {
      return i;
    }
  }
  return std::string_view::npos;
}

// `name: annotation = default` without the annotation, at the top level of a parameter list.
std::string WithoutAnnotations(std::string_view parameters) {
  std::string out;
  int depth = 0;
  bool in_annotation = false;
  for (const char c : parameters) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && c == ':') in_annotation = true;
    if (depth == 0 && (c == ',' || c == '=')) in_annotation = false;
    if (!in_annotation) out += c;
  }
  return out;
}

// A one-line `def` without annotations; other lines as they are. Quotes in a signature keep it unchanged.
std::string WithoutTypes(std::string_view line) {
  static const Pattern import = Pattern::Constant(
      R"(^(from (typing|typing_extensions|collections\.abc|__future__) import [\w, ]+|import typing)$)");
  static const Pattern signature = Pattern::Constant(R"(^((?:async )?def \w+)\(([^"']*)\)(?: ?-> ?[^:"']+)?:$)");
  if (import.FoundIn(line)) return "";
  const auto match = signature.Find(line);
  if (!match) return std::string(line);
  return std::string(match->groups[1]) + "(" + WithoutAnnotations(match->groups[2]) + "):";
}

// `code` without white space outside quotes, except a space between two words.
std::string Squeezed(std::string_view code) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string out;
  char quote = 0;
  bool space_before = false;
  for (size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (!quote && IsSpace(c)) {
      space_before = true;
      continue;
    }
    if (space_before && !out.empty() && is_word(out.back()) && is_word(c)) out += ' ';
    space_before = false;
    out += c;
    if (quote && c == '\\' && i + 1 < code.size()) out += code[++i];
    else if (quote ? c == quote : c == '"' || c == '\'') quote = quote ? 0 : c;
  }
  return out;
}

// What the interpreter or compiler sees of one line; empty for a blank or comment line.
std::string Meaning(std::string_view line, Language language) {
  line = line.substr(0, CommentStart(line, language));
  while (!line.empty() && IsSpace(line.back())) line.remove_suffix(1);
  size_t indent = 0;
  while (indent < line.size() && IsSpace(line[indent])) ++indent;
  const std::string_view code = line.substr(indent);
  if (code.empty()) return "";
  if (language == Language::kC) return Squeezed(code);
  if (code.starts_with(">>>")) return "";  // an example in a docstring: no Python statement begins so
  const std::string untyped = WithoutTypes(code);
  return untyped.empty() ? "" : std::string(line.substr(0, indent)) + Squeezed(untyped);
}

// Whether what stands between two lines of context means the same. Where lines of C end does not matter, except for
// those of the preprocessor and in raw strings.
bool SameRun(const std::vector<std::string>& removed, const std::vector<std::string>& added, Language language) {
  if (removed == added) return true;
  const auto has_own_lines = [](const std::string& line) {
    return line[0] == '#' || line.ends_with('\\') || line.contains("R\"");
  };
  if (language != Language::kC || std::ranges::any_of(removed, has_own_lines) || std::ranges::any_of(added, has_own_lines))
    return false;
  const auto joined = [](const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += line + " ";
    return Squeezed(all);
  };
  return joined(removed) == joined(added);
}

// Three and more words of prose in quotes, as messages have; code in strings and format fields are none.
std::string WithoutProse(const std::vector<std::string>& code) {
  // Longer ones may name a call without arguments.
  static const Pattern prose = Pattern::Constant(
      R"("[A-Za-z][A-Za-z0-9'`,.:;!?-]*(?:(?: +[A-Za-z0-9'`,.:;!?-]+){2,}|(?: +[A-Za-z0-9'`,.:;!?-]+(?:\(\)[,.:;!?]*)?){5,}) *")");
  static const Pattern literals = Pattern::Constant(R"("~"(?:\s*"~")+)");
  std::string all;
  for (const std::string& line : code) all += line + "\n";
  return literals.ReplaceAll(prose.ReplaceAll(all, "\"~\""), "\"~\"");
}

}  // namespace

DiffEffect EffectOf(const ChangedFile& file) {
  const Language language = LanguageOf(file.path.ForMatching());
  if (file.patch.Empty() || language == Language::kOther) return DiffEffect::kUnknown;
  // Compared run by run: a run is what stands between two lines of context, so moved code is a change.
  std::vector<std::string> removed, added;
  DiffEffect effect = DiffEffect::kNone;
  const auto take_run = [&] {
    if (!SameRun(removed, added, language))
      effect = WithoutProse(removed) == WithoutProse(added) ? std::max(effect, DiffEffect::kWords) : DiffEffect::kSome;
    removed.clear();
    added.clear();
  };
  std::string_view rest = file.patch.ForMatching();
  while (true) {
    const size_t newline = rest.find('\n');
    const std::string_view line = rest.substr(0, newline);
    const char mark = line.empty() ? ' ' : line[0];
    if (mark == '-' || mark == '+') {
      if (std::string meaning = Meaning(line.substr(1), language); !meaning.empty())
        (mark == '-' ? removed : added).push_back(std::move(meaning));
    } else if (mark != '\\') {  // "\ No newline at end of file"
      take_run();
    }
    if (newline == std::string_view::npos || effect == DiffEffect::kSome) break;
    rest.remove_prefix(newline + 1);
  }
  take_run();
  return effect;
}

bool AddsOnly(const ChangedFile& file) {
  if (file.status == "added") return true;
  static const Pattern removed = Pattern::Constant(R"((?m)^-)");
  static const Pattern added = Pattern::Constant(R"((?m)^\+)");
  static const Pattern added_import =
      Pattern::Constant(R"((?m)^\+\s*(?:(?:from|import|#\s*include)\b.*|"\w+",|[\w, ]+,?|\)|#.*)?$)");
  // Schemas of new operators: each run of added lines begins with one.
  static const Pattern added_run = Pattern::Constant(R"((?m)^[ @\\].*\n\+)");
  static const Pattern added_schema = Pattern::Constant(R"((?m)^[ @\\].*\n\+- func:)");
  const std::string_view patch = file.patch.ForMatching();
  if (file.path.ForMatching().ends_with("native_functions.yaml"))
    return added_schema.FoundIn(patch) && !removed.FoundIn(patch) &&
           added_run.FindAll(patch).size() == added_schema.FindAll(patch).size();
  return !patch.empty() && !removed.FoundIn(patch) && added.FindAll(patch).size() == added_import.FindAll(patch).size();
}

}  // namespace xpu_align
