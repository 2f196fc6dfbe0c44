#include "distill/skill.h"

#include <algorithm>
#include <set>

#include "distill/card.h"
#include "distill/markdown_text.h"

namespace xpu_align::distill {
namespace {

struct Section {
  FactKind kind;
  const char* sentence;
  size_t most;
};

// In the order of use: what to set, what to register, what to fill.
constexpr Section kProcedure[] = {
    {FactKind::kEnv, "Look at the environment variables that this area reads", 16},
    {FactKind::kEnvSet, "Know which variables the code sets for the whole process", 6},
    {FactKind::kCfg, "Check the keys of the configuration", 10},
    {FactKind::kReg, "Make sure that these registrations happen", 16},
    {FactKind::kDispatch, "Compare the dispatch keys", 8},
    {FactKind::kVirtual, "Fill what the interface asks for", 14},
    {FactKind::kOverride, "Compare with what the backend fills", 10},
};
constexpr size_t kMessages = 30, kStates = 8;

bool ConcernsXpu(const Fact& fact) { return std::ranges::find(fact.audience, "xpu") != fact.audience.end(); }

// Facts of a kind: one a subject, what matters to XPU first.
std::vector<const Fact*> Chosen(const std::vector<Fact>& facts, std::initializer_list<FactKind> kinds, size_t most) {
  std::vector<const Fact*> chosen;
  std::set<std::string> seen;
  for (const bool xpu : {true, false})
    for (const Fact& fact : facts)
      if (ConcernsXpu(fact) == xpu && std::ranges::find(kinds, fact.kind) != kinds.end() && chosen.size() < most &&
          seen.insert(fact.key).second)
        chosen.push_back(&fact);
  return chosen;
}

size_t CountOf(const std::vector<Fact>& facts, std::initializer_list<FactKind> kinds) {
  return static_cast<size_t>(std::ranges::count_if(
      facts, [&](const Fact& fact) { return std::ranges::find(kinds, fact.kind) != kinds.end(); }));
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string LicenseOf(const std::vector<const GroundedRepository*>& repositories) {
  std::set<std::string> names;
  for (const GroundedRepository* one : repositories) names.insert(one->license);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " AND ") + name;
  return text;
}

std::string Frontmatter(const Scope& scope, const ScopeArea& area,
                        const std::vector<const GroundedRepository*>& repositories, const std::string& card_sha256) {
  return "---\nname: " + Quoted(area.id) + "\ndescription: " + Quoted(DescriptionOf(area, scope.policy)) +
         "\nlicense: " + Quoted(LicenseOf(repositories)) + "\nmetadata:\n  distill-status: " + Quoted(kStatus) +
         "\n  distill-run: " + Quoted(kRun) + "\n  distill-pins: " + Quoted(ShortPins(repositories)) +
         "\n  distill-card: " + Quoted(card_sha256) + "\n---\n";
}

std::string MessageRow(const Fact& fact) {
  std::string condition = fact.value.StringOr("condition");
  if (!condition.empty()) condition = "unless " + condition;
  if (condition.empty() && fact.value.Has("under")) condition = "if " + fact.value.StringOr("under");
  const std::string message = fact.value.Has("message") ? fact.value.StringOr("message") : fact.value.StringOr("type");
  return "| " + CodeCell(message.empty() ? "(no text)" : message, 120) + " | " +
         (condition.empty() ? "always" : CodeCell(condition, 80)) + " | " + PlaceSpan(fact.Cite()) + " `" + fact.id +
         "` |\n";
}

}  // namespace

std::string DescriptionOf(const ScopeArea& area, const ScopePolicy& policy) {
  const std::string text =
      area.summary + (area.summary.ends_with('.') ? " " : ". ") + area.when + (area.when.ends_with('.') ? "" : ".");
  return text.size() <= policy.max_description ? text : area.when.substr(0, policy.max_description);
}

std::string SkillMarkdown(const Scope& scope, const ScopeArea& area, const Readset& readset, const AreaFacts& facts,
                          const std::string& card_sha256) {
  const auto repositories = RepositoriesOf(area, readset);
  std::string page =
      Frontmatter(scope, area, repositories, card_sha256) + "\n# " + area.title + "\n\n## Scope and pins\n\n";
  for (const GroundedRepository* one : repositories)
    page += "- " + one->id + " is " + one->slug + " at `" + one->pin + "`" +
            (one->label.empty() ? "" : " (" + one->label + ")") + ".\n";
  page += "- This is knowledge about source text. Nothing was built, run or measured: status candidate, run not_run.\n";
  page +=
      "\n## Before you trust this\n\n1. Compare the commit you work on with the pin above. When they differ, run "
      "`xpu-align distill drift` first.\n"
      "2. Run `xpu-align distill verify` with the scope and clones that hold the pins. Any finding: do not use this "
      "skill.\n"
      "3. Open the cited lines before you act on a fact.\n\n## Procedure\n\n";
  int step = 0;
  for (const Section& section : kProcedure) {
    const auto chosen = Chosen(facts.facts, {section.kind}, section.most);
    if (chosen.empty()) continue;
    page += std::to_string(++step) + ". " + section.sentence + ":\n";
    for (const Fact* fact : chosen) page += "   - " + Statement(*fact) + " (`" + fact->id + "`)\n";
    if (const size_t all = CountOf(facts.facts, {section.kind}); all > chosen.size())
      page += "   - " + std::to_string(all - chosen.size()) + " more of this kind are in the card.\n";
  }
  page += std::to_string(++step) +
          ". When something fails, look its message up below; the condition says what was not met.\n";
  const auto messages = Chosen(facts.facts, {FactKind::kCheck, FactKind::kWarn}, kMessages);
  page += "\n## Failure messages\n\n";
  if (messages.empty()) {
    page += "The readset holds none.\n";
  } else {
    page += "| message | condition | where |\n| --- | --- | --- |\n";
    for (const Fact* fact : messages) page += MessageRow(*fact);
    if (const size_t all = CountOf(facts.facts, {FactKind::kCheck, FactKind::kWarn}); all > messages.size())
      page += "\n" + std::to_string(all - messages.size()) + " more are in the card.\n";
  }
  if (const auto states = Chosen(facts.facts, {FactKind::kState, FactKind::kEnum}, kStates); !states.empty()) {
    page += "\n## State machine\n\n";
    for (const Fact* fact : states) page += "- " + Statement(*fact) + " (`" + fact->id + "`)\n";
  }
  const AreaReadset& read = *std::ranges::find(readset.areas, area.id, &AreaReadset::area);
  page +=
      "\n## Not covered, not run\n\n- Read: " + std::to_string(read.files.size()) + " files, " +
      std::to_string(read.lines) + " lines. Left out: " + std::to_string(read.skipped.size()) +
      " files with a reason, " + std::to_string(read.unread.size()) +
      " unread files beside them; see coverage.\n- No device was used, no test was run, no performance is claimed.\n"
      "- Comments are never a source here, and no macro was expanded.\n\n## References\n\n- [All facts with their "
      "citations](card.md)\n"
      "- [The same for programs](card.json)\n";
  return page;
}

}  // namespace xpu_align::distill
