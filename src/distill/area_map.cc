#include "distill/area_map.h"

#include <algorithm>
#include <charconv>

#include "text/pattern.h"

namespace xpu_align::distill {
namespace {

Json FactLine(const std::string& area, const Json& fact, const Json& cite) {
  Json line;
  line.Set("area", area)
      .Set("fact", fact.StringOr("id"))
      .Set("kind", fact.StringOr("kind"))
      .Set("subject", fact.StringOr("subject"));
  return line.Set("repo", cite.StringOr("repo")).Set("path", cite.StringOr("path")).Set("lines", cite["lines"]);
}

LineRange RangeOf(const Json& cite) {
  const Json::Array& lines = cite.ArrayOf("lines");
  if (lines.size() != 2) return {};
  return {static_cast<int>(lines[0].AsInt().value_or(0)), static_cast<int>(lines[1].AsInt().value_or(0))};
}

class Touched {
 public:
  Touched(const Scope& scope, std::string_view repo, const Outputs& outputs) : scope_(scope), repo_(repo) {
    for (const ScopeArea& area : scope.areas)
      if (const auto card = outputs.find("skills/" + area.id + "/card.json"); card != outputs.end())
        if (const auto json = ParseJson(card->second))
          for (const Json& fact : json->ArrayOf("facts"))
            for (const Json& cite : fact.ArrayOf("cite"))
              if (cite.StringOr("repo") == repo)
                by_path_[cite.StringOr("path")].push_back({RangeOf(cite), FactLine(area.id, fact, cite)});
  }

  // Null when the candidate touches no area.
  Json CandidateJson(const ChangedCandidate& candidate) const {
    Json paths = Json::EmptyArray(), facts = Json::EmptyArray();
    std::vector<std::string> skills;
    for (const ChangedPath& file : candidate.files) {
      MappedPath mapped = MapPath(scope_, repo_, file.path);
      if (!mapped.area.empty()) paths.Append(ToJson(mapped));
      const auto cited = by_path_.find(file.path);
      if (cited == by_path_.end()) continue;
      const std::vector<LineRange> changed = ChangedLines(file.patch);
      for (const auto& [lines, fact] : cited->second)
        if (std::ranges::any_of(changed, [&](const LineRange& range) { return range.Overlaps(lines); })) {
          facts.Append(fact);
          skills.push_back(fact.StringOr("area"));
        }
    }
    if (paths.AsArray()->empty() && facts.AsArray()->empty()) return {};
    std::ranges::sort(skills);
    skills.erase(std::ranges::unique(skills).begin(), skills.end());
    Json json;
    return json.Set("id", candidate.id)
        .Set("paths", std::move(paths))
        .Set("facts", std::move(facts))
        .Set("stale_skills", Json(skills));
  }

 private:
  const Scope& scope_;
  std::string_view repo_;
  std::map<std::string, std::vector<std::pair<LineRange, Json>>> by_path_;
};

Json DriftLines(const Scope& scope, const Outputs& outputs) {
  Json lines = Json::EmptyArray();
  const auto file = outputs.find("drift.json");
  const auto drift = file == outputs.end() ? Fail(ErrorKind::kNotFound, "") : ParseJson(file->second);
  if (!drift) return lines;
  for (const Json& area : drift->ArrayOf("areas"))
    for (const Json& fact : area.ArrayOf("facts")) {
      const std::string state = fact.StringOr("state");
      if ((state != "changed" && state != "vanished") ||
          MapPath(scope, fact["old"].StringOr("repo"), fact["old"].StringOr("path")).path_class != "shared")
        continue;
      Json line = FactLine(area.StringOr("id"), fact, fact["old"]);
      line.Remove("subject");
      lines.Append(std::move(line.Set("state", state).Set("key", fact.StringOr("key"))));
    }
  return lines;
}

Json GapLines(const Outputs& outputs) {
  Json lines = Json::EmptyArray();
  const auto file = outputs.find("reference-matrix.json");
  const auto matrix = file == outputs.end() ? Fail(ErrorKind::kNotFound, "") : ParseJson(file->second);
  if (!matrix) return lines;
  for (const Json& gap : matrix->ArrayOf("gaps"))
    if (gap.StringOr("backend") == "xpu") lines.Append(gap);
  return lines;
}

}  // namespace

MappedPath MapPath(const Scope& scope, std::string_view repo, const std::string& path) {
  MappedPath best{.path = path};
  size_t specificity = 0;
  bool found = false;
  const auto consider = [&](const PathGlob& glob, const ScopeArea& area, const char* path_class,
                            const std::string& counterpart) {
    if (!glob.Matches(path) || (found && glob.LiteralPrefix() <= specificity)) return;
    found = true, specificity = glob.LiteralPrefix();
    best.area = area.id, best.path_class = path_class, best.counterpart = counterpart,
    best.implement_in = area.implement_in;
  };
  for (const ScopeArea& area : scope.areas) {
    for (const PathGlob& glob : area.match.shared) consider(glob, area, "shared", "");
    for (const TwinRule& twin : area.match.twin) consider(twin.path, area, "twin", twin.counterpart);
    for (const PathGlob& glob : area.match.exclusive) consider(glob, area, "exclusive", "");
  }
  for (const ScopeOwner& owner : scope.owners)
    if (owner.repo == repo && best.owner.empty() &&
        std::ranges::any_of(owner.paths, [&](const PathGlob& glob) { return glob.Matches(path); }))
      best.owner = owner.id;
  return best;
}

Json ToJson(const MappedPath& mapped) {
  Json json;
  json.Set("path", mapped.path)
      .Set("class", mapped.path_class)
      .SetIfAny("area", mapped.area)
      .SetIfAny("counterpart", mapped.counterpart);
  return json.SetIfAny("implement_in", mapped.implement_in).SetIfAny("owner", mapped.owner);
}

std::vector<LineRange> ChangedLines(std::string_view patch) {
  static const Pattern kHunk = Pattern::Constant(R"(^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d)");
  std::vector<LineRange> changed;
  int line = 0;
  bool in_hunk = false;
  for (size_t at = 0; at < patch.size();) {
    const size_t end = std::min(patch.find('\n', at), patch.size());
    const std::string_view text = patch.substr(at, end - at);
    at = end + 1;
    if (text.starts_with("@@")) {
      const auto match = kHunk.Find(text);
      in_hunk = match.has_value();
      if (!match) continue;
      std::from_chars(match->groups[1].data(), match->groups[1].data() + match->groups[1].size(), line);
      if (match->groups[2] == "0") ++line;  // an insertion names the line in front of it
    } else if (!in_hunk) {
      continue;
    } else if (text.starts_with('-')) {
      changed.push_back({line, line});
      ++line;
    } else if (text.starts_with('+')) {
      // Between two cited lines; at the edge of a citation nothing of it changes.
      if (line > 1 && (changed.empty() || changed.back().last < line - 1)) changed.push_back({line - 1, line - 1});
    } else if (text.starts_with(' ')) {
      ++line;
    }
  }
  return changed;
}

Json FactsTouched(const Scope& scope, std::string_view repo, const std::vector<ChangedCandidate>& candidates,
                  const Outputs& outputs) {
  const Touched touched(scope, repo, outputs);
  Json list = Json::EmptyArray();
  for (const ChangedCandidate& candidate : candidates)
    if (Json json = touched.CandidateJson(candidate); !json.IsNull()) list.Append(std::move(json));
  Json json;
  json.Set("schema", "xpu-align/facts-touched@1").Set("scope", scope.id).Set("candidates", std::move(list));
  return json.Set("drift", DriftLines(scope, outputs)).Set("gaps", GapLines(outputs));
}

}  // namespace xpu_align::distill
