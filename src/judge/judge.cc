#include "judge/judge.h"

#include <algorithm>
#include <utility>

#include "judge/rule_table.h"

namespace xpu_align {
namespace {

constexpr char kSecondMissing[] = "second-attempt-missing";
constexpr char kThirdMissing[] = "third-attempt-missing";
constexpr char kGateOpened[] = "gate-opened";
constexpr char kDifferentialProof[] = "differential-proof";
constexpr char kFetchFailure[] = "fetch-failure";
constexpr char kIncident[] = "incident";
constexpr char kCanary[] = "canary";
constexpr char kReportedLine[] = "reported-line";
constexpr char kMissingError[] = "missing-error";

struct Decision {
  std::string rule;
  Answer answer;
};

// Asks in order and writes every answer down; nothing when no rule answers.
std::optional<Decision> AskAll(std::span<const JudgeRule> rules, const JudgeCase& c, std::vector<Reason>* trace) {
  for (const JudgeRule& rule : rules) {
    auto answer = rule.ask(c);
    if (!answer) {
      trace->push_back({rule.id, "no"});
      continue;
    }
    std::string id = answer->rule.empty() ? rule.id : answer->rule;
    trace->push_back({id, answer->text});
    return Decision{std::move(id), std::move(*answer)};
  }
  return std::nullopt;
}

bool IsFinding(Bucket bucket) { return bucket == Bucket::kConfirmed || bucket == Bucket::kRelatedFailure; }

size_t AgreeingAttempts(const JudgeCase& c, const Decision& decision) {
  if (decision.rule != kReportedLine) return c.agreeing;
  return static_cast<size_t>(std::count_if(c.runs.begin(), c.runs.end(), [&](const Observation& run) {
    return run.ending == Ending::kClean && c.PrintsReportedLine(run);
  }));
}

// Two fresh attempts carry a finding; fewer leave it open.
void RequireStability(const JudgeCase& c, size_t agreeing, Decision* decision, std::vector<Reason>* trace) {
  if (!IsFinding(decision->answer.bucket) || agreeing >= 2) return;
  const bool one_run = c.runs.size() < 2;
  decision->rule = one_run ? kSecondMissing : kThirdMissing;
  decision->answer = {Bucket::kBlockedScriptError,
                      one_run ? "seen once only; a second fresh attempt is missing (" + decision->answer.text + ")"
                              : "two attempts disagree and a third is missing (" + decision->answer.text + ")"};
  trace->push_back({decision->rule, decision->answer.text});
}

// A test that upstream keeps for another backend proves less here.
void CapOpenedGate(const Composition& composition, Decision* decision, std::vector<Reason>* trace) {
  const auto& notes = composition.notes;
  const auto is_gate = [](const std::string& note) { return note.find(kGateOpened) != std::string::npos; };
  if (decision->answer.bucket != Bucket::kConfirmed || std::none_of(notes.begin(), notes.end(), is_gate)) return;
  decision->answer.bucket = Bucket::kRelatedFailure;
  decision->answer.text = "the test runs here only because a gate was opened: " + decision->answer.text;
  decision->rule = kGateOpened;
  trace->push_back({decision->rule, decision->answer.text});
}

// Enough to look at, not enough to confirm: the arms differ only in the device, but nothing was seen on it.
void CapDifferentialProof(const JudgeCase& c, Decision* decision, std::vector<Reason>* trace) {
  if (decision->answer.bucket != Bucket::kConfirmed || c.proof != DeviceProof::kDifferential) return;
  decision->answer = {Bucket::kRelatedFailure,
                      "the run was cut off before anything was seen on the device, but the CPU arm ends well: " +
                          decision->answer.text,
                      "worse-than-reference"};
  decision->rule = kDifferentialProof;
  trace->push_back({decision->rule, decision->answer.text});
}

// The same failure on the CPU arm, where a clean run can be the failure.
bool CpuFailsSame(const JudgeCase& c, const std::string& first_rule) {
  if (c.target.is_reference) return true;
  if (!c.cpu) return false;
  const bool cpu_clean = c.cpu->ending == Ending::kClean && c.cpu->attempt->report.complete;
  if (first_rule == kMissingError) return cpu_clean;
  if (first_rule == kReportedLine) return cpu_clean && c.PrintsReportedLine(*c.cpu);
  return c.reference == ReferenceArm::kFailsSame;
}

std::string SuspectedComponent(const JudgeCase& c, bool cpu_same) {
  const FailureSignature& seen = c.deciding->failure;
  std::string text(c.deciding->message.ForMatching());
  for (const auto& [type, message] : seen.exceptions) text += "\n" + type + ": " + message;
  if (c.deciding->attempt->report.exception)
    for (const Frame& frame : c.deciding->attempt->report.exception->frames) text += "\n" + frame.file;
  if (const TextRule* component = FirstFound(c.data.component_texts, text)) return component->id;
  if (seen.stage == Stage::kInductor || seen.stage == Stage::kRuntime) return "inductor";
  // An operator that only the target gets wrong, outside the compiler.
  return cpu_same || c.reference != ReferenceArm::kFine || seen.stage == Stage::kDynamo || seen.stage == Stage::kAot
             ? ""
             : "kernel";
}

Signature SignatureOf(const JudgeCase& c, const Decision& decision) {
  const OracleKind oracle = c.composition.oracle.kind;
  FailureSignature seen = c.deciding->failure;
  std::string text = seen.Text();
  if (!c.deciding->IsFailure()) {  // found in what a clean run did or did not print
    const std::string line(c.composition.oracle.text.ForMatching());
    seen.exceptions = {{std::string(Name(oracle)), c.data.normaliser.Apply(line)}};
    text = decision.answer.text;
  } else if (c.deciding->ending == Ending::kTimedOut) {
    seen.exceptions = {{"time limit", ""}};
    text = "does not end within the time limit";
  }
  return {decision.answer.failure_class, text, FindingFingerprint(c.target.name, oracle, seen)};
}

}  // namespace

struct Judge::Rules {
  TargetProfile target;
  JudgeData data;
};

Judge::Judge(std::unique_ptr<const Rules> rules) : rules_(std::move(rules)) {}
Judge::Judge(Judge&&) noexcept = default;
Judge& Judge::operator=(Judge&&) noexcept = default;
Judge::~Judge() = default;

Result<Judge> Judge::Make(const Json& rules, TargetProfile target) {
  TRY_ASSIGN(JudgeData data, JudgeDataFromJson(rules, target));
  return Judge(std::make_unique<const Rules>(Rules{std::move(target), std::move(data)}));
}

const TargetProfile& Judge::Target() const { return rules_->target; }

Judgement Judge::Decide(const Composition& composition, const Evidence& evidence) const {
  const JudgeCase c = JudgeCase::Of(composition, evidence, rules_->target, rules_->data);
  Judgement out;
  auto decision = AskAll(EvidenceRules(), c, &out.trace);
  std::string first_rule;
  if (!decision) {
    decision = AskAll(OutcomeRules(), c, &out.trace);
    CHECK(decision.has_value());  // the last rule always answers
    first_rule = decision->rule;
    const size_t agreeing = AgreeingAttempts(c, *decision);
    out.stable = agreeing >= 2;
    RequireStability(c, agreeing, &*decision, &out.trace);
    CapDifferentialProof(c, &*decision, &out.trace);
    CapOpenedGate(composition, &*decision, &out.trace);
  }
  out.bucket = decision->answer.bucket;
  out.decided_by = decision->rule == kIncident || decision->rule == kCanary ? DecidedBy::kIncident : DecidedBy::kRun;
  out.reason = {decision->rule, decision->answer.text};
  if (IsFinding(out.bucket)) {
    out.cpu_same = CpuFailsSame(c, first_rule);
    out.cpu_fine = !out.cpu_same && c.reference == ReferenceArm::kFine;
    out.signature = SignatureOf(c, *decision);
    out.distinctive = c.deciding->IsFailure() && IsDistinctive(c.deciding->failure);
    out.suspected_component = SuspectedComponent(c, out.cpu_same);
  }
  if (c.deciding != nullptr) {
    out.deciding_attempt = c.deciding->attempt->number;
    const std::string& printed = c.deciding->attempt->report.result_line;
    if (!printed.empty() && printed != Name(out.bucket))
      out.trace.push_back({"printed-result", "the script itself printed: " + UntrustedText(printed).ForLogLine()});
  }
  return out;
}

bool Judge::NeedsAnotherAttempt(const Composition& composition, const Evidence& evidence) const {
  const Judgement judgement = Decide(composition, evidence);
  if (judgement.reason.rule == kSecondMissing || judgement.reason.rule == kThirdMissing) return true;
  // Of two failures that differ only the first is in front of the rules; the other may be the reported one.
  const JudgeCase c = JudgeCase::Of(composition, evidence, rules_->target, rules_->data);
  return c.runs.size() == 2 && c.agreeing < 2 && c.deciding->IsFailure();
}

Judgement JudgeRefusal(Refusal refusal, const std::string& text) {
  Judgement out{.decided_by = DecidedBy::kPrecheck, .reason = {std::string(Name(refusal)), text}};
  switch (refusal) {
    case Refusal::kPerfOnly: out.bucket = Bucket::kNeedsPerformanceHarness; break;
    case Refusal::kNeedsMultiDevice:
    case Refusal::kNeedsModel:
    case Refusal::kNeedsFile: out.bucket = Bucket::kBlockedEnv; break;
    case Refusal::kNoCounterpart: out.bucket = Bucket::kBlockedPlatform; break;
    case Refusal::kAbsentApiOracle:
    case Refusal::kSourceTextOracle:
    case Refusal::kNoTargetOperation:
    case Refusal::kBroadExcept:
    case Refusal::kNoOracle:
    case Refusal::kNotPython:
    case Refusal::kUnsafeHarnessAccess: out.bucket = Bucket::kBlockedScriptError; break;
  }
  out.trace.push_back(out.reason);
  return out;
}

Judgement JudgeFetchFailure(const std::string& reason) {
  Judgement out{.bucket = Bucket::kBlockedFetch,
                .decided_by = DecidedBy::kFetch,
                .reason = {kFetchFailure, "the item could not be fetched: " + UntrustedText(reason).ForLogLine()}};
  out.trace.push_back(out.reason);
  return out;
}

std::vector<RuleDescription> JudgeRules() {
  std::vector<RuleDescription> out{
      {kFetchFailure, "Did GitHub refuse the item for good (404, 410, 451, too large)?", "blocked-fetch"},
      {"precheck", "Did compose refuse the script? The rule that is shown is the refusal's own.",
       "perf-only: needs-performance-harness; needs-*: blocked-env; no-counterpart: blocked-platform; "
       "others: blocked-script-error"}};
  for (const auto rules : {EvidenceRules(), OutcomeRules()})
    for (const JudgeRule& rule : rules) out.push_back({rule.id, rule.asks, rule.answers});
  out.push_back({kSecondMissing, "Was the finding seen in one attempt only?", "blocked-script-error"});
  out.push_back({kThirdMissing, "Do two attempts disagree, and is there no third?", "blocked-script-error"});
  out.push_back({kDifferentialProof, "Was the run cut off, with only the CPU arm's good end to prove the device?",
                 "at most related-failure, class worse-than-reference"});
  out.push_back({kGateOpened, "Did the test run only because a gate was opened?", "at most related-failure"});
  return out;
}

}  // namespace xpu_align
