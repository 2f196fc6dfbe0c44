// SandboxRunner: runs one script of a stranger where it can reach nothing, and says what was seen. The
// outcome is the supervisor's; the report is the harness's own word. Durations are for timing.json only.
// Failures: kSandbox when the sandbox can not be made, kDevice when a process in it can not be ended, kCancelled
// when a signal asked to stop.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "model/evidence.h"

namespace xpu_align {

enum class Isolation {
  kForkServer,  // forked from one interpreter that has imported torch; falls back to kProcess, said in the result
  kProcess,     // a fresh interpreter in a fresh sandbox: the reference
};
std::string_view inline Name(Isolation isolation) {
  return isolation == Isolation::kForkServer ? "fork-server" : "process";
}

struct InterpreterFacts {
  std::string python_version;
  std::string torch_version;  // empty: torch can not be imported, see import_error
  std::string git_version;
  std::string device_name;
  bool device_available = false;
  UntrustedText import_error;  // last line of the interpreter's own message
};

// What the device's own counters said from outside of the script.
enum class DeviceUse { kNotAvailable, kNotSeen, kWorked };
std::string_view inline Name(DeviceUse use) {
  return use == DeviceUse::kWorked ? "worked" : use == DeviceUse::kNotSeen ? "not seen" : "not available";
}

// What the caches of compilers and drivers hold when the script starts; they are its own in any case.
enum class CodeCaches {
  kEmpty,
  kSeeded,  // a private copy of what was kept; empty when nothing was
  kKept,    // empty, and kept when the script ends well: the compiled canary, never a stranger's script
};
std::string_view inline Name(CodeCaches caches) {
  return caches == CodeCaches::kSeeded ? "seeded" : caches == CodeCaches::kKept ? "kept" : "empty";
}

struct AttemptRequest {
  std::string script;     // bytes
  std::string file_name;  // base name; letters, digits, '-', '_', '.'
  Arm arm = Arm::kTarget;
  Role role = Role::kVerdict;
  Isolation isolation = Isolation::kProcess;
  CodeCaches caches = CodeCaches::kEmpty;
  std::map<std::string, std::string> environment;  // beside the runner's own; TORCH_COMPILE_DISABLE=1
  int64_t timeout_millis = 120'000;
  int64_t memory_bytes = int64_t{8} << 30;
};

struct AttemptResult {
  Outcome outcome;
  HarnessReport report;
  std::string output;  // stdout and stderr as they came, up to the runner's cap
  bool output_capped = false;
  Isolation isolation = Isolation::kProcess;  // what was really used
  std::string isolation_reason;               // why it is not what was asked for
  int64_t duration_millis = 0;
  int64_t peak_bytes = 0;
  DeviceUse device_use = DeviceUse::kNotAvailable;
  int survivors = 0;  // processes that the script left behind; all were killed
};

class SandboxRunner {
 public:
  virtual ~SandboxRunner() = default;
  // The level reached, for example namespaces+landlock+seccomp, after trying what must be impossible.
  // kSandbox with what is missing and the remedy.
  virtual Result<std::string> SelfTest() = 0;
  // Asks the interpreter about itself. kDevice when it does not run at all.
  virtual Result<InterpreterFacts> Probe() = 0;
  virtual Result<AttemptResult> Run(const AttemptRequest& request) = 0;
};

}  // namespace xpu_align
