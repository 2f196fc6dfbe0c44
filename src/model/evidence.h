// Evidence: what was seen when a script ran: attempts by arm, their outcome as the supervisor saw it, and
// what the harness inside the interpreter reported. artifacts/evidence/<id>.json, written by execute, read
// by judge and report. Durations are not here (timing.json), so equal behaviour gives equal bytes.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/composition.h"

namespace xpu_align {

enum class Arm {
  kTarget,  // the script on the target device
  kCpu,     // the same script on the CPU: the reference
  kEager,   // compiled scripts with TORCH_COMPILE_DISABLE=1 on the target
};
std::string_view Name(Arm arm);
std::optional<Arm> ArmNamed(std::string_view name);

enum class Role {
  kVerdict,  // nothing installed but the exit hook; only these decide
  kProof,    // instrumented with a dispatch mode; says where operators ran, never decides
};
std::string_view Name(Role role);

enum class OutcomeKind { kExited, kSignalled, kTimedOut, kMemoryExceeded, kNotStarted };
std::string_view Name(OutcomeKind kind);
std::optional<OutcomeKind> OutcomeKindNamed(std::string_view name);

// As the supervisor of the sandbox saw it; never taken from the interpreter.
struct Outcome {
  OutcomeKind kind = OutcomeKind::kNotStarted;
  int exit_status = 0;  // kExited
  std::string signal;   // kSignalled: SIGSEGV, ...
  std::string detail;   // kNotStarted: why
};

// The exception that ended the script, innermost cause first in `causes`.
struct RaisedException {
  std::string type;  // qualified without builtins.: RuntimeError, torch._dynamo.exc.Unsupported
  UntrustedText message;
  std::vector<Frame> frames;  // outermost first; files as torch/... or <script>
  std::vector<std::pair<std::string, UntrustedText>> causes;  // type, message of __cause__/__context__
};

// Self-reported by the harness in the interpreter (cooperative: a hostile script can forge its own row).
struct HarnessReport {
  bool complete = false;  // the exit hook ran and every frame was intact
  std::optional<RaisedException> exception;
  std::map<std::string, int> live_tensors;  // device type -> tensors alive at the end of the script
  std::map<std::string, int> operators_by_device;  // proof runs: device type of outputs -> operator calls
  std::vector<std::string> fallback_operators;     // operators that ran on the CPU for the target
  int64_t device_peak_bytes = 0;                   // allocator peak on the target
  int compiled_graphs = -1;                        // dynamo's unique graphs; -1 when dynamo was not imported
  std::string exit_sync_error;                     // an error that only the final synchronisation raised
  std::string result_line;                         // value of the script's last RESULT: line, if any
  Json other;
};

struct Attempt {
  Arm arm = Arm::kTarget;
  Role role = Role::kVerdict;
  int number = 1;         // counts from 1 within arm and role
  std::string isolation;  // fork-server, process
  std::string isolation_reason;  // why it is not the one that was asked for; mostly empty
  Outcome outcome;
  HarnessReport report;
  std::string script_sha256;
  std::string log;            // path in the run directory
  std::string output_sha256;  // of the output after normalisation
  UntrustedText tail;         // decisive last lines of the output, normalised, at most 40 lines
  bool output_capped = false;
};

struct CanaryResult {
  std::string name;  // import, eager, compiled, fallback-control
  bool passed = false;
  std::string detail;
};

struct Evidence {
  CandidateId id;
  std::string target;
  std::string torch_version;
  std::string sandbox_level;
  std::vector<CanaryResult> canaries;  // that stood before these attempts
  std::vector<Attempt> attempts;
  std::string incident;  // the device or environment failed, not the script
  Json other;
};

Json ToJson(const Evidence& evidence);
Result<Evidence> EvidenceFromJson(const Json& json);
Json ToJson(const HarnessReport& report);
// Tolerant: missing members take their defaults. Used for evidence files and for frames of the channel.
HarnessReport HarnessReportFromJson(const Json& json);

}  // namespace xpu_align
