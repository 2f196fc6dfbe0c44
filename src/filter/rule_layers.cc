#include "filter/rule_layers.h"

#include <algorithm>
#include <array>
#include <set>

#include "filter/deep_filter.h"
#include "filter/rule_text.h"
#include "model/schema.h"

namespace xpu_align {
namespace {

struct Part {
  std::string_view name;
  Json TriageRules::*file;
};
constexpr std::array<Part, 3> kParts = {{{"title", &TriageRules::title}, {"paths", &TriageRules::paths}, {"deep", &TriageRules::deep}}};

Status CheckMembers(const Json& layer) {
  if (auto schema = CheckSchema(layer, "triage-rules"); !schema) return Fail(ErrorKind::kConfig, schema.error().message);
  constexpr std::string_view known[] = {"schema", "off", "title", "paths", "deep", "stems"};
  for (const auto& [key, value] : *layer.AsObject())
    if (std::ranges::find(known, key) == std::end(known))
      return Fail(ErrorKind::kConfig, "unknown member '" + UntrustedText(key).ForLogLine(40) +
                                          "'; known are off, title, paths, deep and stems");
  return {};
}

// Removes the rule; false when no file has it.
bool TakeOut(const std::string& id, TriageRules* rules) {
  for (const Part& part : kParts) {
    Json::Array kept = (rules->*part.file).ArrayOf("rules");
    if (std::erase_if(kept, [&](const Json& rule) { return rule.StringOr("id") == id; }) == 0) continue;
    (rules->*part.file).Set("rules", Json(std::move(kept)));
    return true;
  }
  return false;
}

std::set<std::string> IdsOf(const TriageRules& rules) {
  std::set<std::string> ids;
  for (const Part& part : kParts)
    for (const Json& rule : (rules.*part.file).ArrayOf("rules")) ids.insert(rule.StringOr("id"));
  return ids;
}

}  // namespace

Result<LayerChanges> AddLayer(const Json& layer, TriageRules* rules) {
  TRY(CheckMembers(layer));
  LayerChanges changes;
  const std::vector<std::string> built_in = DeepFilter::BuiltInIds();
  for (const std::string& id : layer.StringsOf("off")) {
    if (std::ranges::find(built_in, id) != built_in.end()) {
      Json off = rules->deep["off"];
      rules->deep.Set("off", off.Append(id));
    } else if (!TakeOut(id, rules)) {
      return Fail(ErrorKind::kConfig, "there is no rule '" + UntrustedText(id).ForLogLine(60) +
                                          "' to switch off; docs/rules.md lists them");
    }
    changes.switched_off.push_back(id);
  }
  std::set<std::string> ids = IdsOf(*rules);
  for (const Part& part : kParts) {
    Json::Array all;
    for (const Json& rule : layer.ArrayOf(part.name)) {
      TRY_ASSIGN(const std::string id, IdOf(rule));
      if (!ids.insert(id).second)
        return Fail(ErrorKind::kConfig, "a rule '" + id + "' is there already; give it another id and switch the other off");
      changes.added.push_back(id);
      all.push_back(rule);
    }
    for (const Json& rule : (rules->*part.file).ArrayOf("rules")) all.push_back(rule);
    (rules->*part.file).Set("rules", Json(std::move(all)));
  }
  if (const auto* stems = layer["stems"].AsObject()) {
    Json all = rules->paths["stems"];
    for (const auto& [stem, counterpart] : *stems) all.Set(stem, counterpart);
    rules->paths.Set("stems", std::move(all));
  }
  return changes;
}

}  // namespace xpu_align
