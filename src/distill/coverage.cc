#include "distill/coverage.h"

#include <algorithm>

#include "distill/markdown_text.h"

namespace xpu_align::distill {
namespace {

Json Recall(const CrudeCount& expected, const CrudeCount& extracted) {
  Json recall;
  const auto add = [&](const char* name, int64_t counted, int64_t found) {
    Json one;
    recall.Set(name, one.Set("counted", counted).Set("extracted", found));
  };
  add("check", expected.check, extracted.check);
  add("registration", expected.registration, extracted.registration);
  add("env", expected.env, extracted.env);
  add("raise", expected.raise, extracted.raise);
  return recall;
}

Json AreaJson(const AreaReadset& readset, const AreaFacts& facts) {
  Json kinds = Json::EmptyObject(), skipped = Json::EmptyArray(), empty = Json::EmptyArray();
  std::map<FactKind, int64_t> counts;
  for (const Fact& fact : facts.facts) ++counts[fact.kind];
  for (const auto& [kind, count] : counts) kinds.Set(KindName(kind), count);
  for (const SkippedFile& file : readset.skipped) {
    Json one;
    skipped.Append(
        one.Set("file", file.repo + ":" + file.path).Set("reason", SkipName(file.reason)).Set("detail", file.detail));
  }
  for (const EmptyGlob& glob : readset.empty_globs) empty.Append(glob.repo + ":" + glob.glob);
  Json json;
  json.Set("id", readset.area).Set("files_read", readset.files.size()).Set("lines_read", readset.lines);
  json.Set("bytes_read", readset.bytes).Set("facts", facts.facts.size()).Set("facts_by_kind", std::move(kinds));
  json.Set("skipped", std::move(skipped)).Set("empty_globs", std::move(empty)).Set("unread", Json(readset.unread));
  json.Set("recall", Recall(facts.expected, facts.extracted));
  return json;
}

}  // namespace

Json CoverageJson(const Scope& scope, const Readset& readset, const std::vector<AreaFacts>& areas) {
  Json list = Json::EmptyArray(), owners = Json::EmptyArray();
  for (size_t i = 0; i < readset.areas.size(); ++i) list.Append(AreaJson(readset.areas[i], areas[i]));
  for (const ScopeOwner& owner : scope.owners) {
    Json one, paths = Json::EmptyArray();
    for (const PathGlob& path : owner.paths) paths.Append(path.Text());
    owners.Append(one.Set("id", owner.id).Set("repo", owner.repo).Set("pin", owner.pin).Set("paths", std::move(paths)));
  }
  Json json;
  json.Set("schema", "distill/coverage@1").Set("areas", std::move(list)).Set("owners", std::move(owners));
  return json;
}

std::string CoverageMarkdown(const Json& coverage) {
  std::string page =
      "# Coverage\n\nWhat was read at the pins and what was not. Counted and extracted: a crude count of the text "
      "against the facts;\n"
      "extracted may be larger, the crude count knows fewer spellings.\n\n"
      "| area | files | lines | facts | checks | registrations | env | raise and throw | skipped | unread beside |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Json& area : coverage.ArrayOf("areas")) {
    const auto number = [&](const char* key) { return std::to_string(area.IntOr(key)); };
    const auto recall = [&](const char* key) {
      const Json& one = area["recall"][key];
      return std::to_string(one.IntOr("extracted")) + " of " + std::to_string(one.IntOr("counted"));
    };
    page += "| " + area.StringOr("id") + " | " + number("files_read") + " | " + number("lines_read") + " | " +
            number("facts") + " | " + recall("check") + " | " + recall("registration") + " | " + recall("env") + " | " +
            recall("raise") + " | " + std::to_string(area.ArrayOf("skipped").size()) + " | " +
            std::to_string(area.ArrayOf("unread").size()) + " |\n";
  }
  for (const Json& area : coverage.ArrayOf("areas")) {
    page += "\n## " + area.StringOr("id") + "\n\n";
    if (const auto* kinds = area["facts_by_kind"].AsObject())
      for (const auto& [name, count] : *kinds)
        page += "- " + name + ": " + std::to_string(count.AsInt().value_or(0)) + "\n";
    for (const std::string& glob : area.StringsOf("empty_globs"))
      page += "- matches nothing: " + CodeSpan(glob, 300) + "\n";
    for (const Json& file : area.ArrayOf("skipped"))
      page += "- skipped, " + file.StringOr("reason") + ": " + CodeSpan(file.StringOr("file"), 300) +
              (file.StringOr("detail").empty() ? "" : " (" + CodeSpan(file.StringOr("detail"), 200) + ")") + "\n";
    for (const std::string& file : area.StringsOf("unread")) page += "- unread: " + CodeSpan(file, 300) + "\n";
  }
  page += "\n## Owners that are respected\n\n";
  for (const Json& owner : coverage.ArrayOf("owners")) {
    page += "- " + owner.StringOr("id") + " (" + owner.StringOr("repo") +
            (owner.StringOr("pin").empty() ? "" : " at " + owner.StringOr("pin")) + "):";
    for (const std::string& path : owner.StringsOf("paths")) page += " " + CodeSpan(path, 300);
    page += "\n";
  }
  if (coverage.ArrayOf("owners").empty()) page += "The scope names none.\n";
  return page;
}

}  // namespace xpu_align::distill
