#include "report/row_facts.h"

#include <algorithm>
#include <map>

#include "report/markdown.h"

namespace xpu_align {
namespace {

template <typename T>
const T* Find(const std::map<CandidateId, T>& map, const CandidateId& id) {
  const auto found = map.find(id);
  return found == map.end() ? nullptr : &found->second;
}

constexpr size_t kShownOutcomes = 3;  // of one arm

int Rank(const LedgerRow& row) {
  if (row.verdict == Verdict::kNeedsXpuFix) return 0;
  if (IsWorseThanReference(row)) return 1;
  return row.bucket == Bucket::kConfirmed ? 2 : 3;
}

}  // namespace

RowFacts FactsOf(const ReportInput& input, const LedgerRow& row) {
  return {row, Find(input.details, row.id), Find(input.compositions, row.id), Find(input.evidence, row.id),
          Find(input.scripts, row.id)};
}

const Attempt* DecidingAttempt(const RowFacts& facts) {
  if (!facts.evidence) return nullptr;
  const std::string deciding_log = "artifacts/output_" + facts.row.id.Text() + ".log";
  const Attempt* last = nullptr;
  for (const Attempt& attempt : facts.evidence->attempts) {
    if (attempt.arm != Arm::kTarget || attempt.role != Role::kVerdict) continue;
    if (attempt.log == deciding_log) return &attempt;
    last = &attempt;
  }
  return last;
}

std::string OutcomeWords(const Outcome& outcome) {
  switch (outcome.kind) {
    case OutcomeKind::kExited:
      return "exit status " + std::to_string(outcome.exit_status);
    case OutcomeKind::kSignalled:
      return "killed by " + Prose(outcome.signal, 20);
    case OutcomeKind::kTimedOut:
      return "timed out";
    case OutcomeKind::kMemoryExceeded:
      return "exceeded the memory limit";
    case OutcomeKind::kNotStarted:
      return "not started: " + Prose(outcome.detail, 120);
  }
  CHECK(false);
}

std::string ArmWords(const RowFacts& facts) {
  if (!facts.evidence) return {};
  std::vector<std::string> arms;
  for (const Arm arm : {Arm::kTarget, Arm::kCpu, Arm::kEager}) {
    std::map<std::string, size_t> outcomes;
    for (const Attempt& attempt : facts.evidence->attempts)
      if (attempt.arm == arm && attempt.role == Role::kVerdict) ++outcomes[OutcomeWords(attempt.outcome)];
    std::vector<std::string> words;
    for (const auto& [outcome, count] : outcomes)
      if (words.size() < kShownOutcomes) words.push_back(outcome + " (" + Counted(count, "attempt") + ")");
    if (!words.empty()) arms.push_back(std::string(Name(arm)) + ": " + Joined(words));
  }
  return Joined(arms, "; ");
}

std::string UpstreamWords(const RowFacts& facts) {
  if (facts.details && !facts.details->fetch_failure.empty())
    return "could not be fetched: " + Prose(facts.details->fetch_failure);
  if (!facts.composition || facts.composition->oracle.kind == OracleKind::kNone)
    return "gives no failure that can be observed";
  const Oracle& oracle = facts.composition->oracle;
  std::string words = Prose(oracle.text.Empty() ? oracle.message : oracle.text);
  if (words.empty()) words = Prose(oracle.exception_type.empty() ? Name(oracle.kind) : oracle.exception_type);
  return words + (oracle.source.empty() ? "" : " (" + CodeSpan(oracle.source) + ")");
}

std::string LocalWords(const RowFacts& facts) {
  const Attempt* deciding = DecidingAttempt(facts);
  if (!deciding) return "not run";
  std::string words = OutcomeWords(deciding->outcome);
  if (const auto& raised = deciding->report.exception) words += ", " + CodeSpan(raised->type);
  return words;
}

std::string ReasonWords(const Reason& reason) {
  if (reason.rule.empty()) return "not recorded";
  return Prose(reason.text) + " (rule " + CodeSpan(reason.rule) + ")";
}

std::string FixWords(const LedgerRow& row) {
  if (!row.fix_state) return "no fix was looked up";
  if (*row.fix_state == FixState::kNoFix) return "no fix is known";
  const std::string fix = row.fix_commit.empty() ? "the fix" : "fix " + CodeSpan(row.fix_commit.substr(0, 12));
  if (*row.fix_state == FixState::kInBuild) return fix + " is in the build";
  if (*row.fix_state == FixState::kNotInBuild) return fix + " is not in the build";
  return "whether " + fix + " is in the build is unknown";
}

bool IsWorseThanReference(const LedgerRow& row) { return row.signature.signature_class == "worse-than-reference"; }

std::vector<const LedgerRow*> Findings(const ReportInput& input) {
  std::vector<const LedgerRow*> findings;
  for (const LedgerRow& row : input.rows)
    if (row.local_status == LocalStatus::kDone && row.IsFinding()) findings.push_back(&row);
  std::ranges::stable_sort(findings, {}, [](const LedgerRow* row) { return Rank(*row); });
  return findings;
}

bool GivesXpuEvidence(const TargetProfile& target) { return target.name == "xpu"; }

std::string FilingObstacle(const ReportInput& input) {
  if (input.source != "live") return "the source of the run is " + Prose(input.source, 40) + ", not live";
  if (!GivesXpuEvidence(input.target)) return "the target is " + Prose(input.target.name, 40) + ", not xpu";
  return {};
}

}  // namespace xpu_align
