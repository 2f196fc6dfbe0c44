// The supervisor: pid 1 of a sandbox, our own code. It starts interpreters, sees their real exit status or
// signal by waiting for them, ends what is over time or memory, and kills whatever they leave behind. It
// tells the parent over a channel that no script holds. Called by the launcher.
#pragma once
#include "edge/sandbox/channel.h"
#include "edge/sandbox/sandbox_plan.h"

namespace xpu_align::sandbox {

// Serves requests until the parent closes the channel. The result is the exit status of pid 1.
//   {"op": "run", "arguments": [...], "environment": {...}, "name": "x.py", "timeout_millis": N, "memory_bytes": N}
//     descriptors: output, evidence, script bytes. With "fork": {...} the fork server gets that object.
//   {"op": "serve", "arguments": [...], "timeout_millis": N}   descriptors: output
// After these come the doors of a control group (control_group.h), if there is one.
int Supervise(const Descriptor& channel, const SandboxPlan& plan);

}  // namespace xpu_align::sandbox
