#include <algorithm>

#include "distill/drift.h"
#include "distill/verify_steps.h"
#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

void CheckStates(const VerifyWorld& world, const Json& area) {
  const std::string id = area.StringOr("id"), where = "drift.json " + UntrustedText(id).ForLogLine(80);
  std::map<std::string, int64_t> seen, counts;
  for (const Json& fact : area.ArrayOf("facts")) ++seen[fact.StringOr("id")], ++counts[fact.StringOr("state")];
  if (!area.ArrayOf("new_facts").empty()) counts["new"] = static_cast<int64_t>(area.ArrayOf("new_facts").size());
  std::set<std::string> in_card;
  for (const Json& fact : world.JsonOf("skills/" + id + "/card.json").ArrayOf("facts")) {
    in_card.insert(fact.StringOr("id"));
    if (seen[fact.StringOr("id")] != 1)
      world.Report(CheckId::kDriftStates, where,
                   "fact " + UntrustedText(fact.StringOr("id")).ForLogLine(40) + " is in " +
                       std::to_string(seen[fact.StringOr("id")]) + " states");
  }
  for (const auto& [fact, times] : seen)
    if (!in_card.contains(fact))
      world.Report(CheckId::kDriftStates, where, "fact " + UntrustedText(fact).ForLogLine(40) + " is in no card");
  Json counted = Json::EmptyObject();
  for (const auto& [state, count] : counts) counted.Set(state, count);
  if (!(area["counts"] == counted)) world.Report(CheckId::kDriftStates, where, "the counts do not add up");
}

// What is left over on the new side may not be the vanished fact.
void CheckVanished(const VerifyWorld& world, const Json& area, const std::vector<Fact>& after) {
  std::set<std::string> taken;  // by other old facts
  for (const Json& fact : area.ArrayOf("facts"))
    if (fact["new"].IsObject()) taken.insert(WriteJsonLine(fact["new"]));
  std::map<std::string, Json> cards;
  for (const Json& fact : world.JsonOf("skills/" + area.StringOr("id") + "/card.json").ArrayOf("facts"))
    cards[fact.StringOr("id")] = fact;
  // A `same` fact takes the place it had.
  for (const Json& fact : area.ArrayOf("facts"))
    if (fact.StringOr("state") == "same" && !cards[fact.StringOr("id")].ArrayOf("cite").empty()) {
      const Json& cite = cards[fact.StringOr("id")].ArrayOf("cite")[0];
      taken.insert(cite.StringOr("repo") + cite.StringOr("path") + WriteJsonLine(cite["lines"]) +
                   cards[fact.StringOr("id")].StringOr("key"));
    }
  for (const Json& gone : area.ArrayOf("facts")) {
    if (gone.StringOr("state") != "vanished") continue;
    const auto old = FactFromJson(cards[gone.StringOr("id")]);
    if (!old) continue;  // D601 or D205 tells of it
    for (const Fact& fact : after) {
      const Json cite = ToJson(fact.Cite());
      if (taken.contains(WriteJsonLine(cite)) ||
          taken.contains(cite.StringOr("repo") + cite.StringOr("path") + WriteJsonLine(cite["lines"]) + fact.key))
        continue;
      if (fact.Cite().repo == old->Cite().repo && fact.kind == old->kind && fact.key == old->key &&
          (fact.Cite().quote == old->Cite().quote || fact.value == old->value || old->value.Has("message"))) {
        world.Report(CheckId::kDriftVanished, "drift.json " + old->id,
                     "is said to be vanished and stands in " + fact.Cite().repo + ":" +
                         UntrustedText(fact.Cite().path).ForLogLine(300));
        break;
      }
    }
  }
}

}  // namespace

Status CheckDrift(const VerifyWorld& world) {
  if (!world.given.contains("drift.json")) return {};
  const Json& given = world.JsonOf("drift.json");
  if (!given["to"].IsObject()) {
    world.Report(CheckId::kDriftStates, "drift.json", "names no pins to compare with");
    return {};
  }
  std::map<std::string, std::string> pins;
  for (const auto& [repository, pin] : *given["to"].AsObject())
    if (pin.IsString() && world.scope.Repository(repository)) pins[repository] = *pin.AsString();
  const auto drift = ComputeDrift(world.scope, world.clones, pins, nullptr);
  if (!drift) {
    world.Report(CheckId::kDriftStates, "drift.json", "can not be computed again: " + drift.error().message);
    return {};
  }
  const auto bytes = [&](const char* path) {
    const auto found = world.given.find(path);
    return found == world.given.end() ? std::string() : found->second;
  };
  for (const auto& [path, again] :
       {std::pair{"drift.json", WriteJson(DriftJson(*drift))}, std::pair{"drift.md", DriftMarkdown(*drift)}})
    if (bytes(path) != again) world.Report(CheckId::kDriftStates, path, "differs from what comparing again gives");
  const Json::Array& areas = given.ArrayOf("areas");
  for (const Json& area : areas) {
    CheckStates(world, area);
    for (const AreaFacts& after : drift->after)
      if (after.area == area.StringOr("id")) CheckVanished(world, area, after.facts);
  }
  return {};
}

}  // namespace xpu_align::distill
