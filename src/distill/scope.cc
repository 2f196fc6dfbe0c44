#include "distill/scope.h"

#include <algorithm>
#include <set>

#include "digest/sha256.h"
#include "distill/scope_reader.h"
#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

using enum Presence;

bool IsFullId(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

ScopeRepository RepositoryOf(ScopeReader reader, std::vector<Finding>* findings) {
  ScopeRepository repository;
  repository.id = reader.Id("id");
  repository.slug = reader.Text("slug", kRequired, 140);
  repository.pin = reader.Text("pin", kRequired, 64);
  if (!repository.pin.empty() && !IsFullId(repository.pin))
    findings->push_back({CheckId::kPinForm, reader.Where(),
                         "pin '" + UntrustedText(repository.pin).ForLogLine(60) + "' of " + repository.id +
                             " is not the full id of a commit"});
  repository.label = reader.Text("label", kOptional, 140);
  reader.Word("role", {"knowledge"});  // there is no other: nothing here is ever a target to run
  repository.license_path = reader.Path("license_path", kOptional);
  repository.owners_path = reader.Path("owners_path", kOptional);
  reader.RefuseOthers();
  return repository;
}

std::map<std::string, LineRange> WindowsOf(ScopeReader* reader) {
  std::map<std::string, LineRange> windows;
  for (const auto& [path, lines] : reader->Map("lines")) {
    const auto* pair = lines.AsArray();
    const auto line = [&](size_t i) { return pair && pair->size() == 2 ? (*pair)[i].AsInt().value_or(0) : 0; };
    if (line(0) < 1 || line(1) < line(0) || line(1) > 10'000'000)
      reader->Refuse("lines." + path, "must be [first, last], counted from 1");
    else
      windows[path] = {static_cast<int>(line(0)), static_cast<int>(line(1))};
  }
  return windows;
}

ScopeRead ReadOf(ScopeReader reader) {
  ScopeRead read;
  read.repo = reader.Id("repo");
  read.include = reader.Globs("include", kRequired);
  read.exclude = reader.Globs("exclude", kOptional);
  read.windows = WindowsOf(&reader);
  reader.RefuseOthers();
  return read;
}

ScopeMatch MatchOf(ScopeReader reader) {
  ScopeMatch match;
  match.shared = reader.Globs("shared", kOptional);
  match.exclusive = reader.Globs("exclusive", kOptional);
  for (const auto& [pattern, counterpart] : reader.Map("twin")) {
    auto glob = PathGlob::Parse(pattern);
    if (!glob)
      reader.Refuse("twin", glob.error().message);
    else if (!counterpart.IsString() || !PathGlob::Parse(*counterpart.AsString()))
      reader.Refuse("twin." + pattern, "must name the pattern of its counterpart");
    else
      match.twin.push_back({std::move(*glob), *counterpart.AsString()});
  }
  reader.RefuseOthers();
  return match;
}

std::vector<FactKind> KindsOf(ScopeReader* reader) {
  if (!reader->Has("kinds")) return AllKinds();
  std::set<FactKind> kinds;
  for (const std::string& name : reader->Texts("kinds", kRequired)) {
    const auto kind = KindNamed(name);
    if (kind)
      kinds.insert(*kind);
    else
      reader->Refuse("kinds", "'" + name + "' is no kind of fact");
  }
  if (kinds.empty()) reader->Refuse("kinds", "must name at least one kind");
  return {kinds.begin(), kinds.end()};
}

ScopeArea AreaOf(ScopeReader reader) {
  ScopeArea area;
  area.id = reader.Id("id");
  // The id is the name of a skill and of its folder.
  if (area.id.contains('_')) reader.Refuse("id", "is the name of a skill: '_' is not allowed there");
  area.title = reader.Text("title", kRequired, 80);
  area.summary = reader.Text("summary", kRequired);
  area.when = reader.Text("when", kRequired);
  for (ScopeReader& read : reader.Objects("reads", kRequired)) area.reads.push_back(ReadOf(std::move(read)));
  area.kinds = KindsOf(&reader);
  const bool bounded = reader.Has("budget") && reader.Object("budget", kOptional).Has("files");
  ScopeReader budget = reader.Object("budget", kOptional);
  area.budget.files = budget.Number("files", area.budget.files, 10'000);
  area.budget.bytes = budget.Number("bytes", area.budget.bytes, 256 << 20);
  area.budget.file_bytes = budget.Number("file_bytes", area.budget.file_bytes, 16 << 20);
  area.budget.lines = budget.Number("lines", area.budget.lines, 10'000'000);
  area.budget.facts = budget.Number("facts", area.budget.facts, 100'000);
  budget.RefuseOthers();
  for (const ScopeRead& read : area.reads)
    for (const PathGlob& glob : read.include)
      if (glob.IsUnbounded() && !bounded)
        reader.Refuse("reads", "pattern '" + glob.Text() + "' is unbounded and needs budget.files");
  area.match = MatchOf(reader.Object("match", kOptional));
  area.implement_in = reader.Text("implement_in", kOptional, 140);
  reader.RefuseOthers();
  return area;
}

ClassPlace PlaceOf(ScopeReader reader) {
  ClassPlace place{reader.Id("repo"), reader.Path("path", kRequired), reader.Text("class", kRequired, 120)};
  reader.RefuseOthers();
  return place;
}

ScopeInterface InterfaceOf(ScopeReader reader, std::vector<Finding>* findings) {
  ScopeInterface interface;
  interface.id = reader.Id("id");
  interface.area = reader.Id("area");
  interface.base = PlaceOf(reader.Object("base", kRequired));
  for (const auto& [backend, place] : reader.Map("backends"))
    if (!ScopeReader::IsId(backend))
      reader.Refuse("backends", "'" + UntrustedText(backend).ForLogLine(40) + "' is no id");
    else
      interface.backends[backend] = PlaceOf(ScopeReader(place, reader.Where() + ".backends." + backend, findings));
  reader.RefuseOthers();
  return interface;
}

ScopePolicy PolicyOf(ScopeReader reader) {
  ScopePolicy policy;
  reader.Word("status", {"candidate"});
  reader.Word("measurements", {"forbid"});
  policy.author = reader.Text("author", kRequired, 80);
  policy.has_allow_list = reader.Has("authors_allowed");
  policy.authors_allowed = reader.Texts("authors_allowed", kOptional);
  policy.max_description = static_cast<size_t>(reader.Number("max_description", 300, 1024));
  policy.delivery = reader.Text("delivery", kOptional);
  reader.RefuseOthers();
  return policy;
}

// Ids that other parts of the file refer to.
void CheckReferences(const Scope& scope, std::vector<Finding>* findings) {
  const auto refuse = [&](const std::string& where, const std::string& why) {
    findings->push_back({CheckId::kScope, where, why});
  };
  const auto need = [&](const std::string& repository, const std::string& where) {
    if (!repository.empty() && !scope.Repository(repository))
      refuse(where, "names repository '" + repository + "', which is not in repos");
  };
  std::set<std::string> seen;
  for (const ScopeRepository& one : scope.repositories)
    if (!seen.insert(one.id).second) refuse("scope.repos", "id '" + one.id + "' is used twice");
  seen.clear();
  for (const ScopeArea& one : scope.areas) {
    if (!seen.insert(one.id).second) refuse("scope.areas", "id '" + one.id + "' is used twice");
    for (const ScopeRead& read : one.reads) need(read.repo, "scope.areas." + one.id);
  }
  seen.clear();
  for (const ScopeOwner& one : scope.owners) {
    if (!seen.insert(one.id).second) refuse("scope.owners", "id '" + one.id + "' is used twice");
    need(one.repo, "scope.owners." + one.id);
  }
  for (const Exclusion& one : scope.exclusions) need(one.repo, "scope.exclude");
  seen.clear();
  for (const ScopeInterface& one : scope.interfaces) {
    if (!seen.insert(one.id).second) refuse("scope.interfaces", "id '" + one.id + "' is used twice");
    if (!scope.Area(one.area))
      refuse("scope.interfaces." + one.id, "names area '" + one.area + "', which is not in areas");
    need(one.base.repo, "scope.interfaces." + one.id);
    for (const auto& [backend, place] : one.backends) need(place.repo, "scope.interfaces." + one.id + "." + backend);
  }
}

}  // namespace

const ScopeRepository* Scope::Repository(std::string_view repository_id) const {
  const auto found = std::ranges::find(repositories, repository_id, &ScopeRepository::id);
  return found == repositories.end() ? nullptr : &*found;
}

const ScopeArea* Scope::Area(std::string_view area_id) const {
  const auto found = std::ranges::find(areas, area_id, &ScopeArea::id);
  return found == areas.end() ? nullptr : &*found;
}

ParsedScope ParseScope(std::string_view text) {
  ParsedScope parsed;
  const auto json = ParseJson(text, {.max_bytes = 4 << 20, .max_depth = 16});
  if (!json) {
    parsed.findings.push_back({CheckId::kScope, "scope", "is not JSON: " + json.error().message});
    return parsed;
  }
  std::vector<Finding> pins, bad;
  ScopeReader reader(*json, "scope", &bad);
  Scope scope;
  reader.Word("schema", {"distill/scope@1"});
  scope.id = reader.Id("id");
  scope.title = reader.Text("title", kRequired);
  for (ScopeReader& one : reader.Objects("repos", kRequired))
    scope.repositories.push_back(RepositoryOf(std::move(one), &pins));
  scope.policy = PolicyOf(reader.Object("policy", kRequired));
  for (ScopeReader& one : reader.Objects("owners", kOptional)) {
    ScopeOwner owner{one.Id("id"), one.Id("repo"), one.Globs("paths", kRequired), one.Text("pin", kOptional, 64)};
    one.RefuseOthers();
    scope.owners.push_back(std::move(owner));
  }
  for (ScopeReader& one : reader.Objects("exclude", kOptional)) {
    Exclusion exclusion{one.Text("repo", kOptional, 64), one.Globs("paths", kRequired), one.Text("reason", kRequired)};
    one.RefuseOthers();
    scope.exclusions.push_back(std::move(exclusion));
  }
  ScopeReader readers = reader.Object("readers", kOptional);
  scope.readers = {readers.Texts("env", kOptional), readers.Texts("check", kOptional), readers.Texts("warn", kOptional),
                   readers.Texts("registration", kOptional)};
  readers.RefuseOthers();
  for (ScopeReader& one : reader.Objects("areas", kRequired)) scope.areas.push_back(AreaOf(std::move(one)));
  for (ScopeReader& one : reader.Objects("interfaces", kOptional))
    scope.interfaces.push_back(InterfaceOf(std::move(one), &bad));
  reader.RefuseOthers();
  if (bad.empty()) CheckReferences(scope, &bad);
  scope.sha256 = Sha256Hex(WriteJson(*json));
  parsed.findings = bad;
  parsed.findings.insert(parsed.findings.end(), pins.begin(), pins.end());
  if (bad.empty()) parsed.scope = std::move(scope);
  return parsed;
}

}  // namespace xpu_align::distill
