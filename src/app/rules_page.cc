#include "app/rules_page.h"

#include <algorithm>
#include <span>
#include <vector>

#include "app/rule_set.h"
#include "compose/precheck.h"
#include "judge/judge.h"
#include "judge/settle.h"
#include "rules/embedded.h"

namespace xpu_align {
namespace {

constexpr std::string_view kHead =
    "# Rules\n\nGenerated from `src/rules/*.json` and from the tables of the stages. Each table stands in the order in which its "
    "rules are\nasked; where nothing else is said, the first rule that holds decides. The ids are those of ledger, report and\n"
    "`xpu-align explain`. Expressions, with texts that they must and must not match, are in `src/rules`.\n\nThe rules of triage "
    "(titles, details, path classes) are those for the target `xpu`: the common ones after those of `src/rules/triage/xpu.json`.\n"
    "`--rules FILE` adds own rules before them and switches shipped ones off by id; such a file has the form of "
    "`src/rules/triage/xpu.json`,\nwith a member `off`. A rule in it that does not hold for its own `hits`, or holds for its own "
    "`near_misses`, is refused.\n";

// `text` inside a table cell: a bar would end it.
std::string Cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string Code(std::string_view text) { return text.empty() ? "" : "`" + Cell(text) + "`"; }

std::string CodeList(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : " ") + Code(text);
  return out;
}

// A table with a number in front of every row.
class OrderedTable {
 public:
  explicit OrderedTable(const std::vector<std::string_view>& header) {
    text_ = "\n| # |";
    for (const std::string_view name : header) text_ += " " + std::string(name) + " |";
    text_ += "\n| ---: |";
    for (size_t i = 0; i < header.size(); ++i) text_ += " --- |";
    text_ += "\n";
  }
  void Row(const std::vector<std::string>& cells) {
    text_ += "| " + std::to_string(++rows_) + " |";
    for (const std::string& cell : cells) text_ += " " + cell + " |";
    text_ += "\n";
  }
  const std::string& Text() const { return text_; }

 private:
  std::string text_;
  int rows_ = 0;
};

std::string TitleSection(const Json& title) {
  // TitleFilter asks the protecting rules first.
  Json::Array rules = title.ArrayOf("rules");
  std::ranges::stable_partition(rules, [](const Json& rule) { return rule.StringOr("action") == "protect"; });
  OrderedTable table({"rule", "does", "kinds", "reason"});
  for (const Json& rule : rules) {
    const std::vector<std::string> kinds = rule.StringsOf("kinds");
    table.Row({Code(rule.StringOr("id")), rule.StringOr("action"), kinds.empty() ? "all" : CodeList(kinds),
               Cell(rule.StringOr("reason"))});
  }
  return "\n## Titles\n\nAsked of the title alone, before anything else is fetched. A protected title passes whatever the rules after "
         "it say;\nso does a title that no rule knows.\n" +
         table.Text() +
         "\nOne more is no pattern: `already-processed` rejects what an earlier window's run has an answer for and what has not "
         "changed since.\n`docs/run-directory.md` has it in full (`artifacts/history_used.json`); it protects nothing and is asked "
         "last.\n";
}

std::string ReasonsSection(const Json& deep) {
  OrderedTable table({"reason", "means"});
  for (const std::string& reason : DetailRules::Reasons()) table.Row({Code(reason), Cell(deep["reasons"].StringOr(reason))});
  return "\n## Reasons of a deep rejection\n\nThe closed list: every rule of the next table gives one of these. `duplicate-chain` is "
         "given by the chains, not by a rule.\nIssue, pull request and commit are one chain by what they say of each other "
         "(`Fixes #5`), by ghstack, or by equal scripts. What an author without\nassociation to the repository says moves only that "
         "candidate, into one chain, and not where it would stand before a member that passes alone.\n" +
         table.Text();
}

std::string DeepSection(const DeepFilter& filter) {
  OrderedTable table({"rule", "reason", "says"});
  for (const DetailMatch& rule : filter.AllRules()) table.Row({Code(rule.rule), Code(rule.reason), Cell(rule.text)});
  return "\n## Details\n\nAsked of title, body, labels and diff together. `diff-` rules look at the classes of the changed files, "
         "`material-` rules at\nwhat there is to run; the others are `src/rules/deep.json`. What can not be told passes.\n" +
         table.Text();
}

std::string PathSection(const Json& paths) {
  OrderedTable table({"rule", "class", "area", "paths", "counterpart"});
  for (const Json& rule : paths.ArrayOf("rules"))
    table.Row({Code(rule.StringOr("id")), Code(rule.StringOr("class")), Code(rule.StringOr("area")), CodeList(rule.StringsOf("globs")),
               Code(rule.StringOr("counterpart"))});
  return "\n## Path classes\n\nWhat a changed file of the scanned repository means for the target. A path that no rule knows is "
         "`unknown`, and unknown passes. In a counterpart `$1` is what\nthe first wildcard matched and `$stem` the file's name without "
         "endings like `Kernel`, or what `stems` says.\n" +
         table.Text();
}

std::string RefusalSection() {
  OrderedTable table({"refusal", "bucket", "means"});
  for (const RefusalMeaning& entry : RefusalsByWeight())
    table.Row({Code(Name(entry.refusal)), Code(Name(JudgeRefusal(entry.refusal, "").bucket)), Cell(entry.meaning)});
  return "\n## Refusals of the precheck\n\nWhy a script is not run. A script with several gets the first of them.\n" + table.Text();
}

std::string PrecheckSection(const Json& precheck) {
  OrderedTable table({"rule", "refusal", "looks at", "says"});
  for (const Json& rule : precheck.ArrayOf("rules"))
    table.Row({Code(rule.StringOr("id")), Code(rule.StringOr("refusal")), rule.StringOr("on"), Cell(rule.StringOr("text"))});
  return "\n### Patterns of the precheck\n\nAll are asked. Refusals that need the syntax tree come from the composer itself.\n" + table.Text();
}

std::string DescribedSection(std::string_view head, const std::vector<RuleDescription>& rules) {
  OrderedTable table({"rule", "asks", "answers"});
  for (const RuleDescription& rule : rules) table.Row({Code(rule.id), Cell(rule.asks), Cell(rule.answers)});
  return std::string(head) + table.Text();
}

}  // namespace

Result<std::string> RenderRulesPage() {
  TRY_ASSIGN(const TriageRules triage, ShippedTriageRules("xpu"));
  const auto& [title, paths, deep] = triage;
  TRY_ASSIGN(const Json precheck, ParseJson(rules::Embedded("rules/precheck.json")));
  TRY_ASSIGN(const DeepFilter filter, DeepFilter::FromJson(paths, deep));
  return std::string(kHead) + TitleSection(title) + ReasonsSection(deep) + DeepSection(filter) + PathSection(paths) +
         RefusalSection() + PrecheckSection(precheck) +
         DescribedSection("\n## Judge\n\nFrom evidence to bucket. The rules at the end look at the answers of all attempts together.\n", JudgeRules()) +
         DescribedSection("\n## Settle and route\n\nFrom bucket to verdict, then, for a finding, the repository in which a fix would be made.\n",
                          SettleRules());
}

}  // namespace xpu_align
