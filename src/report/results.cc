// The numbered entries: one for each row that is done, in the order of the ledger.
#include "report/markdown.h"
#include "report/redact.h"
#include "report/row_facts.h"
#include "report/sections.h"

namespace xpu_align {
namespace {

constexpr size_t kDecisiveLines = 15;
constexpr size_t kScriptBytes = 40'000;
constexpr size_t kOutputBytes = 8'000;

std::string ChainLine(const LedgerRow& row) {
  if (!row.chain) return {};
  std::vector<std::string> others;
  for (const std::string& member : row.chain->members)
    if (member != row.id.Text()) others.push_back(Prose(member, 40));
  return others.empty() ? "" : "- Chain: " + Joined(others) + "\n";
}

std::string HereLines(const RowFacts& facts) {
  const Attempt* deciding = DecidingAttempt(facts);
  std::string out = "- Here: " + LocalWords(facts) + "\n";
  if (!deciding || deciding->tail.Empty()) return out;
  Redactor redactor;
  const UntrustedText lines = LastLines(redactor.Redact(deciding->tail), kDecisiveLines);
  return out + "\n" + Fence(lines, {.info = "text", .max_bytes = kOutputBytes, .keep = Keep::kTail, .indent = "  "});
}

std::string VerdictLine(const LedgerRow& row) {
  std::string out = "- Verdict: ";
  if (row.verdict)
    out += std::string(Name(*row.verdict)) + " because " + ReasonWords(row.verdict_reason) + "; bucket: ";
  if (!row.verdict) out += "none; bucket: ";
  out += ReasonWords(row.bucket_reason) + "; " + FixWords(row);
  if (!row.recheck_after.empty()) out += "; look again when: " + Prose(row.recheck_after);
  return out + "\n";
}

std::string FindingParts(const RowFacts& facts) {
  std::string out;
  if (!facts.row.route_repository.empty()) {
    out += "- Route (implementation repository): " + Prose(facts.row.route_repository, 100) + " (rule " +
           CodeSpan(facts.row.route_rule) + ")\n";
  }
  if (facts.script)
    out += "\nScript:\n\n" + Fence(UntrustedText(*facts.script), {.info = "python", .max_bytes = kScriptBytes});
  if (const Attempt* deciding = DecidingAttempt(facts)) {
    Redactor redactor;
    const UntrustedText output = redactor.Redact(deciding->tail);
    out += "\nOutput" + std::string(deciding->output_capped ? " (the log was cut)" : "") + ":\n\n" +
           Fence(output, {.info = "text", .max_bytes = kOutputBytes, .keep = Keep::kTail});
    if (const std::string taken = redactor.Summary(); !taken.empty()) out += "\nRedacted: " + taken + "\n";
  }
  return out;
}

std::string Entry(const ReportInput& input, const LedgerRow& row, size_t number) {
  const RowFacts facts = FactsOf(input, row);
  std::string out = "### " + std::to_string(number) + ". " + row.id.Text() + ": " + Prose(row.title) + "\n\n";
  out += "- Kind: " + std::string(Name(row.id.kind())) + "\n";
  out += "- Evidence: " + WebLink(row.url) + "\n";
  out += ChainLine(row);
  if (facts.script) out += "- Script: `scripts/repro_" + row.id.Text() + ".py`\n";
  if (const Attempt* deciding = DecidingAttempt(facts); deciding && !deciding->log.empty())
    out += "- Log: " + CodeSpan(deciding->log) + "\n";
  out += "- Upstream: " + UpstreamWords(facts) + "\n";
  out += HereLines(facts);
  // Between blank lines, so that it is a paragraph of the entry and of nothing else: the audit insists.
  out += "\nLocal XPU result: `" + std::string(row.bucket ? Name(*row.bucket) : "none") + "`\n\n";
  out += VerdictLine(row);
  if (row.IsFinding()) out += FindingParts(facts);
  return out;
}

}  // namespace

std::string Results(const ReportInput& input) {
  std::string out;
  size_t number = 0;
  for (const LedgerRow& row : input.rows)
    if (row.local_status == LocalStatus::kDone) out += "\n" + Entry(input, row, ++number);
  return out.empty() ? out : "## Results\n" + out;
}

}  // namespace xpu_align
