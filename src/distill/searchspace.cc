#include "distill/searchspace.h"

#include <algorithm>
#include <set>

#include "distill/markdown_text.h"
#include "text/pattern.h"

namespace xpu_align::distill {
namespace {

bool IsTunable(const Fact& fact) { return fact.kind == FactKind::kEnv || fact.kind == FactKind::kCfg; }

// `name` as a whole word.
bool Mentions(std::string_view text, std::string_view name) {
  const auto word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !word(text[at - 1]);
    const bool ends = at + name.size() >= text.size() || !word(text[at + name.size()]);
    if (begins && ends) return true;
  }
  return false;
}

std::string TypeOf(const std::string& name, const std::string& reader, const std::set<std::string>& defaults) {
  if (reader == "getCvarBool" || reader == "check_env") return "bool";
  if (reader == "getCvarInt") return "int";
  if (reader == "getCvarString") return "string";
  static const Pattern kInteger = Pattern::Constant(R"(^["']?-?(0x)?[0-9a-fA-F]+["']?$)");
  static const Pattern kNumber = Pattern::Constant(R"(^["']?-?[0-9]+\.[0-9]*["']?$)");
  static const Pattern kPath = Pattern::Constant(R"((?i)_(path|dir|home|file)$)");
  for (const std::string& text : defaults) {
    if (text == "true" || text == "false" || text == "True" || text == "False") return "bool";
    if (kInteger.FoundIn(text)) return "int";
    if (kNumber.FoundIn(text)) return "float";
    if (kPath.FoundIn(name)) return "path";
    if (text.starts_with('"') || text.starts_with('\'')) return "string";
  }
  return kPath.FoundIn(name) ? "path" : "unknown";
}

// "[0, 1, 2]", "{a, b}" or "one of a, b" in the message of a check.
std::vector<std::string> AllowedIn(const std::string& message) {
  static const Pattern kList = Pattern::Constant(R"([\[{(]\s*([\w.'"-]+(?:\s*[,|/]\s*[\w.'"-]+)+)\s*[\]})])");
  static const Pattern kItem = Pattern::Constant(R"([\w.'"-]+)");
  std::vector<std::string> values;
  if (const auto list = kList.Find(message))
    for (const PatternMatch& item : kItem.FindAll(list->groups[1])) values.emplace_back(item.groups[0]);
  return values;
}

struct Row {
  std::string area, name;
  FactKind kind = FactKind::kEnv;
  std::vector<const Fact*> facts;
};

Json RowJson(const Row& row, const AreaFacts& area, const std::vector<std::string>& tunables) {
  Json defaults = Json::EmptyArray(), cites = Json::EmptyArray(), refused = Json::EmptyArray(),
       allowed = Json::EmptyArray();
  std::vector<std::string> ids, set_by, checks;
  std::set<std::string> values, names;
  bool once = false, again = false;
  std::string reader;
  for (const Fact* fact : row.facts) {
    ids.push_back(fact->id);
    cites.Append(ToJson(fact->Cite()));
    (fact->value.BoolOr("read_once", false) ? once : again) = true;
    if (reader.empty()) reader = fact->value.StringOr("reader");
    for (const std::string& name : fact->value.StringsOf("names")) names.insert(name);
    if (fact->value["default"].IsString() && values.insert(fact->value.StringOr("default")).second) {
      Json one;
      defaults.Append(one.Set("value", fact->value.StringOr("default")).Set("fact", fact->id));
    }
  }
  if (row.kind == FactKind::kCfg) names.insert(row.facts.front()->value.StringOr("key"));
  for (const Fact& fact : area.facts) {
    if (fact.kind == FactKind::kEnvSet)
      for (const std::string& name : fact.value.StringsOf("names"))
        if (names.contains(name)) set_by.push_back(fact.id);
    if (fact.kind != FactKind::kCheck && fact.kind != FactKind::kWarn) continue;
    const std::string text = fact.value.StringOr("message") + " " + fact.value.StringOr("condition");
    if (std::ranges::none_of(names, [&](const std::string& name) { return Mentions(text, name); })) continue;
    checks.push_back(fact.id);
    for (const std::string& value : AllowedIn(fact.value.StringOr("message"))) allowed.Append(value);
    for (const std::string& other : tunables)
      if (!names.contains(other) && Mentions(text, other)) {
        Json one;
        refused.Append(one.Set("with", other).Set("fact", fact.id));
      }
  }
  Json json;
  json.Set("id", row.area + "/" + row.name).Set("area", row.area).Set("kind", KindName(row.kind)).Set("name", row.name);
  json.Set("precedence", row.kind == FactKind::kEnv ? row.facts.front()->value["names"] : Json(Json::Array{row.name}));
  json.Set("type", TypeOf(row.name, reader, values))
      .Set("defaults", std::move(defaults))
      .Set("allowed", std::move(allowed));
  json.Set("default_conflict", values.size() > 1)
      .Set("checks", Json(checks))
      .Set("set_by", Json(set_by))
      .Set("conflicts", std::move(refused));
  json.Set("mutability", row.kind == FactKind::kCfg ? "not stated"
                         : once && again            ? "differs by place"
                         : once                     ? "read once"
                                                    : "read at each call");
  return json.Set("facts", Json(ids)).Set("cite", std::move(cites)).Set("measured", "not_run");
}

}  // namespace

Json SearchspaceJson(const std::vector<AreaFacts>& areas) {
  Json rows = Json::EmptyArray();
  for (const AreaFacts& area : areas) {
    std::map<std::pair<FactKind, std::string>, Row> by_name;
    std::vector<std::string> tunables;
    for (const Fact& fact : area.facts) {
      if (!IsTunable(fact)) continue;
      Row& row = by_name[{fact.kind, fact.subject}];
      row.area = area.area, row.name = fact.subject, row.kind = fact.kind;
      row.facts.push_back(&fact);
      if (fact.kind == FactKind::kEnv)
        for (const std::string& name : fact.value.StringsOf("names")) tunables.push_back(name);
    }
    std::ranges::sort(tunables);
    tunables.erase(std::ranges::unique(tunables).begin(), tunables.end());
    for (const auto& [name, row] : by_name) rows.Append(RowJson(row, area, tunables));
  }
  Json json;
  return json.Set("schema", "distill/searchspace-matrix@1").Set("measured", "not_run").Set("rows", std::move(rows));
}

std::string SearchspaceMarkdown(const Json& matrix) {
  std::string page =
      "# Searchspace matrix\n\nTunables that the code names. Nothing was measured: `measured` is not_run "
      "everywhere.\n\n"
      "| area | name | type | default | allowed | read | refused together with | facts |\n| --- | --- | --- | --- | "
      "--- | --- | --- | --- |\n";
  for (const Json& row : matrix.ArrayOf("rows")) {
    std::string defaults, allowed, conflicts, facts;
    for (const Json& one : row.ArrayOf("defaults"))
      defaults += (defaults.empty() ? "" : " or ") + CodeCell(one.StringOr("value"), 60);
    for (const std::string& one : row.StringsOf("allowed"))
      allowed += (allowed.empty() ? "" : ", ") + CodeCell(one, 40);
    for (const Json& one : row.ArrayOf("conflicts"))
      conflicts += (conflicts.empty() ? "" : ", ") + CodeCell(one.StringOr("with"), 60);
    const auto ids = row.StringsOf("facts");
    for (size_t i = 0; i < ids.size() && i < 3; ++i) facts += (i == 0 ? "`" : ", `") + ids[i] + "`";
    if (ids.size() > 3) facts += " and " + std::to_string(ids.size() - 3) + " more";
    page += "| " + row.StringOr("area") + " | " + CodeCell(row.StringOr("name"), 120) + " | " + row.StringOr("type") +
            " | " + (defaults.empty() ? "not stated" : defaults) + " | " + (allowed.empty() ? "not stated" : allowed) +
            " | " + row.StringOr("mutability") + " | " + (conflicts.empty() ? "none found" : conflicts) + " | " +
            facts + " |\n";
  }
  return page;
}

}  // namespace xpu_align::distill
