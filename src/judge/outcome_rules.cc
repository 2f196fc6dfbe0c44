// Rules that ask what sound evidence shows: the reported failure, another one, or none. The first answer decides;
// whether a finding is stable is asked by Judge::Decide after these.
#include <algorithm>

#include "judge/rule_table.h"

namespace xpu_align {
namespace {

constexpr char kSame[] = "same";
constexpr char kWorse[] = "worse-than-reference";
constexpr char kDifferent[] = "different";
constexpr char kGpuFault[] = "gpu-fault";
constexpr char kDeviceLost[] = "device-lost";

Answer NotReproduced(std::string text) { return {Bucket::kNotReproduced, std::move(text)}; }
Answer Confirmed(std::string text) { return {Bucket::kConfirmed, std::move(text), kSame}; }
Answer Related(std::string failure_class, std::string text) {
  return {Bucket::kRelatedFailure, std::move(text), std::move(failure_class)};
}

OracleKind Reported(const JudgeCase& c) { return c.composition.oracle.kind; }
const FailureSignature& Seen(const JudgeCase& c) { return c.deciding->failure; }

// A failure of compiled code that eager code shows, too, is no compile bug.
std::string WithControl(const JudgeCase& c, std::string text) {
  if (c.composition.compile_use == CompileUse::kCompiled && c.eager_fails_same)
    text += "; the eager control fails in the same way, so this is no compile bug (stage eager)";
  if (c.reference == ReferenceArm::kFailsSame) text += "; the CPU arm fails in the same way";
  return text;
}

std::string InFrame(const FailureSignature& seen) {
  if (seen.torch_frame.file.empty()) return "";
  return UntrustedText(" in " + seen.torch_frame.file + ":" + seen.torch_frame.function).ForLogLine();
}

std::optional<Answer> Flaky(const JudgeCase& c) {
  const size_t failures = static_cast<size_t>(
      std::count_if(c.runs.begin(), c.runs.end(), [](const Observation& run) { return run.IsFailure(); }));
  const bool outvoted = c.deciding->ending == Ending::kClean || (c.deciding->IsFailure() && c.agreeing < 2);
  if (c.runs.size() < 3 || failures == 0 || !outvoted || Reported(c) == OracleKind::kMissingError) return std::nullopt;
  return NotReproduced("flaky " + std::to_string(failures) + "/" + std::to_string(c.runs.size()) +
                       ": no two attempts fail in the same way");
}

std::optional<Answer> DeviceLostAlone(const JudgeCase& c) {
  if (Seen(c).fault_class != kDeviceLost || !c.reported_fault.empty()) return std::nullopt;
  return Answer{Bucket::kBlockedEnv, "the device was lost and nothing else was seen: no finding by itself"};
}

std::optional<Answer> SignatureMatch(const JudgeCase& c) {
  if (c.deciding->ending != Ending::kRaised || !c.reported.HasException() || Reported(c) == OracleKind::kMissingError ||
      !c.comparison.Matches())
    return std::nullopt;
  return Confirmed(WithControl(c, Seen(c).Text() + InFrame(Seen(c)) + " as reported (" + c.comparison.Text() + ")"));
}

// An assertion that the script states is its own oracle: raised by the script's frame, it is what was reported.
std::optional<Answer> ScriptAssertion(const JudgeCase& c) {
  const OracleKind kind = Reported(c);
  if (kind != OracleKind::kAssertion && kind != OracleKind::kComparison && kind != OracleKind::kNonFinite)
    return std::nullopt;
  if (c.deciding->ending != Ending::kRaised || !Seen(c).raised_in_script ||
      Seen(c).exceptions.front().first != "AssertionError")
    return std::nullopt;
  if (c.comparison.message == Agreement::kDiffers) return std::nullopt;  // another assertion of the script
  if (!c.reported.torch_frame.file.empty()) return std::nullopt;         // reported from inside torch
  if (!c.reported.script_function.empty() && c.reported.script_function != Seen(c).script_function)
    return std::nullopt;
  return Confirmed(WithControl(c, "the script's own assertion fails: " + Seen(c).Text()));
}

std::optional<Answer> GpuFaultMatch(const JudgeCase& c) {
  if (Seen(c).fault_class.empty() || c.reported_fault.empty()) return std::nullopt;
  return Confirmed("a device fault (" + Seen(c).fault_class + "), as reported in another driver's words");
}

std::optional<Answer> CrashSignal(const JudgeCase& c) {
  if (Reported(c) != OracleKind::kCrash || c.deciding->ending != Ending::kCrashed) return std::nullopt;
  if (!c.reported.signal.empty() && c.reported.signal != Seen(c).signal) return std::nullopt;
  return Confirmed(WithControl(c, "the process dies by " + Seen(c).signal + ", as reported"));
}

std::optional<Answer> Hang(const JudgeCase& c) {
  if (Reported(c) != OracleKind::kHang || c.deciding->ending != Ending::kTimedOut) return std::nullopt;
  return Confirmed(WithControl(c, "does not end within the time limit, as reported"));
}

std::optional<Answer> MissingError(const JudgeCase& c) {
  if (Reported(c) != OracleKind::kMissingError || c.deciding->ending != Ending::kClean) return std::nullopt;
  std::string text = "finishes without the error that should be raised";
  if (c.reference == ReferenceArm::kFine && c.cpu->ending == Ending::kRaised) text += "; the CPU arm raises it";
  return Confirmed(text);
}

std::optional<Answer> ErrorRaised(const JudgeCase& c) {
  if (Reported(c) != OracleKind::kMissingError || c.deciding->ending != Ending::kRaised) return std::nullopt;
  if (c.reported.HasException() && c.comparison.type != Agreement::kAgrees) return std::nullopt;
  return NotReproduced("raises the error that the report misses: " + Seen(c).Text());
}

std::optional<Answer> ReportedLine(const JudgeCase& c) {
  if (Reported(c) != OracleKind::kComparison && Reported(c) != OracleKind::kNonFinite) return std::nullopt;
  if (c.deciding->ending != Ending::kClean || !c.PrintsReportedLine(*c.deciding)) return std::nullopt;
  return Confirmed("prints the reported line: " + c.composition.oracle.text.ForLogLine());
}

// TORCH_CHECK and its kin: what a fix of a crash looks like.
bool IsCleanError(const JudgeCase& c) {
  return c.deciding->ending == Ending::kRaised && Seen(c).fault_class.empty() &&
         FirstFound(c.data.own_semantics, c.deciding->message.ForMatching()) == nullptr;
}

std::optional<Answer> CleanErrorForCrash(const JudgeCase& c) {
  if (Reported(c) != OracleKind::kCrash || !IsCleanError(c)) return std::nullopt;
  return NotReproduced("the reported crash is now a clean error: " + Seen(c).Text());
}

std::optional<Answer> WorseThanReference(const JudgeCase& c) {
  if (!c.deciding->IsFailure() || c.reference != ReferenceArm::kFine) return std::nullopt;
  const bool both_raise = c.deciding->ending == Ending::kRaised && c.cpu->ending == Ending::kRaised;
  if (both_raise && IsCleanError(c)) return std::nullopt;  // two catchable errors: neither is worse
  return Related(kWorse, WithControl(c, "the CPU arm " + std::string(Name(c.cpu->ending)) + ", the target " +
                                            std::string(Name(c.deciding->ending)) + ": " + Seen(c).Text()));
}

std::optional<Answer> GpuFault(const JudgeCase& c) {
  if (Seen(c).fault_class != kGpuFault) return std::nullopt;
  return Related(kGpuFault, "a device fault that was not reported: " + Seen(c).Text());
}

std::optional<Answer> DifferentFailure(const JudgeCase& c) {
  const bool crash = c.deciding->ending == Ending::kCrashed;
  const TextRule* semantics =
      crash ? nullptr : FirstFound(c.data.own_semantics, c.deciding->message.ForMatching());
  if (!crash && semantics == nullptr) return std::nullopt;
  return Related(kDifferent, WithControl(c, "another failure than reported (" + (crash ? "crash" : semantics->id) +
                                                "): " + Seen(c).Text()));
}

std::optional<Answer> UnrelatedFailure(const JudgeCase& c) {
  if (!c.deciding->IsFailure()) return std::nullopt;
  return Answer{Bucket::kBlockedScriptError,
                WithControl(c, "ends in another error than reported, so the reported one could not be seen: " +
                                   Seen(c).Text() + " (" + c.comparison.Text() + ")")};
}

std::optional<Answer> ExitStatusAlone(const JudgeCase& c) {
  if (c.deciding->ending != Ending::kExitStatus) return std::nullopt;
  return Answer{Bucket::kBlockedScriptError,
                "exit status " + std::to_string(c.deciding->attempt->outcome.exit_status) +
                    " and no exception: an exit status alone decides nothing"};
}

// compose says so of a script that only prints what a person has to compare.
std::optional<Answer> NothingCompared(const JudgeCase& c) {
  const auto says = [](const std::string& note) { return note.find("compares nothing") != std::string::npos; };
  const auto& notes = c.composition.notes;
  if (c.deciding->ending != Ending::kClean || std::none_of(notes.begin(), notes.end(), says)) return std::nullopt;
  return Answer{Bucket::kBlockedScriptError, "the script compares nothing itself, so a clean finish shows nothing"};
}

std::optional<Answer> CleanFinish(const JudgeCase&) {
  return NotReproduced("finishes without the reported failure");
}

constexpr JudgeRule kRules[] = {
    {"flaky", "Do three attempts hold a failure, but no two that agree?", "not-reproduced, with the count", Flaky},
    {"device-lost-alone", "Was the device lost, with no device fault reported?", "blocked-env: never a finding",
     DeviceLostAlone},
    {"signature-match", "Do two of exception type, message and torch frame agree with the report, in the same stage?",
     "confirmed", SignatureMatch},
    {"script-assertion", "Does the assertion fail that the script itself states?", "confirmed", ScriptAssertion},
    {"gpu-fault-match", "Is a device fault reported, and a device fault seen?", "confirmed", GpuFaultMatch},
    {"crash-signal", "Is a crash reported, and does the process die by that signal (any, when none is named)?",
     "confirmed", CrashSignal},
    {"hang", "Is a hang reported, and does the run hit the time limit?", "confirmed", Hang},
    {"missing-error", "Should an error be raised, and is none?", "confirmed", MissingError},
    {"error-raised", "Should an error be raised, and is it?", "not-reproduced", ErrorRaised},
    {"reported-line", "Does the run print the reported line with its False, FAIL, NaN or infinity?", "confirmed",
     ReportedLine},
    {"clean-error-for-crash", "Is a crash reported, and a clean error seen?", "not-reproduced: that is the fix",
     CleanErrorForCrash},
    {"worse-than-reference", "Does the CPU arm return or raise a catchable error where the target does worse?",
     "related-failure, class worse-than-reference", WorseThanReference},
    {"gpu-fault", "Is a device fault seen that was not reported?", "related-failure, class gpu-fault", GpuFault},
    {"different-failure", "Is a failure seen that is a bug by itself (crash, internal assertion, wrong value)?",
     "related-failure, class different", DifferentFailure},
    {"unrelated-failure", "Did the run end in any other failure?", "blocked-script-error", UnrelatedFailure},
    {"exit-status-alone", "Is an exit status all there is?", "blocked-script-error", ExitStatusAlone},
    {"nothing-compared", "Did the run finish cleanly, though nothing in the script compares the reported values?",
     "blocked-script-error", NothingCompared},
    {"clean-finish", "Otherwise.", "not-reproduced", CleanFinish},
};

}  // namespace

std::span<const JudgeRule> OutcomeRules() { return kRules; }

}  // namespace xpu_align
