#include "filter/path_classes.h"

#include <cctype>
#include <optional>
#include <set>

#include "filter/rule_text.h"

namespace xpu_align {
namespace {

constexpr std::pair<PathClass, std::string_view> kNames[] = {
    {PathClass::kShared, "shared"},
    {PathClass::kTwin, "twin"},
    {PathClass::kExclusive, "exclusive"},
    {PathClass::kInfrastructure, "infrastructure"},
    {PathClass::kTest, "test"},
    {PathClass::kTargetScoped, "target-scoped"},
    {PathClass::kUnknown, "unknown"},
};

// Only path characters are taken over: the result is shown to people and must not carry structure.
void AppendPathText(std::string_view text, std::string* out) {
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '/' || c == '_' || c == '-' || c == '.') *out += c;
}

}  // namespace

std::string_view Name(PathClass path_class) {
  for (const auto& [value, name] : kNames)
    if (value == path_class) return name;
  CHECK(false);
}

std::optional<PathClass> PathClassNamed(std::string_view name) {
  for (const auto& [path_class, class_name] : kNames)
    if (class_name == name) return path_class;
  return std::nullopt;
}

std::string PatternOfGlob(std::string_view glob) {
  std::string out = "^";
  for (size_t i = 0; i < glob.size(); ++i) {
    const char c = glob[i];
    if (glob.substr(i).starts_with("**")) {
      out += "(.*)";
      ++i;
    } else if (c == '*') {
      out += "([^/]*)";
    } else if (c == '?') {
      out += "([^/])";
    } else if (c == '{') {
      out += "(";
    } else if (c == '}') {
      out += ")";
    } else if (c == ',') {
      out += "|";
    } else {
      if (std::string_view(".+()[]^$|\\").contains(c)) out += '\\';
      out += c;
    }
  }
  return out + "$";
}

std::string UsualStem(std::string_view stem) {
  static const Pattern ending = Pattern::Constant(R"(_?(?:kernels?|Kernels?|impl|Op)$)");
  const std::string bare = ending.ReplaceAll(stem, "");
  if (!bare.contains('_') && !bare.empty() && std::isupper(static_cast<unsigned char>(bare[0]))) return bare;
  std::string out;
  bool begins_word = true;
  for (const char c : bare) {
    if (c != '_') out += begins_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins_word = c == '_';
  }
  return out;
}

std::string PathClasses::StemOf(std::string_view path) const {
  const std::string_view bare = path.substr(0, path.rfind('.'));
  for (const auto& [end, stem] : stems_)
    if (bare.ends_with(end) && (bare.size() == end.size() || bare[bare.size() - end.size() - 1] == '/')) return stem;
  return UsualStem(bare.substr(bare.rfind('/') + 1));
}

// $stem: the stem of the counterpart; $1 to $9: what the glob's wildcards matched.
std::string PathClasses::CounterpartOf(const std::string& counterpart, std::string_view path, const PatternMatch& match) const {
  std::string out;
  for (size_t i = 0; i < counterpart.size(); ++i) {
    const size_t group = counterpart[i] == '$' && i + 1 < counterpart.size() ? static_cast<size_t>(counterpart[i + 1] - '0') : 0;
    if (std::string_view(counterpart).substr(i).starts_with("$stem")) {
      AppendPathText(StemOf(path), &out);
      i += 4;
    } else if (group >= 1 && group < match.groups.size()) {
      AppendPathText(match.groups[group], &out);
      ++i;
    } else {
      out += counterpart[i];
    }
  }
  return out;
}

Result<PathClasses> PathClasses::FromJson(const Json& file) {
  TRY_ASSIGN(const RuleText text, RuleText::FromFile(file, "path-rules"));
  PathClasses classes;
  if (const auto* stems = file["stems"].AsObject())
    for (const auto& [end, stem] : *stems) classes.stems_.emplace_back(end, stem.AsString() ? *stem.AsString() : "");
  std::set<std::string> ids;
  for (const Json& json : file.ArrayOf("rules")) {
    TRY_ASSIGN(const std::string id, IdOf(json));
    const auto path_class = PathClassNamed(json.StringOr("class"));
    if (!path_class || *path_class == PathClass::kUnknown)
      return Fail(ErrorKind::kConfig, "path rule " + id + ": unknown class");
    if (!ids.insert(id).second) return Fail(ErrorKind::kConfig, "two path rules are named " + id);
    Rule rule{id, json.StringOr("area"), json.StringOr("counterpart"), *path_class, {}};
    if (rule.area.empty()) return Fail(ErrorKind::kConfig, "path rule " + id + " names no area");
    if ((rule.path_class == PathClass::kTwin) != !rule.counterpart.empty())
      return Fail(ErrorKind::kConfig, "path rule " + id + ": twins, and only twins, have a counterpart");
    for (const std::string& glob : json.StringsOf("globs")) {
      TRY_ASSIGN(Pattern pattern, Pattern::Compile(PatternOfGlob(glob)));
      rule.patterns.push_back(std::move(pattern));
    }
    TRY_ASSIGN(std::optional<Pattern> pattern, text.Optional(json, "pattern"));
    if (pattern) rule.patterns.push_back(std::move(*pattern));
    if (rule.patterns.empty()) return Fail(ErrorKind::kConfig, "path rule " + id + " has no globs and no pattern");
    classes.rules_.push_back(std::move(rule));
  }
  if (classes.rules_.empty()) return Fail(ErrorKind::kConfig, "there are no path rules");
  return classes;
}

ClassifiedPath PathClasses::Classify(const UntrustedText& path) const {
  for (const Rule& rule : rules_)
    for (const Pattern& pattern : rule.patterns)
      if (const auto match = pattern.Find(path.ForMatching()))
        return {rule.path_class, rule.id, rule.area, CounterpartOf(rule.counterpart, path.ForMatching(), *match)};
  return {};
}

}  // namespace xpu_align
