// Observation: how one attempt ended, reduced to what the rules compare. Output that was captured before a
// run was stopped is read like a report of the harness. Used by the case of judge.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "judge/judge_data.h"
#include "judge/signature.h"
#include "model/evidence.h"

namespace xpu_align {

enum class Ending { kClean, kExitStatus, kRaised, kCrashed, kTimedOut, kOutOfMemory, kNotStarted };
std::string_view Name(Ending ending);

struct Observation {
  const Attempt* attempt = nullptr;
  Ending ending = Ending::kNotStarted;
  FailureSignature failure;       // of kRaised and kCrashed
  UntrustedText message;          // of the exception or crash line, as it came
  UntrustedText output;

  // kExitStatus is none: an exit status alone decides nothing.
  bool IsFailure() const {
    return ending == Ending::kRaised || ending == Ending::kCrashed || ending == Ending::kTimedOut;
  }
};

Observation Observe(const Attempt& attempt, const JudgeData& data);

// Two runs ended in the same way: same ending, and for failures the same exception (type, and message or frame),
// signal or fault class.
bool SameEnding(const Observation& a, const Observation& b);

// The last traceback of captured output; nothing when there is none that ends with an exception line.
std::optional<RaisedException> ExceptionInOutput(std::string_view output);

}  // namespace xpu_align
