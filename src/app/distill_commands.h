// The commands `distill scope|read|build|verify|drift|map`: open the clones, read the scope, call src/distill, write
// the output folder, print findings. Called by run.cc.
#pragma once
#include <iosfwd>

#include "app/exit_codes.h"
#include "app/options.h"
#include "app/plan.h"
#include "ports/progress.h"

namespace xpu_align {

// kUsage, kConfig for a scope that is refused, kGit for a clone or pin that is missing.
Result<ExitCode> DistillCommand(const Invocation& invocation, const Plan& plan, Progress& progress, std::ostream& out);

// Names of the scopes inside the binary.
std::vector<std::string> ShippedScopes();

}  // namespace xpu_align
