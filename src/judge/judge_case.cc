#include "judge/judge_case.h"

#include <algorithm>

namespace xpu_align {
namespace {

std::vector<const Attempt*> VerdictAttempts(const Evidence& evidence, Arm arm) {
  std::vector<const Attempt*> attempts;
  for (const Attempt& attempt : evidence.attempts)
    if (attempt.arm == arm && attempt.role == Role::kVerdict) attempts.push_back(&attempt);
  std::stable_sort(attempts.begin(), attempts.end(),
                   [](const Attempt* a, const Attempt* b) { return a->number < b->number; });
  return attempts;
}

std::optional<Observation> FirstRun(const Evidence& evidence, Arm arm, const JudgeData& data) {
  const auto attempts = VerdictAttempts(evidence, arm);
  if (attempts.empty()) return std::nullopt;
  return Observe(*attempts.front(), data);
}

size_t CountLike(const std::vector<Observation>& runs, const Observation& like) {
  return static_cast<size_t>(
      std::count_if(runs.begin(), runs.end(), [&](const Observation& run) { return SameEnding(run, like); }));
}

// A lone failure among clean runs stays in front of the rules until a third attempt outvotes it.
const Observation* Deciding(const std::vector<Observation>& runs, size_t* agreeing) {
  const Observation* best = nullptr;
  for (const Observation& run : runs) {
    const size_t count = CountLike(runs, run);
    const bool better = best == nullptr || count > *agreeing ||
                        (count == *agreeing && !best->IsFailure() && run.IsFailure());
    if (!better) continue;
    best = &run;
    *agreeing = count;
  }
  return best;
}

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

ReferenceArm ReferenceOf(const JudgeCase& c) {
  if (!c.cpu || c.deciding == nullptr) return ReferenceArm::kAbsent;
  if (c.deciding->IsFailure() && SameEnding(*c.cpu, *c.deciding)) return ReferenceArm::kFailsSame;
  const bool returned = c.cpu->ending == Ending::kClean && c.cpu->attempt->report.complete;
  const bool raised = c.cpu->ending == Ending::kRaised && c.cpu->attempt->outcome.kind == OutcomeKind::kExited &&
                      c.cpu->failure.fault_class.empty() && c.AdaptationErrorOf(*c.cpu) == nullptr;
  return returned || raised ? ReferenceArm::kFine : ReferenceArm::kUnusable;
}

bool AnyOn(const std::map<std::string, int>& counts, const std::string& device) {
  return std::any_of(counts.begin(), counts.end(), [&](const auto& entry) {
    return entry.second > 0 && (entry.first == device || entry.first.starts_with(device + ":"));
  });
}

bool UsesDevice(const HarnessReport& report, const std::string& device) {
  return report.device_peak_bytes > 0 || AnyOn(report.live_tensors, device) ||
         AnyOn(report.operators_by_device, device);
}

DeviceProof ProofOf(const JudgeCase& c) {
  if (c.target.is_reference) return DeviceProof::kProven;
  if (c.deciding == nullptr) return DeviceProof::kNone;
  if (!c.deciding->failure.fault_class.empty()) return DeviceProof::kProven;
  // Where a run was cut off, the eager control of the same script shows where its operators run.
  const bool cut_off = !c.deciding->attempt->report.complete;
  DeviceProof proof = cut_off && c.reference == ReferenceArm::kFine ? DeviceProof::kDifferential : DeviceProof::kNone;
  for (const Attempt& attempt : c.evidence.attempts) {
    const bool counts = attempt.arm == Arm::kTarget || (attempt.arm == Arm::kEager && cut_off);
    if (counts && UsesDevice(attempt.report, c.target.device)) proof = DeviceProof::kProven;
  }
  // A finished proof run saw every operator; against it a tensor that merely lives on the target proves nothing.
  for (const Attempt& attempt : c.evidence.attempts)
    if (attempt.arm == Arm::kTarget && attempt.role == Role::kProof && attempt.report.complete &&
        !attempt.report.operators_by_device.empty() && !AnyOn(attempt.report.operators_by_device, c.target.device))
      return DeviceProof::kContradicted;
  return proof;
}

}  // namespace

JudgeCase JudgeCase::Of(const Composition& composition, const Evidence& evidence, const TargetProfile& target,
                        const JudgeData& data) {
  JudgeCase c{.composition = composition, .evidence = evidence, .target = target, .data = data};
  for (const Attempt* attempt : VerdictAttempts(evidence, Arm::kTarget)) c.runs.push_back(Observe(*attempt, data));
  c.deciding = Deciding(c.runs, &c.agreeing);
  if (!target.is_reference) c.cpu = FirstRun(evidence, Arm::kCpu, data);
  c.eager = FirstRun(evidence, Arm::kEager, data);
  c.reported = SignatureOfOracle(composition.oracle, data.frames, data.normaliser);
  c.reported_fault = data.FaultClass(composition.oracle.message.ForMatching());
  if (c.reported_fault.empty()) c.reported_fault = data.FaultClass(composition.oracle.text.ForMatching());
  if (c.deciding != nullptr) c.comparison = Compare(c.reported, c.deciding->failure);
  c.reference = ReferenceOf(c);
  c.proof = ProofOf(c);
  c.eager_fails_same = c.eager && c.deciding != nullptr && c.deciding->IsFailure() && SameEnding(*c.eager, *c.deciding);
  return c;
}

const AdaptationRule* JudgeCase::AdaptationErrorOf(const Observation& run) const {
  const std::string report_text = composition.oracle.exception_type + ": " +
                                  std::string(composition.oracle.message.ForMatching());
  if (run.ending == Ending::kCrashed || run.ending == Ending::kTimedOut || run.ending == Ending::kExitStatus)
    return data.AdaptationErrorIn(run.output.ForMatching(), report_text);
  if (run.ending != Ending::kRaised) return nullptr;
  RaisedText raised{.message = run.message.ForMatching()};
  for (const auto& [type, message] : run.failure.exceptions) raised.types.push_back(type);
  if (run.failure.raised_in_script) raised.where = RaisedWhere::kInScript;
  return data.AdaptationError(raised, report_text);
}

bool JudgeCase::PrintsReportedLine(const Observation& run) const {
  // Only lines with a verdict in them: numbers and tensors are never compared as text.
  static const Pattern verdict = Pattern::Constant(R"((?i)\b(?:False|FAIL(?:ED|S)?|mismatch|nan|inf)\b)");
  const std::string_view line = Trimmed(composition.oracle.text.ForMatching());
  if (line.empty() || line.find('\n') != std::string_view::npos || !verdict.FoundIn(line)) return false;
  const std::string wanted = data.normaliser.Apply(line);
  const std::string_view output = run.output.ForMatching();
  for (size_t begin = 0; begin < output.size();) {
    const size_t end = std::min(output.find('\n', begin), output.size());
    if (data.normaliser.Apply(Trimmed(output.substr(begin, end - begin))) == wanted) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace xpu_align
