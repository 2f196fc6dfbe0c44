#include "app/explain_text.h"

#include <algorithm>

#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

constexpr size_t kLabelWidth = 10;

// A string member as it may be shown.
std::string Shown(const Json& json, std::string_view key, size_t max_chars = 160) {
  return UntrustedText(json.StringOr(key)).ForLogLine(max_chars);
}

// ": text" when there is one.
std::string After(std::string_view mark, const std::string& text) { return text.empty() ? "" : std::string(mark) + text; }

class Text {
 public:
  // One labelled fact. An empty one is left out.
  void Fact(std::string_view label, const std::string& text) {
    if (text.empty()) return;
    out_ += std::string(label) + std::string(kLabelWidth - std::min(kLabelWidth - 1, label.size()), ' ') + text + "\n";
  }
  void Detail(const std::string& text) { out_ += std::string(kLabelWidth, ' ') + text + "\n"; }
  std::string Take() && { return std::move(out_); }

 private:
  std::string out_;
};

void TellTitle(const Json& answer, Text* text) {
  const Json &row = answer["row"], &title = answer["title"];
  const std::string rule = Shown(title, "rule");
  text->Fact("title", Shown(row, "title_status") +
                          (rule.empty() ? " (no rule knows it)" : " (rule " + rule + ": " + Shown(title, "reason") + ")"));
  if (title.Has("matched")) text->Detail("matched \"" + Shown(title, "matched") + "\"");
  // A pass against a rejecting rule was revived, or decided by other rules.
  if (title.StringOr("status") != row.StringOr("title_status"))
    text->Detail("by its title alone: " + Shown(title, "status") + "; the ledger says " + Shown(row, "title_status"));
  for (const Json& event : row.ArrayOf("history")) text->Detail(Shown(event, "event") + ": " + Shown(event, "text"));
}

void TellDetails(const Json& answer, Text* text) {
  const Json& row = answer["row"];
  text->Fact("details", Shown(row, "deep_status") + After(" ", Shown(row["deep_reason"], "rule")) +
                            After(": ", Shown(row["deep_reason"], "text", 300)));
  if (row.Has("hold")) text->Detail("held: " + Shown(row, "hold"));
  std::string label = "files";
  for (const Json& file : answer.ArrayOf("files")) {
    const std::string rule = Shown(file, "rule");
    text->Fact(label, Shown(file, "path") + "  " + Shown(file, "class") + After(" of ", Shown(file, "counterpart")) +
                          (rule.empty() ? " (no rule knows it)" : " (rule " + rule + ")"));
    label = " ";
  }
  label = "features";
  for (const Json& feature : answer.ArrayOf("features")) {
    text->Fact(label, Shown(feature, "id") + " (\"" + Shown(feature, "seen", 60) + "\"): " + Shown(feature, "text"));
    label = " ";
  }
  const Json& chain = row["chain"];
  if (!chain.IsObject()) return;
  std::string members;
  for (const std::string& member : chain.StringsOf("members")) members += (members.empty() ? "" : ", ") + member;
  text->Fact("chain", UntrustedText(members).ForLogLine(400) + "; " + Shown(chain, "leader") + " stands for it");
  text->Detail("on the trunk: " + Shown(chain, "state") + After(" by ", Shown(chain, "commit")));
}

void TellScript(const Json& answer, Text* text) {
  const Json& composition = answer["composition"];
  if (!composition.IsObject()) return;
  text->Fact("script", Shown(composition, "strategy") + ", for " + Shown(composition, "target") +
                           After(", expects: ", Shown(composition["oracle"], "text")));
  for (const Json& repair : composition.ArrayOf("repairs"))
    text->Detail("line " + std::to_string(repair.IntOr("line")) + ": repaired, " + Shown(repair, "rule"));
  for (const Json& edit : composition.ArrayOf("edits"))
    text->Detail("line " + std::to_string(edit.IntOr("line")) + ": " + Shown(edit, "rule") + ", " + Shown(edit, "before", 60) +
                 " -> " + Shown(edit, "after", 60));
  if (const Json& refusal = composition["refusal"]; refusal.IsObject())
    text->Detail("refused: " + Shown(refusal, "rule") + After(": ", Shown(refusal, "text")));
}

void TellRuns(const Json& answer, Text* text) {
  std::string label = "attempts";
  for (const Json& attempt : answer.ArrayOf("attempts")) {
    text->Fact(label, Shown(attempt, "arm") + " " + std::to_string(attempt.IntOr("number")) + ": " + Shown(attempt, "outcome") +
                          " " + std::to_string(attempt.IntOr("exit_status")) + After(", ", Shown(attempt, "exception")));
    label = " ";
  }
  const Json& judgement = answer["judgement"];
  if (!judgement.IsObject()) return;
  text->Fact("judgement", Shown(judgement, "bucket") + After(" by rule ", Shown(judgement["decided"], "rule")) +
                              After(": ", Shown(judgement["decided"], "text", 300)));
  for (const Json& step : judgement.ArrayOf("rules_asked")) text->Detail(Shown(step, "rule") + After(": ", Shown(step, "text")));
}

}  // namespace

std::string ExplanationText(const Json& answer) {
  const Json& row = answer["row"];
  Text text;
  text.Fact(UntrustedText(row.StringOr("id")).ForLogLine(30), " " + Shown(row, "title", 200));
  text.Fact("", Shown(row, "url"));
  TellTitle(answer, &text);
  TellDetails(answer, &text);
  TellScript(answer, &text);
  TellRuns(answer, &text);
  text.Fact("result", Shown(row, "local_status") + After(", ", Shown(row, "local_bucket")) +
                          After(": ", Shown(row["bucket_reason"], "text", 300)));
  text.Fact("verdict", Shown(row, "verdict") + After(": ", Shown(row["verdict_reason"], "text", 300)));
  text.Fact("recheck", Shown(row, "recheck_after"));
  return std::move(text).Take();
}

}  // namespace xpu_align
