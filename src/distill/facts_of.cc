#include <algorithm>

#include "digest/sha256.h"
#include "distill/build.h"

namespace xpu_align::distill {
namespace {

std::string CacheKey(const ReadFile& file, const ScopeReaders& readers) {
  std::string text = std::string(kExtractorVersion) + "|" + file.repo + "|" + file.path + "|" + file.blob;
  if (file.window) text += "|" + std::to_string(file.window->first) + "-" + std::to_string(file.window->last);
  for (const auto* list : {&readers.env, &readers.check, &readers.warn, &readers.registration}) {
    text += "|";
    for (const std::string& name : *list) text += name + ",";
  }
  return Sha256Hex(text);
}

// Null when the entry is not what was stored: it is made again then.
std::optional<std::vector<Fact>> ParseCached(const std::string& text) {
  const auto json = ParseJson(text);
  if (!json || !json->IsArray()) return std::nullopt;
  std::vector<Fact> facts;
  for (const Json& one : *json->AsArray()) {
    auto fact = FactFromJson(one);
    if (!fact) return std::nullopt;
    facts.push_back(std::move(*fact));
  }
  return facts;
}

std::string WriteCached(const std::vector<Fact>& facts) {
  Json list = Json::EmptyArray();
  for (const Fact& fact : facts) list.Append(ToJson(fact));
  return WriteJsonLine(list);
}

bool HasText(const Fact& fact) { return fact.value.Has("message"); }

// What of the facts the crude count looks for.
CrudeCount CountExtracted(const std::vector<Fact>& facts) {
  CrudeCount count;
  for (const Fact& fact : facts) {
    const std::string macro = fact.value.StringOr("macro");
    const std::string reader = fact.value.StringOr("reader");
    if (fact.kind == FactKind::kCheck) {
      if (macro.starts_with("TORCH_CHECK") || macro.starts_with("TORCH_INTERNAL_ASSERT")) ++count.check;
      if (macro == "throw" || (macro == "raise" && HasText(fact))) ++count.raise;
    } else if (fact.kind == FactKind::kReg) {
      if (macro.starts_with("TORCH_LIBRARY") || macro.starts_with("C10_REGISTER_") || macro.starts_with("REGISTER_"))
        ++count.registration;
    } else if (fact.kind == FactKind::kEnv && reader != "declared" && reader != "in") {
      ++count.env;
    } else if (fact.kind == FactKind::kEnvSet && fact.value.StringOr("call") == "=") {
      ++count.env;  // environ["X"] = v looks like a read to the crude count
    }
  }
  return count;
}

void Add(const CrudeCount& more, CrudeCount* sum) {
  sum->check += more.check, sum->registration += more.registration, sum->env += more.env, sum->raise += more.raise;
}

void AddAudience(const char* who, Fact* fact) {
  if (std::ranges::find(fact->audience, who) == fact->audience.end()) fact->audience.push_back(who);
}

}  // namespace

std::vector<AreaFacts> FactsOf(const Scope& scope, const Grounded& grounded, FactCache* cache, BuildFigures* figures,
                               std::vector<Finding>* findings) {
  std::vector<AreaFacts> areas;
  std::map<std::string, std::vector<Fact>> known;  // files that several areas read are lexed once
  for (const AreaReadset& readset : grounded.readset.areas) {
    const ScopeArea& area = *scope.Area(readset.area);
    AreaFacts out{.area = area.id};
    for (const ReadFile& file : readset.files) {
      const SourceText& source = grounded.sources.find(file.blob)->second;
      const std::string key = CacheKey(file, scope.readers);
      auto found = known.find(key);
      if (found == known.end()) {
        const auto stored = cache ? cache->Load(key) : std::nullopt;
        auto facts = stored ? ParseCached(*stored) : std::nullopt;
        ++(facts ? figures->files_from_cache : figures->files_lexed);
        if (!facts) {
          facts = ExtractFacts({file.repo, file.path, file.blob, source, file.window}, scope.readers, AllKinds());
          if (cache) cache->Store(key, WriteCached(*facts));
        }
        found = known.emplace(key, std::move(*facts)).first;
      }
      Add(CountCrudely(source, file.path, file.window), &out.expected);
      Add(CountExtracted(found->second), &out.extracted);
      const bool shared =
          std::ranges::any_of(area.match.shared, [&](const PathGlob& glob) { return glob.Matches(file.path); });
      for (const Fact& fact : found->second) {
        if (!std::ranges::binary_search(area.kinds, fact.kind)) continue;
        out.facts.push_back(fact);
        if (shared) AddAudience("out-of-tree", &out.facts.back()), AddAudience("xpu", &out.facts.back());
        if (out.facts.back().audience.empty()) out.facts.back().audience.push_back("vendor");
        std::ranges::sort(out.facts.back().audience);
      }
    }
    NumberFacts(&out.facts);
    figures->facts += out.facts.size();
    if (static_cast<int64_t>(out.facts.size()) > area.budget.facts) {
      std::map<FactKind, size_t> counts;
      for (const Fact& fact : out.facts) ++counts[fact.kind];
      std::string text;
      for (const auto& [kind, count] : counts)
        text += (text.empty() ? "" : ", ") + std::string(KindName(kind)) + " " + std::to_string(count);
      findings->push_back({CheckId::kBudget, area.id,
                           std::to_string(out.facts.size()) + " facts, budget.facts is " +
                               std::to_string(area.budget.facts) + " (" + text + "); none was left out"});
    }
    areas.push_back(std::move(out));
  }
  return areas;
}

}  // namespace xpu_align::distill
