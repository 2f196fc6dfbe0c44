#include "distill/card.h"

#include <algorithm>

#include "distill/markdown_text.h"

namespace xpu_align::distill {
namespace {

std::string DefaultOf(const Fact& fact) {
  return fact.value["default"].IsString() ? *fact.value["default"].AsString() : std::string();
}

// Subjects whose facts state different defaults.
Json Conflicts(const std::vector<Fact>& facts) {
  std::map<std::pair<FactKind, std::string>, std::map<std::string, std::vector<std::string>>> values;
  for (const Fact& fact : facts)
    if ((fact.kind == FactKind::kEnv || fact.kind == FactKind::kCfg) && !DefaultOf(fact).empty())
      values[{fact.kind, fact.subject}][DefaultOf(fact)].push_back(fact.id);
  Json conflicts = Json::EmptyArray();
  for (const auto& [subject, by_value] : values) {
    if (by_value.size() < 2) continue;
    Json one, list = Json::EmptyArray();
    for (const auto& [value, ids] : by_value) {
      Json entry;
      entry.Set("default", value).Set("facts", Json(ids));
      list.Append(std::move(entry));
    }
    one.Set("kind", KindName(subject.first)).Set("subject", subject.second).Set("values", std::move(list));
    conflicts.Append(std::move(one));
  }
  return conflicts;
}

// Variables whose default is nowhere stated in the readset.
Json Open(const std::vector<Fact>& facts) {
  std::map<std::string, std::vector<std::string>> unstated;
  for (const Fact& fact : facts)
    if (fact.kind == FactKind::kEnv) {
      auto& ids = unstated[fact.subject];
      if (DefaultOf(fact).empty())
        ids.push_back(fact.id);
      else
        ids.insert(ids.begin(), "");
    }
  Json open = Json::EmptyArray();
  for (const auto& [subject, ids] : unstated) {
    if (ids.empty() || ids.front().empty()) continue;
    Json one;
    one.Set("question", "default not stated in the readset").Set("subject", subject).Set("facts", Json(ids));
    open.Append(std::move(one));
  }
  return open;
}

}  // namespace

std::vector<const GroundedRepository*> RepositoriesOf(const ScopeArea& area, const Readset& readset) {
  std::vector<const GroundedRepository*> out;
  for (const GroundedRepository& repository : readset.repositories)
    if (std::ranges::find(area.reads, repository.id, &ScopeRead::repo) != area.reads.end()) out.push_back(&repository);
  return out;
}

std::string ShortPins(const std::vector<const GroundedRepository*>& repositories) {
  std::string text;
  for (const GroundedRepository* one : repositories)
    text += (text.empty() ? "" : ",") + one->id + "@" + one->pin.substr(0, 12);
  return text;
}

Json PinsJson(const std::vector<const GroundedRepository*>& repositories) {
  Json pins = Json::EmptyArray();
  for (const GroundedRepository* one : repositories) {
    Json pin;
    pin.Set("repo", one->id)
        .Set("slug", one->slug)
        .Set("pin", one->pin)
        .Set("label", one->label)
        .Set("license", one->license);
    pins.Append(std::move(pin));
  }
  return pins;
}

std::string CardJson(const ScopeArea& area, const Readset& readset, const AreaFacts& facts) {
  Json list = Json::EmptyArray();
  for (const Fact& fact : facts.facts) list.Append(ToJson(fact));
  Json card;
  card.Set("schema", "distill/card@1").Set("id", area.id).Set("area", area.id).Set("title", area.title);
  card.Set("status", kStatus).Set("run", kRun).Set("pins", PinsJson(RepositoriesOf(area, readset)));
  card.Set("facts", std::move(list)).Set("conflicts", Conflicts(facts.facts)).Set("open", Open(facts.facts));
  return WriteJson(card);
}

std::string CardMarkdown(const ScopeArea& area, const Readset& readset, const AreaFacts& facts) {
  std::string page =
      "# " + area.title + ": facts\n\nGenerated from `card.json`; never edited. Status: candidate. Run: not_run.\n\n";
  for (const GroundedRepository* one : RepositoriesOf(area, readset))
    page += "- " + one->id + ": " + one->slug + " at `" + one->pin + "`" +
            (one->label.empty() ? "" : " (" + one->label + ")") + ", licence " + one->license + "\n";
  page += "\nRead a citation with `git show PIN:PATH` and its lines.\n";
  FactKind kind = FactKind::kReg;
  bool first = true;
  for (const Fact& fact : facts.facts) {
    if (first || fact.kind != kind) page += "\n## " + std::string(KindName(fact.kind)) + "\n\n";
    first = false;
    kind = fact.kind;
    page += "- `" + fact.id + "` " + Statement(fact) + " (" + PlaceSpan(fact.Cite());
    if (fact.cites.size() > 1) page += " with " + PlaceSpan(fact.cites[1]);
    if (fact.of > 1) page += ", " + std::to_string(fact.nth) + " of " + std::to_string(fact.of);
    page += ")\n";
  }
  if (facts.facts.empty()) page += "\nNo fact was found in the readset.\n";
  return page;
}

}  // namespace xpu_align::distill
