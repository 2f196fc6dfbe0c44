// The commands that run one stage on an open run directory. Each wires the ports that its stage may touch and
// nothing else: only collect has network and token, only execute has the interpreter. Called by run.cc.
#pragma once
#include <vector>

#include "app/world.h"
#include "model/reference.h"

namespace xpu_align {

Result<ExitCode> CollectCommand(const World& world, RunStore& store);
// The same for named items; their titles decide nothing.
Result<ExitCode> CollectReferences(const World& world, RunStore& store, const std::vector<Reference>& references);
Result<ExitCode> FilterCommand(const World& world, RunStore& store);
Result<ExitCode> ComposeCommand(const World& world, RunStore& store);
Result<ExitCode> PreflightCommand(const World& world, RunStore& store);
Result<ExitCode> ExecuteCommand(const World& world, RunStore& store);
Result<ExitCode> JudgeCommand(const World& world, RunStore& store);
Result<ExitCode> SettleCommand(const World& world, RunStore& store);
Result<ExitCode> ReportCommand(const World& world, RunStore& store);
Result<ExitCode> AuditCommand(const World& world);

// Every stage in order on one directory; goes on where an earlier run stopped. Ends by saying what there is
// to read, what to do next, and its own overhead.
// Everything behind collect is shared with spot.
Result<ExitCode> StagesAfterCollect(const World& world, RunStore& store);
Result<ExitCode> RunCommand(const World& world, RunStore& store);

}  // namespace xpu_align
