#include "distill/reference_matrix.h"

#include <algorithm>
#include <set>

#include "distill/markdown_text.h"

namespace xpu_align::distill {
namespace {

using State = ClassMember::State;

struct Place {
  const ReadFile* file = nullptr;  // null: no area reads it
  const SourceText* source = nullptr;
};

class Matrix {
 public:
  Matrix(const Scope& scope, const Grounded& grounded) : scope_(scope), grounded_(grounded) {}

  Json Build() {
    Json interfaces = Json::EmptyArray(), gaps = Json::EmptyArray();
    for (const ScopeInterface& interface : scope_.interfaces) interfaces.Append(InterfaceJson(interface));
    std::ranges::stable_sort(gaps_, [](const Gap& a, const Gap& b) { return a.fills > b.fills; });
    for (const Gap& gap : gaps_) gaps.Append(gap.json);
    Json json;
    json.Set("schema", "distill/reference-matrix@1")
        .Set("interfaces", std::move(interfaces))
        .Set("gaps", std::move(gaps));
    return json;
  }

 private:
  struct Gap {
    int64_t fills = 0;
    Json json;
  };

  Place PlaceOf(const ClassPlace& place) const {
    for (const AreaReadset& area : grounded_.readset.areas)
      for (const ReadFile& file : area.files)
        if (file.repo == place.repo && file.path == place.path)
          return {&file, &grounded_.sources.find(file.blob)->second};
    return {};
  }

  const std::vector<ClassText>& ClassesIn(const Place& place) {
    auto& classes = classes_[place.file->blob];
    if (!classes) classes = ExtractClasses(*place.source, place.file->path);
    return *classes;
  }

  // Members of the class and of its bases in the same file, short of the interface itself.
  std::vector<ClassMember> MembersOf(const Place& place, const std::string& name, const std::string& stop) {
    std::vector<ClassMember> members;
    std::set<std::string> seen, visited;
    std::vector<std::string> wanted = {name};
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!visited.insert(wanted[i]).second || (wanted[i] == stop && i > 0)) continue;
      for (const ClassText& one : ClassesIn(place)) {
        if (one.name != wanted[i]) continue;
        for (const ClassMember& member : one.members)
          if (seen.insert(member.name).second) members.push_back(member);
        wanted.insert(wanted.end(), one.bases.begin(), one.bases.end());
      }
    }
    return members;
  }

  static Json Cite(const Place& place, LineRange lines) {
    Json cite;
    cite.Set("repo", place.file->repo).Set("path", place.file->path).Set("blob", place.file->blob);
    cite.Set("lines", Json::Array{lines.first, lines.last}).Set("quote", place.source->QuoteHash(lines));
    return cite;
  }

  Json CellOf(const ClassPlace& class_place, const ClassMember& base, const std::string& interface, bool python) {
    const Place place = PlaceOf(class_place);
    const std::string searched = class_place.repo + ":" + class_place.path;
    Json cell;
    if (!place.file) return cell.Set("state", "unread").Set("searched", Json::Array{searched});
    for (const ClassMember& member : MembersOf(place, class_place.name, interface)) {
      if (member.name != base.name) continue;
      const char* state = member.state == State::kThrows               ? "throws"
                          : member.state == State::kOverride || python ? "override"
                                                                       : "same-name";
      cell.Set("state", state).Set("cite", Cite(place, member.lines));
      if (member.is_empty) cell.Set("empty", true);
      return cell;
    }
    return cell.Set("state", "absent").Set("searched", Json::Array{searched + " " + class_place.name});
  }

  static const char* BaseState(const ClassMember& member) {
    return member.state == State::kPure ? "pure" : member.state == State::kThrows ? "throws" : "default";
  }

  Json InterfaceJson(const ScopeInterface& interface) {
    Json rows = Json::EmptyArray(), json;
    const Place base = PlaceOf(interface.base);
    json.Set("id", interface.id).Set("area", interface.area).Set("class", interface.base.name);
    json.Set("base", interface.base.repo + ":" + interface.base.path).Set("read", base.file != nullptr);
    Json backends = Json::EmptyArray();
    for (const auto& [backend, place] : interface.backends) backends.Append(backend);
    json.Set("backends", std::move(backends));
    if (base.file)
      for (const ClassMember& member : MembersOf(base, interface.base.name, interface.base.name))
        if (member.is_virtual || member.state == State::kPure || member.state == State::kOverride)
          rows.Append(RowJson(interface, base, member));
    return json.Set("members", std::move(rows));
  }

  Json RowJson(const ScopeInterface& interface, const Place& base, const ClassMember& member) {
    const bool python = base.file->path.ends_with(".py");
    Json cells = Json::EmptyObject(), base_cell, row;
    int64_t fills = 0;
    std::vector<std::string> missing;
    for (const auto& [backend, place] : interface.backends) {
      Json cell = CellOf(place, member, interface.base.name, python);
      const std::string state = cell.StringOr("state");
      if (state == "override" || state == "same-name") ++fills;
      if (state == "absent" || state == "throws") missing.push_back(backend);
      cells.Set(backend, std::move(cell));
    }
    base_cell.Set("state", BaseState(member)).Set("cite", Cite(base, member.lines));
    for (const std::string& backend : missing) {
      if (fills == 0) continue;  // nobody fills it: not a gap of one
      Json gap, filled = Json::EmptyArray();
      for (const auto& [other, cell] : *cells.AsObject())
        if (cell.StringOr("state") == "override" || cell.StringOr("state") == "same-name") filled.Append(other);
      gap.Set("interface", interface.id)
          .Set("member", interface.base.name + "::" + member.name)
          .Set("backend", backend);
      gap.Set("base_state", BaseState(member)).Set("filled_by", std::move(filled)).Set("fills", fills);
      // The line to look at: of the backend where it throws, of XPU where XPU has it, else of the base.
      const Json& own = cells[backend]["cite"];
      const Json& xpu = cells["xpu"]["cite"];
      gap.Set("look_at", own.IsObject() ? own : xpu.IsObject() ? xpu : base_cell["cite"]);
      gaps_.push_back({fills, std::move(gap)});
    }
    row.Set("member", member.name).Set("signature", member.signature).Set("base", std::move(base_cell));
    return row.Set("cells", std::move(cells)).Set("fills", fills).Set("gaps", Json(missing));
  }

  const Scope& scope_;
  const Grounded& grounded_;
  std::map<std::string, std::optional<std::vector<ClassText>>> classes_;
  std::vector<Gap> gaps_;
};

std::string Where(const Json& cite) {
  if (!cite.IsObject()) return {};
  const std::string path = cite.StringOr("path");
  return path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1) + ":" +
         std::to_string(cite.ArrayOf("lines").empty() ? 0 : cite.ArrayOf("lines")[0].AsInt().value_or(0));
}

std::string CellText(const Json& cell) {
  const std::string state = cell.StringOr("state");
  if (state == "absent" || state == "unread") return state == "absent" ? "**absent**" : "unread";
  return state + (cell.BoolOr("empty", false) ? ", empty " : " ") + CodeCell(Where(cell["cite"]), 120);
}

}  // namespace

Json ReferenceMatrixJson(const Scope& scope, const Grounded& grounded) { return Matrix(scope, grounded).Build(); }

std::string ReferenceMatrixMarkdown(const Json& matrix) {
  std::string page =
      "# Reference matrix\n\nInterface members against backends, by comparing text; nothing was run. A gap is a "
      "candidate for a person to check.\n"
      "`same-name`: declared without `override`. `absent`: not in the class; the files searched are in "
      "reference-matrix.json.\n\n"
      "## Gaps, most widely filled first\n\n";
  if (matrix.ArrayOf("gaps").empty())
    page += "None.\n";
  else
    page += "| member | lacks it | base | filled by | look at |\n| --- | --- | --- | --- | --- |\n";
  for (const Json& gap : matrix.ArrayOf("gaps")) {
    std::string filled;
    for (const std::string& one : gap.StringsOf("filled_by")) filled += (filled.empty() ? "" : ", ") + one;
    page += "| " + CodeCell(gap.StringOr("member")) + " | " + gap.StringOr("backend") + " | " +
            gap.StringOr("base_state") + " | " + filled + " | " +
            CodeCell(gap["look_at"].StringOr("repo") + ":" + gap["look_at"].StringOr("path") + ":" +
                         Where(gap["look_at"]).substr(Where(gap["look_at"]).rfind(':') + 1),
                     300) +
            " |\n";
  }
  for (const Json& interface : matrix.ArrayOf("interfaces")) {
    page += "\n## " + interface.StringOr("id") + "\n\n" + CodeSpan(interface.StringOr("class")) + " in " +
            CodeSpan(interface.StringOr("base"), 300) + "\n\n";
    if (!interface.BoolOr("read", false)) {
      page += "Not in the readset.\n";
      continue;
    }
    page += "| member | base |";
    std::string rule = "\n| --- | --- |";
    for (const std::string& backend : interface.StringsOf("backends")) page += " " + backend + " |", rule += " --- |";
    page += rule + "\n";
    for (const Json& row : interface.ArrayOf("members")) {
      page += "| " + CodeCell(row.StringOr("member")) + " | " + CellText(row["base"]) + " |";
      for (const std::string& backend : interface.StringsOf("backends"))
        page += " " + CellText(row["cells"][backend]) + " |";
      page += "\n";
    }
  }
  if (matrix.ArrayOf("interfaces").empty()) page += "\nThe scope names no interface.\n";
  return page;
}

}  // namespace xpu_align::distill
