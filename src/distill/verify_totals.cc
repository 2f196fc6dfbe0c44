#include "distill/verify_steps.h"
#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

void CheckCoverage(const VerifyWorld& world) {
  const Json& coverage = world.JsonOf("coverage.json");
  std::map<std::string, const Json*> readsets;
  for (const Json& area : world.JsonOf("readset.json").ArrayOf("areas")) readsets[area.StringOr("id")] = &area;
  std::set<std::string> seen;
  for (const Json& area : coverage.ArrayOf("areas")) {
    const std::string id = area.StringOr("id");
    seen.insert(id);
    const auto readset = readsets.find(id);
    if (readset == readsets.end()) {
      world.Report(CheckId::kCoverage, "coverage.json",
                   "area " + UntrustedText(id).ForLogLine(80) + " is not in readset.json");
      continue;
    }
    std::map<std::string, int64_t> kinds;
    int64_t facts = 0, lines = 0;
    for (const Json& fact : world.JsonOf("skills/" + id + "/card.json").ArrayOf("facts"))
      ++facts, ++kinds[fact.StringOr("kind")];
    for (const Json& file : readset->second->ArrayOf("files")) {
      const Json::Array& window = file.ArrayOf("window");
      lines +=
          window.size() == 2 ? window[1].AsInt().value_or(0) - window[0].AsInt().value_or(0) + 1 : file.IntOr("lines");
    }
    Json counted = Json::EmptyObject();
    for (const auto& [kind, count] : kinds) counted.Set(kind, count);
    if (area.IntOr("facts") != facts || !(area["facts_by_kind"] == counted) || area.IntOr("lines_read") != lines ||
        area.IntOr("files_read") != static_cast<int64_t>(readset->second->ArrayOf("files").size()) ||
        area.ArrayOf("skipped").size() != readset->second->ArrayOf("skipped").size())
      world.Report(CheckId::kCoverage, "coverage.json", "area " + id + " does not count what readset and card hold");
  }
  for (const auto& [id, area] : readsets)
    if (!seen.contains(id))
      world.Report(CheckId::kCoverage, "coverage.json", "area " + UntrustedText(id).ForLogLine(80) + " is missing");
}

void CheckCell(const VerifyWorld& world, const std::string& where, const Json& cell) {
  const std::string state = cell.StringOr("state");
  const bool absent = state == "absent" || state == "unread";
  if (absent && cell.ArrayOf("searched").empty())
    return world.Report(CheckId::kMatrixCells, where, "is " + state + " and names no file that was searched");
  if (absent) return;
  const Json& cite = cell["cite"];
  const Json::Array& lines = cite.ArrayOf("lines");
  const auto source = world.grounded.sources.find(cite.StringOr("blob"));
  const auto line = [&](size_t i) { return lines.size() == 2 ? static_cast<int>(lines[i].AsInt().value_or(0)) : 0; };
  if (state.empty() || source == world.grounded.sources.end() || source->second.Lines({line(0), line(1)}).empty() ||
      source->second.QuoteHash({line(0), line(1)}) != cite.StringOr("quote"))
    world.Report(CheckId::kMatrixCells, where, "has no citation that resolves");
}

void CheckMatrices(const VerifyWorld& world) {
  for (const Json& interface : world.JsonOf("reference-matrix.json").ArrayOf("interfaces"))
    for (const Json& row : interface.ArrayOf("members")) {
      const std::string where = "reference-matrix.json " +
                                UntrustedText(interface.StringOr("id") + "::" + row.StringOr("member")).ForLogLine(160);
      CheckCell(world, where, row["base"]);
      for (const std::string& backend : interface.StringsOf("backends"))
        CheckCell(world, where + " " + UntrustedText(backend).ForLogLine(40), row["cells"][backend]);
    }
  for (const Json& row : world.JsonOf("searchspace-matrix.json").ArrayOf("rows"))
    if (row.ArrayOf("cite").empty() || row.ArrayOf("facts").empty() || row.StringOr("measured") != "not_run")
      world.Report(CheckId::kMatrixCells,
                   "searchspace-matrix.json " + UntrustedText(row.StringOr("id")).ForLogLine(160),
                   "has no citation, no fact, or says that it was measured");
}

void CheckRegistry(const VerifyWorld& world) {
  std::set<std::string> folders, registered;
  for (const auto& [path, bytes] : world.given)
    if (path.starts_with("skills/") && path.find('/', 7) != std::string::npos)
      folders.insert(path.substr(0, path.find('/', 7)));
  for (const Json& skill : world.JsonOf("registry.json").ArrayOf("skills")) {
    const std::string path = skill.StringOr("path");
    if (!registered.insert(path).second)
      world.Report(CheckId::kRegistry, "registry.json", UntrustedText(path).ForLogLine(100) + " is registered twice");
    if (!folders.contains(path))
      world.Report(CheckId::kRegistry, "registry.json", UntrustedText(path).ForLogLine(100) + " has no folder");
  }
  for (const std::string& folder : folders)
    if (!registered.contains(folder))
      world.Report(CheckId::kRegistry, UntrustedText(folder).ForLogLine(100), "is not in registry.json");
}

}  // namespace

void CheckTotals(const VerifyWorld& world) {
  CheckCoverage(world);
  CheckMatrices(world);
  CheckRegistry(world);
}

}  // namespace xpu_align::distill
