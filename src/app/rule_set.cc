#include "app/rule_set.h"

#include "digest/sha256.h"
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

}  // namespace

std::vector<std::string> TargetNames() {
  std::vector<std::string> names;
  for (const rules::EmbeddedFile& file : rules::EmbeddedFiles())
    if (file.path.starts_with(kTargets))
      names.emplace_back(file.path.substr(kTargets.size(), file.path.size() - kTargets.size() - 5));
  return names;
}

Result<RuleSet> LoadRules(const std::string& target) {
  if (rules::Embedded(std::string(kTargets) + target + ".json").empty()) {
    std::string names;
    for (const std::string& name : TargetNames()) names += (names.empty() ? "" : ", ") + name;
    return Fail(ErrorKind::kConfig, "there is no target '" + target + "'; --target takes one of " + names);
  }
  TRY_ASSIGN(const Json title, EmbeddedJson("rules/title.json"));
  TRY_ASSIGN(const Json paths, EmbeddedJson("rules/paths.json"));
  TRY_ASSIGN(const Json deep, EmbeddedJson("rules/deep.json"));
  TRY_ASSIGN(Json precheck, EmbeddedJson("rules/precheck.json"));
  TRY_ASSIGN(Json judge, EmbeddedJson("rules/judge.json"));
  TRY_ASSIGN(const Json target_json, EmbeddedJson(std::string(kTargets) + target + ".json"));
  TRY_ASSIGN(const Json cpu_json, EmbeddedJson(std::string(kTargets) + "cpu.json"));
  TRY_ASSIGN(TitleFilter title_filter, TitleFilter::FromJson(title));
  TRY_ASSIGN(DeepFilter deep_filter, DeepFilter::FromJson(paths, deep));
  TRY_ASSIGN(TargetProfile profile, TargetProfileFromJson(target_json));
  TRY_ASSIGN(TargetProfile cpu, TargetProfileFromJson(cpu_json));
  return RuleSet{std::move(title_filter), std::move(deep_filter), std::move(precheck), std::move(judge),
                 std::move(profile),      std::move(cpu),         DigestOfAll()};
}

}  // namespace xpu_align
