// Attempts: which runs one candidate needs, and what they show, as evidence. Gives no bucket: it asks the judge
// only whether a finding is still open that another fresh run can settle. Called by execute.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "json/json.h"
#include "judge/judge.h"
#include "model/composition.h"
#include "model/evidence.h"
#include "model/target_profile.h"
#include "ports/sandbox_runner.h"
#include "text/pattern.h"

namespace xpu_align {

struct AttemptSettings {
  Isolation isolation = Isolation::kProcess;  // of first attempts; all others are fresh processes
  int64_t timeout_millis = 120'000;
  int64_t compile_timeout_millis = 420'000;
  int64_t memory_bytes = int64_t{8} << 30;
};

// A candidate that is ready to run.
struct RunnableScript {
  Composition composition;
  std::string script;
  std::string reference_script;  // for the CPU arm; empty when there is none
};

struct AttemptLog {
  std::string path;
  std::string bytes;
};

// Asked before each attempt, with those that were made. Why it must not be made, or empty; then the candidate is left
// unfinished.
using AttemptGate =
    std::function<Result<std::string>(const AttemptRequest& next, std::span<const Attempt> so_far)>;

struct Attempts {
  std::vector<Attempt> attempts;  // target, then cpu, eager, proof
  std::vector<AttemptLog> logs;
  Json timing;  // durations and peaks, one entry an attempt
  std::string unfinished;  // why not all attempts were made: the gate's word, or a process that could not be ended
};

// All runs of one candidate on the judge's target. `fallback_texts` are the profile's, each with one group: the
// operator.
Result<Attempts> RunAttempts(const RunnableScript& candidate, const Judge& judge, const AttemptSettings& settings,
                             const std::vector<Pattern>& fallback_texts, const AttemptGate& gate, SandboxRunner& runner);

// Uncaught exception, nonzero exit, signal, timeout, memory, or a script that says so itself.
bool LooksFailed(const Attempt& attempt);
// Signal, timeout or memory: the device may have suffered.
bool EndedViolently(const Attempt& attempt);

}  // namespace xpu_align
