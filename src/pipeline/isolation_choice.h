// IsolationChoice: may scripts of this target be forked from one interpreter? Asked of the fork server itself, on the
// target's own device: a healthy child, one that dies with its device context open, and a healthy one after it.
// Called by preflight; a fork server that fails costs time, never a result.
#pragma once
#include <string>

#include "model/target_profile.h"
#include "ports/sandbox_runner.h"

namespace xpu_align {

struct IsolationChoice {
  Isolation isolation = Isolation::kProcess;
  std::string reason;  // why not the fork server; empty when it is
};

// Errors are the runner's: kSandbox, kDevice, kCancelled.
Result<IsolationChoice> ChooseIsolation(const TargetProfile& target, int64_t timeout_millis, SandboxRunner& runner);

}  // namespace xpu_align
