#include "distill/drift.h"

#include <algorithm>
#include <set>

#include "distill/markdown_text.h"
#include "distill/missing_pin.h"

namespace xpu_align::distill {
namespace {

constexpr size_t kShownInAGroup = 25;

// Between the two pins of one run: a blob that both hold is lexed once.
class RunCache : public FactCache {
 public:
  std::optional<std::string> Load(const std::string& key) override {
    const auto found = facts_.find(key);
    return found == facts_.end() ? std::nullopt : std::optional(found->second);
  }
  void Store(const std::string& key, const std::string& facts) override { facts_[key] = facts; }

 private:
  std::map<std::string, std::string> facts_;
};

// The scope at the other pins. A file that was renamed is read at its new path, wherever that is.
Status FollowRenames(const Grounded& before, const Clones& clones, Scope* scope, Renames* renames) {
  for (const ScopeRepository& repository : scope->repositories) {
    const auto old = std::ranges::find(before.readset.repositories, repository.id, &GroundedRepository::id);
    if (old->pin == repository.pin) continue;
    TRY_ASSIGN(const auto found, clones.find(repository.id)->second.objects->Renames(old->pin, repository.pin));
    std::map<std::string, std::string> renamed;
    for (const RenamedFile& file : found) renamed[file.from] = file.to;
    for (ScopeArea& area : scope->areas) {
      const auto readset = std::ranges::find(before.readset.areas, area.id, &AreaReadset::area);
      for (ScopeRead& read : area.reads)
        for (const ReadFile& file : readset->files) {
          const auto to = renamed.find(file.path);
          if (read.repo != repository.id || file.repo != repository.id || to == renamed.end()) continue;
          (*renames)[file.repo + ":" + file.path] = to->second;
          if (auto glob = PathGlob::Parse(to->second)) read.include.push_back(std::move(*glob));
        }
    }
  }
  return {};
}

Json CiteJson(const Fact* fact) { return fact ? ToJson(fact->Cite()) : Json(); }

std::string Line(const DriftedFact& fact) {
  std::string text = "- ";
  if (fact.before) text += "`" + fact.before->id + "` ";
  if (fact.state == DriftState::kChanged) {
    text += CodeSpan(fact.before->subject, 100) + ": " + Statement(*fact.before) + " is now " + Statement(*fact.after);
  } else {
    text += std::string(KindName((fact.before ? fact.before : fact.after)->kind)) + " " +
            Statement(fact.before ? *fact.before : *fact.after);
  }
  return text + " (" + PlaceSpan((fact.after ? fact.after : fact.before)->Cite()) + ")\n";
}

std::string Group(const Drift& drift, DriftState state, const char* title) {
  std::string page;
  size_t shown = 0, all = 0;
  for (const AreaDrift& area : drift.areas) {
    std::string lines;
    for (const DriftedFact& fact : area.facts) {
      if (fact.state != state) continue;
      ++all;
      if (shown < kShownInAGroup) ++shown, lines += Line(fact);
    }
    if (!lines.empty()) page += "\n" + area.area + ":\n\n" + lines;
  }
  if (all == 0) return {};
  if (all > shown) page += "\n" + std::to_string(all - shown) + " more are in drift.json.\n";
  return std::string("\n## ") + title + ": " + std::to_string(all) + "\n" + page;
}

bool IsStale(const AreaDrift& area) {
  return area.counts.contains(DriftState::kChanged) || area.counts.contains(DriftState::kVanished) ||
         area.counts.contains(DriftState::kReworded);
}

}  // namespace

Result<Drift> ComputeDrift(const Scope& scope, const Clones& clones, const std::map<std::string, std::string>& pins,
                           FactCache* cache) {
  RunCache run_cache;
  FactCache* used = cache ? cache : &run_cache;
  Scope other = scope;
  for (const auto& [id, pin] : pins) {
    const auto repository = std::ranges::find(other.repositories, id, &ScopeRepository::id);
    if (repository == other.repositories.end())
      return Fail(ErrorKind::kUsage, "--pin " + id + ": the scope has no repository of this id");
    if (pin.size() != 40 || pin.find_first_not_of("0123456789abcdef") != std::string::npos) {
      ScopeRepository named = *repository;
      named.pin = pin;
      const std::string hint = PinToPaste(named, clones);
      return Fail(ErrorKind::kConfig, CheckName(CheckId::kPinForm) + " --pin " + id + "=" + pin +
                                          " is not the full id of a commit" + (hint.empty() ? "" : "; " + hint));
    }
    repository->pin = pin;
    repository->label.clear();
  }
  Drift drift;
  TRY_ASSIGN(const Grounded before, GroundReadset(scope, clones));
  for (const ScopeRepository& repository : other.repositories) TRY(PinIn(repository, clones));
  TRY(FollowRenames(before, clones, &other, &drift.renames));
  TRY_ASSIGN(const Grounded after, GroundReadset(other, clones));
  drift.findings = after.findings;
  drift.before = FactsOf(scope, before, used, &drift.figures, &drift.findings);
  drift.after = FactsOf(other, after, used, &drift.figures, &drift.findings);
  for (const ScopeRepository& one : scope.repositories) drift.from[one.id] = one.pin;
  for (const ScopeRepository& one : other.repositories) drift.to[one.id] = one.pin;
  for (size_t i = 0; i < drift.before.size(); ++i)
    drift.areas.push_back(
        CompareFacts(drift.before[i].area, drift.before[i].facts, drift.after[i].facts, drift.renames));
  return drift;
}

Json DriftJson(const Drift& drift) {
  Json areas = Json::EmptyArray(), from, to, stale = Json::EmptyArray(), renames = Json::EmptyObject();
  for (const auto& [repository, pin] : drift.from) from.Set(repository, pin);
  for (const auto& [repository, pin] : drift.to) to.Set(repository, pin);
  for (const auto& [old_place, path] : drift.renames) renames.Set(old_place, path);
  for (const AreaDrift& area : drift.areas) {
    Json facts = Json::EmptyArray(), fresh = Json::EmptyArray(), counts = Json::EmptyObject(), json;
    for (const auto& [state, count] : area.counts) counts.Set(StateName(state), count);
    for (const DriftedFact& fact : area.facts) {
      Json one;
      one.Set("state", StateName(fact.state)).Set("id", (fact.before ? fact.before : fact.after)->id);
      if (fact.state != DriftState::kSame) {
        one.Set("kind", KindName((fact.before ? fact.before : fact.after)->kind))
            .Set("key", (fact.before ? fact.before : fact.after)->key);
        one.SetIfAny("old", CiteJson(fact.before)).SetIfAny("new", CiteJson(fact.after));
      }
      if (fact.state == DriftState::kChanged)
        one.Set("old_value", fact.before->value).Set("new_value", fact.after->value);
      if (fact.state == DriftState::kNew)
        fresh.Append(std::move(one.Set("value", fact.after->value)));
      else
        facts.Append(std::move(one));
    }
    if (IsStale(area)) stale.Append(area.area);
    json.Set("id", area.area)
        .Set("counts", std::move(counts))
        .Set("facts", std::move(facts))
        .Set("new_facts", std::move(fresh));
    areas.Append(std::move(json));
  }
  Json json;
  json.Set("schema", "distill/drift@1")
      .Set("from", std::move(from))
      .Set("to", std::move(to))
      .Set("areas", std::move(areas));
  return json.Set("stale_skills", std::move(stale)).Set("renames", std::move(renames));
}

std::string DriftMarkdown(const Drift& drift) {
  std::string page = "# Drift\n\n";
  for (const auto& [repository, pin] : drift.from)
    page += "- " + repository + ": `" + pin + "`" +
            (drift.to.at(repository) == pin ? ", the same on both sides\n" : " to `" + drift.to.at(repository) + "`\n");
  page +=
      "\n| area | same | moved | relocated | reformatted | reworded | changed | vanished | new | skill |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const AreaDrift& area : drift.areas) {
    page += "| " + area.area + " |";
    for (int state = 0; state <= static_cast<int>(DriftState::kNew); ++state) {
      const auto count = area.counts.find(static_cast<DriftState>(state));
      page += " " + std::to_string(count == area.counts.end() ? 0 : count->second) + " |";
    }
    page += IsStale(area) ? " stale |\n" : " holds |\n";
  }
  page += Group(drift, DriftState::kChanged, "Changed") + Group(drift, DriftState::kVanished, "Vanished") +
          Group(drift, DriftState::kReworded, "Reworded") + Group(drift, DriftState::kRelocated, "In another file") +
          Group(drift, DriftState::kNew, "New");
  return page + "\nMoved and reformatted facts say what they said; building at the new pins cites their new lines.\n";
}

}  // namespace xpu_align::distill
