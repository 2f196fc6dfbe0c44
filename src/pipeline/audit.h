// The audit stage: an outsider's check of a run directory, for `xpu-align audit DIR`, also on a downloaded
// artifact. Writes nothing. Called by src/app, which exits with 3 when there is a finding.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "ports/progress.h"

namespace xpu_align {

// Every finding is noted as "<check>: <text>". kFileSystem when the directory can not be read.
Result<std::vector<AuditFinding>> AuditStage(const std::filesystem::path& run_directory, Progress& progress);

}  // namespace xpu_align
