#include <algorithm>

#include "distill/fact_maker.h"
#include "distill/verify_steps.h"
#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

// What is left of code when formatting is gone.
struct Essence {
  std::string all;      // without white space, quotes and comments
  std::string strings;  // the contents of its literals one behind the other, without white space
};

Essence EssenceOf(std::string_view code, bool python) {
  Essence out;
  char quote = '\0';
  // Directives between the lines of a fact are no part of it; a definition is all directive.
  const bool is_directive = code.substr(0, code.find('\n')).find_first_not_of(" \t") < code.size() &&
                            code[code.find_first_not_of(" \t")] == '#';
  bool line_start = true;
  const auto put = [&](char c) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') return;
    out.all += c;
    if (quote != '\0') out.strings += c;
  };
  for (size_t i = 0; i < code.size(); ++i) {
    const char c = code[i], next = i + 1 < code.size() ? code[i + 1] : '\0';
    if (c == '\\') {
      if (next != '\n' && next != '\r') put(c), put(next);
      ++i;
    } else if (quote != '\0') {
      if (c == quote)
        quote = '\0';
      else
        put(c);
    } else if (c == '"' || (c == '\'' && python)) {
      quote = c;
    } else if (!python && c == '/' && (next == '/' || next == '*')) {
      const size_t end = next == '/' ? code.find('\n', i) : code.find("*/", i + 2);
      i = end == std::string_view::npos ? code.size() : next == '/' ? end : end + 1;
    } else if (c == '#' && (python || (line_start && !is_directive))) {
      i = std::min(code.find('\n', i), code.size()) - 1;
    } else {
      put(c);
    }
    line_start = c == '\n' || (line_start && (c == ' ' || c == '\t'));
  }
  return out;
}

std::string WithoutSpace(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool continued = c == '\\' && i + 1 < text.size() && (text[i + 1] == '\n' || text[i + 1] == '\r');
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && !continued) out += c;
  }
  return out;
}

void Pieces(std::string_view text, std::vector<std::string>* out) {
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find("{}", at), text.size());
    if (end > at) out->emplace_back(text.substr(at, end - at));
    at = end + 2;
  }
}

void Texts(const Json& value, std::vector<std::string>* out) {
  if (value.IsString()) out->push_back(*value.AsString());
  if (const auto* array = value.AsArray())
    for (const Json& one : *array) Texts(one, out);
  if (const auto* object = value.AsObject())
    for (const auto& [name, member] : *object)
      if (!IsContextMember(name)) Texts(member, out);
}

std::string Where(const Citation& cite) {
  return cite.repo + ":" + UntrustedText(cite.path).ForLogLine(300) + ":" + std::to_string(cite.lines.first) + "-" +
         std::to_string(cite.lines.last);
}

class FactChecks {
 public:
  explicit FactChecks(const VerifyWorld& world) : world_(world) {
    for (const GroundedRepository& repository : world.grounded.readset.repositories)
      trees_.try_emplace(repository.id, *world.clones.find(repository.id)->second.objects, repository.tree);
    for (const Json& area : world.JsonOf("readset.json").ArrayOf("areas"))
      for (const Json& file : area.ArrayOf("files"))
        listed_[area.StringOr("id") + "|" + file.StringOr("repo") + "|" + file.StringOr("path")] =
            file.StringOr("blob");
  }

  Status CheckArea(const ScopeArea& area, const AreaFacts& again) {
    const std::string path = "skills/" + area.id + "/card.json";
    std::map<std::string, const Fact*> by_id;
    for (const Fact& fact : again.facts) by_id[fact.id] = &fact;
    std::set<std::string> ids;
    std::set<std::pair<std::string, int>> numbers;
    for (const Json& json : world_.JsonOf(path).ArrayOf("facts")) {
      const auto fact = FactFromJson(json);
      if (!fact) {
        world_.Report(CheckId::kReextraction, path, "holds a fact that is none: " + fact.error().message);
        continue;
      }
      ++world_.figures->facts;
      const std::string where = path + " " + UntrustedText(fact->id).ForLogLine(40);
      if (!ids.insert(fact->id).second) world_.Report(CheckId::kUniqueIds, where, "the id is used twice");
      if (!numbers.emplace(fact->Cite().repo + "|" + fact->key, fact->nth).second)
        world_.Report(CheckId::kUniqueIds, where, "two facts of one key have the same number");
      const auto found = by_id.find(fact->id);
      if (found == by_id.end())
        world_.Report(CheckId::kReextraction, where, "extracting again gives no fact of this id");
      else if (found->second->kind != fact->kind || found->second->key != fact->key ||
               !(found->second->value == fact->value))
        world_.Report(CheckId::kReextraction, where, "extracting again gives another kind, key or value");
      std::string quotes;
      for (const Citation& cite : fact->cites) {
        ++world_.figures->citations;
        TRY(CheckCitation(area, cite, where, &quotes));
      }
      std::vector<std::string> texts, pieces;
      Texts(fact->value, &texts);
      for (const std::string& text : texts) Pieces(text, &pieces);
      for (const std::string& piece : pieces)
        if (!quotes.empty() && !StandsIn(piece, quotes, fact->Cite().path)) {
          world_.Report(CheckId::kValueInQuote, where,
                        "'" + UntrustedText(piece).ForLogLine(80) + "' is not in the cited lines");
          break;
        }
    }
    return {};
  }

 private:
  Status CheckCitation(const ScopeArea& area, const Citation& cite, const std::string& where, std::string* quotes) {
    const auto listed = listed_.find(area.id + "|" + cite.repo + "|" + cite.path);
    if (listed == listed_.end() || listed->second != cite.blob)
      world_.Report(CheckId::kCitedFile, where, Where(cite) + " is not in readset.json with this blob");
    const auto tree = trees_.find(cite.repo);
    const PinnedEntry* entry = nullptr;
    if (tree != trees_.end()) {
      TRY_ASSIGN(entry, tree->second.At(cite.path));
    }
    if (!entry || entry->id != cite.blob)
      world_.Report(CheckId::kBlobAtPin, where, Where(cite) + " is another blob at the pin");
    const auto source = world_.grounded.sources.find(cite.blob);
    if (source == world_.grounded.sources.end()) return {};  // reported as D201 or D202
    const std::string quote = source->second.Lines(cite.lines);
    const std::optional<LineRange> window = WindowOf(area, cite);
    if (cite.lines.first < 1 || cite.lines.last < cite.lines.first || cite.lines.last > source->second.LineCount() ||
        (window && !window->Contains(cite.lines)))
      world_.Report(CheckId::kRange, where, Where(cite) + " lies outside of the blob or the window");
    else if (source->second.QuoteHash(cite.lines) != cite.quote)
      world_.Report(CheckId::kQuote, where, Where(cite) + " does not hash to the quote");
    *quotes += source->second.Value(quote) + "\n";
    return {};
  }

  static std::optional<LineRange> WindowOf(const ScopeArea& area, const Citation& cite) {
    for (const ScopeRead& read : area.reads)
      if (const auto window = read.windows.find(cite.path); read.repo == cite.repo && window != read.windows.end())
        return window->second;
    return std::nullopt;
  }

  const VerifyWorld& world_;
  std::map<std::string, PinnedTree> trees_;
  std::map<std::string, std::string> listed_;
};

}  // namespace

bool StandsIn(const std::string& text, const std::string& quote, std::string_view path) {
  const bool python = path.ends_with(".py") || path.ends_with(".pyi");
  if (quote.contains(text)) return true;
  const Essence essence = EssenceOf(quote, python);
  return essence.strings.contains(WithoutSpace(text)) || essence.all.contains(EssenceOf(text, python).all);
}

Status CheckFacts(const VerifyWorld& world) {
  FactChecks checks(world);
  for (size_t i = 0; i < world.scope.areas.size(); ++i)
    TRY(checks.CheckArea(world.scope.areas[i], world.built.areas[i]));
  return {};
}

void CheckReadset(const VerifyWorld& world) {
  std::set<std::string> reasons;
  for (int i = 0; i <= static_cast<int>(SkipReason::kOwned); ++i) reasons.emplace(SkipName(static_cast<SkipReason>(i)));
  for (const Json& area : world.JsonOf("readset.json").ArrayOf("areas")) {
    const std::string where = "readset.json " + UntrustedText(area.StringOr("id")).ForLogLine(80);
    for (const Json& skipped : area.ArrayOf("skipped"))
      if (!reasons.contains(skipped.StringOr("reason")))
        world.Report(CheckId::kSkipReason, where,
                     UntrustedText(skipped.StringOr("path")).ForLogLine(300) + " is left out without a known reason");
    for (const Json& file : area.ArrayOf("files")) {
      const std::string path = UntrustedText(file.StringOr("path")).ForLogLine(300), mode = file.StringOr("mode");
      if (!mode.starts_with("100"))
        world.Report(CheckId::kSkipReason, where,
                     path + " has mode " + UntrustedText(mode).ForLogLine(20) + " and may not be read");
      for (const Exclusion& exclusion : world.scope.exclusions)
        for (const PathGlob& glob : exclusion.paths)
          if ((exclusion.repo.empty() || exclusion.repo == file.StringOr("repo")) &&
              glob.Matches(file.StringOr("path")))
            world.Report(CheckId::kSkipReason, where, path + " is on the exclusion list: " + exclusion.reason);
    }
  }
}

}  // namespace xpu_align::distill
