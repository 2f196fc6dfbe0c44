#include "report/drafts.h"

#include <algorithm>

#include "report/markdown.h"
#include "report/quoted_block.h"
#include "report/redact.h"
#include "report/row_facts.h"
#include "text/pattern.h"
#include "text/utf8.h"

namespace xpu_align {
namespace {

// The description is at most about 30,000 bytes when every character of it has to be escaped; a script that
// does not fit into what is left is attached.
constexpr size_t kScriptBytes = 40'000;
constexpr size_t kOutputBytes = 8'000;
constexpr size_t kVersionsBytes = 6'000;
constexpr size_t kTitleChars = 256;
constexpr size_t kShownEdits = 5;

std::string Describe(const RowFacts& facts) {
  const LedgerRow& row = facts.row;
  std::string out = "- Upstream: " + WebLink(row.url) + " says: " + UpstreamWords(facts) + "\n";
  out += "- Here: " + LocalWords(facts) + "; " + Prose(row.signature.text) + "\n";
  if (const std::string arms = ArmWords(facts); !arms.empty()) out += "- Attempts: " + arms + "\n";
  out += "- Result: " + std::string(Name(*row.bucket)) + " because " + ReasonWords(row.bucket_reason) + "\n";
  if (row.verdict)
    out += "- Verdict: " + std::string(Name(*row.verdict)) + " because " + ReasonWords(row.verdict_reason) + "\n";
  out += "- Fix state: " + FixWords(row) + "\n";
  if (!row.route_repository.empty())
    out += "- Implementation repository: " + Prose(row.route_repository, 100) + " (rule " + CodeSpan(row.route_rule) +
           ")\n";
  if (!row.suspected_component.empty()) out += "- Suspected component: " + Prose(row.suspected_component, 40) + "\n";
  if (facts.composition && !facts.composition->edits.empty()) {
    std::vector<std::string> edits;
    for (const Edit& edit : facts.composition->edits)
      if (edits.size() < kShownEdits) edits.push_back(CodeSpan(edit.rule) + " in line " + std::to_string(edit.line));
    const size_t more = facts.composition->edits.size() - edits.size();
    out += "- The script is upstream's code with " + Counted(facts.composition->edits.size(), "edit") + ": " +
           Joined(edits) + (more ? " and " + std::to_string(more) + " more" : "") + "\n";
  }
  return out;
}

// The finding's fingerprint, by which filing finds an issue that exists already.
std::string Marker(const LedgerRow& row) {
  static const Pattern hex = Pattern::Constant(R"(^[0-9a-f]{1,64}$)");
  const std::string& fingerprint = row.signature.fingerprint;
  return "<!-- xpu-align: " + (hex.FoundIn(fingerprint) ? fingerprint : row.id.Text()) + " -->\n";
}

std::string Body(const ReportInput& input, const RowFacts& facts) {
  Redactor redactor;
  const std::string head = "### Describe the bug\n\n" + Describe(facts) + "\n";
  const Attempt* deciding = DecidingAttempt(facts);
  const UntrustedText output = redactor.Redact(deciding ? deciding->tail : UntrustedText());
  std::string tail = "\n" + QuotedBlock(output, "text", kOutputBytes, Keep::kTail);
  const UntrustedText versions = redactor.Redact(UntrustedText(input.collect_env));
  tail += "\n---\n\n### Versions\n\n" + QuotedBlock(versions, "text", kVersionsBytes, Keep::kHead);
  if (const std::string taken = redactor.Summary(); !taken.empty()) tail += "\nRedacted: " + taken + "\n";
  tail += "\n" + Marker(facts.row);

  std::string script = "The script is `scripts/repro_" + facts.row.id.Text() +
                       ".py` of the run: attach the script, it can not be shown here unchanged.\n";
  const size_t room = kMaxDraftBody - 1 - head.size() - tail.size();
  if (facts.script)
    if (std::string whole = VerbatimBlock(*facts.script, "python", std::min(kScriptBytes, room)); !whole.empty())
      script = std::move(whole);
  const std::string out = head + script + tail;
  CHECK(out.size() < kMaxDraftBody);  // bytes are at least as many as characters
  return out;
}

std::string_view SourceWords(const LedgerRow& row) {
  return row.id.kind() == Kind::kIssue ? "upstream-issue" : "upstream-pr";
}

std::string Render(const ReportInput& input, const Draft& draft, const LedgerRow& row, size_t number) {
  std::vector<std::string> labels;
  for (const std::string& label : draft.labels) labels.push_back(Prose(label, 60));
  std::string out = "## Issue " + std::to_string(number) + "\n\n";
  out += "**Suggested title:** " + Prose(draft.title) + "\n";
  out += "**Suggested labels:** " + Joined(labels) + "\n";
  out += "**Upstream source:** " + WebLink(row.url) + " (" + std::string(SourceWords(row)) + ")\n";
  out += "**Scan date:** " + FormatDate(input.window.start) + " to " + FormatDate(input.window.end) + "\n";
  out += "**Local XPU result:** " + std::string(Name(*row.bucket)) + " on torch " +
         CodeSpan(input.environment.StringOr("torch_version")) + ", " +
         CodeSpan(input.environment.StringOr("device_name", "no device")) + "\n";
  return out + "\n---\n\n" + draft.body + "\n---\n";
}

}  // namespace

std::string DraftTitle(const std::string& prefix, const UntrustedText& title) {
  std::string line;
  for (std::string_view rest = title.ForMatching(); !rest.empty();) {
    char32_t c = TakeCodePoint(&rest);
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
    if (!IsControl(c) && !IsInvisibleFormat(c)) AppendUtf8(c, &line);
  }
  static const Pattern doubled = Pattern::Constant(R"((?i)^\s*(\[xpu[_-]alignment\]\s*)+)");
  if (const auto match = doubled.Find(line)) line.erase(0, match->groups[0].size());
  while (!prefix.empty() && line.starts_with(prefix)) line.erase(0, prefix.size());
  line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
  line = prefix + (prefix.empty() ? "" : " ") + line;
  std::string cut;
  size_t count = 0;
  for (std::string_view rest = line; !rest.empty() && count < kTitleChars; ++count)
    AppendUtf8(TakeCodePoint(&rest), &cut);
  return cut;
}

std::vector<Draft> DraftsOf(const ReportInput& input) {
  std::vector<Draft> drafts;
  for (const LedgerRow* row : Findings(input)) {
    Draft draft{
        .id = row->id, .title = DraftTitle(input.drafts.title_prefix, row->title), .labels = input.drafts.labels};
    if (row->verdict == Verdict::kNeedsXpuFix) draft.part = DraftPart::kProposed;
    draft.labels.emplace_back(SourceWords(*row));
    draft.labels.emplace_back(Name(*row->bucket));
    draft.body = Body(input, FactsOf(input, *row));
    drafts.push_back(std::move(draft));
  }
  std::ranges::stable_sort(drafts, {}, &Draft::part);
  return drafts;
}

std::string RenderDrafts(const ReportInput& input) {
  const std::vector<Draft> drafts = DraftsOf(input);
  if (drafts.empty()) return "No confirmed or related-failure candidates in this scan.\n";
  std::string out;
  if (const std::string obstacle = FilingObstacle(input); !obstacle.empty())
    out += "These drafts can not be filed: " + obstacle + ".\n\n";
  size_t number = 0;
  for (const DraftPart part : {DraftPart::kProposed, DraftPart::kTracked}) {
    if (std::ranges::find(drafts, part, &Draft::part) == drafts.end()) continue;
    out += part == DraftPart::kProposed ? "# Proposed for filing\n" : "# Tracked upstream, not proposed\n";
    for (const Draft& draft : drafts) {
      if (draft.part != part) continue;
      out += "\n" + Render(input, draft, *std::ranges::find(input.rows, draft.id, &LedgerRow::id), ++number);
    }
    out += "\n";
  }
  out.pop_back();
  return out;
}

}  // namespace xpu_align
