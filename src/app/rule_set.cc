#include "app/rule_set.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "digest/sha256.h"
#include "filter/rule_examples.h"
#include "rules/embedded.h"

namespace xpu_align {
namespace {

constexpr std::string_view kTargets = "rules/targets/";

Result<Json> EmbeddedJson(const std::string& path) {
  auto json = ParseJson(rules::Embedded(path));
  if (!json) return Fail(ErrorKind::kConfig, path + ": " + json.error().message);
  return *json;
}

std::string DigestOfAll() {
  std::string all;
  for (const rules::EmbeddedFile& file : rules::EmbeddedFiles())
    if (!file.path.starts_with("rules/distill/"))  // decides nothing in a scan
      all += std::string(file.path) + " " + Sha256Hex(file.content) + "\n";
  return Sha256Hex(all);
}

std::string Listed(const std::vector<std::string>& ids) {
  std::string out;
  for (const std::string& id : ids) out += (out.empty() ? "" : ", ") + id;
  return out;
}

Result<std::string> BytesOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in) return Fail(ErrorKind::kConfig, "can not read --rules " + path);
  return std::move(bytes).str();
}

Result<OwnRules> AddOwnRules(const std::string& path, TriageRules* rules) {
  TRY_ASSIGN(const std::string bytes, BytesOf(path));
  const auto layer = ParseJson(bytes);
  if (!layer) return Fail(ErrorKind::kConfig, "--rules " + path + ": " + layer.error().message);
  auto changes = AddLayer(*layer, rules);
  if (!changes) return Fail(ErrorKind::kConfig, "--rules " + path + ": " + changes.error().message);
  if (const Status examples = CheckExamples(*rules, changes->added); !examples)
    return Fail(ErrorKind::kConfig, "--rules " + path + ": " + examples.error().message);
  return OwnRules{std::filesystem::path(path).filename().string(), Sha256Hex(bytes), std::move(*changes)};
}

}  // namespace

std::string OwnRules::Summary() const {
  std::string out = "own rules " + name + ":";
  if (!changes.added.empty()) out += " added " + Listed(changes.added) + ";";
  if (!changes.switched_off.empty()) out += " switched off " + Listed(changes.switched_off) + ";";
  if (out.back() == ':') return out + " they change nothing";
  out.pop_back();
  return out;
}

Json OwnRules::ForManifest() const {
  return Json().Set("file", name).Set("sha256", sha256).SetIfAny("added", changes.added).SetIfAny("off", changes.switched_off);
}

Result<TriageRules> ShippedTriageRules(const std::string& target) {
  TriageRules rules;
  TRY_ASSIGN(rules.title, EmbeddedJson("rules/title.json"));
  TRY_ASSIGN(rules.paths, EmbeddedJson("rules/paths.json"));
  TRY_ASSIGN(rules.deep, EmbeddedJson("rules/deep.json"));
  TRY_ASSIGN(const Json profile, EmbeddedJson(std::string(kTargets) + target + ".json"));
  // A target that stands in for another one shares its layer; one without a layer has the common rules.
  const std::string layer = "rules/triage/" + profile.StringOr("triage", target) + ".json";
  if (rules::Embedded(layer).empty()) return rules;
  TRY_ASSIGN(const Json added, EmbeddedJson(layer));
  TRY(AddLayer(added, &rules));
  return rules;
}

std::vector<std::string> TargetNames() {
  std::vector<std::string> names;
  for (const rules::EmbeddedFile& file : rules::EmbeddedFiles())
    if (file.path.starts_with(kTargets))
      names.emplace_back(file.path.substr(kTargets.size(), file.path.size() - kTargets.size() - 5));
  return names;
}

Result<RuleSet> LoadRules(const std::string& target, const std::string& own_rules) {
  if (rules::Embedded(std::string(kTargets) + target + ".json").empty()) {
    std::string names;
    for (const std::string& name : TargetNames()) names += (names.empty() ? "" : ", ") + name;
    return Fail(ErrorKind::kConfig, "there is no target '" + target + "'; --target takes one of " + names);
  }
  TRY_ASSIGN(TriageRules triage, ShippedTriageRules(target));
  std::optional<OwnRules> own;
  if (!own_rules.empty()) {
    TRY_ASSIGN(own, AddOwnRules(own_rules, &triage));
  }
  TRY_ASSIGN(Json precheck, EmbeddedJson("rules/precheck.json"));
  TRY_ASSIGN(Json judge, EmbeddedJson("rules/judge.json"));
  TRY_ASSIGN(const Json target_json, EmbeddedJson(std::string(kTargets) + target + ".json"));
  TRY_ASSIGN(const Json cpu_json, EmbeddedJson(std::string(kTargets) + "cpu.json"));
  TRY_ASSIGN(TitleFilter title_filter, TitleFilter::FromJson(triage.title));
  TRY_ASSIGN(DeepFilter deep_filter, DeepFilter::FromJson(triage.paths, triage.deep));
  TRY_ASSIGN(TargetProfile profile, TargetProfileFromJson(target_json));
  TRY_ASSIGN(TargetProfile cpu, TargetProfileFromJson(cpu_json));
  const std::string digest = own ? Sha256Hex(DigestOfAll() + " " + own->sha256) : DigestOfAll();
  return RuleSet{std::move(title_filter), std::move(deep_filter), std::move(precheck), std::move(judge),
                 std::move(profile),      std::move(cpu),         digest,              std::move(own)};
}

}  // namespace xpu_align
