#include "pipeline/audit.h"

namespace xpu_align {

Result<std::vector<AuditFinding>> AuditStage(const std::filesystem::path& run_directory, Progress& progress) {
  progress.StageStarted("audit", 0);
  TRY_ASSIGN(std::vector<AuditFinding> findings, Audit(run_directory));
  for (const AuditFinding& finding : findings) progress.Warn(finding.check + ": " + finding.text);
  progress.StageFinished(findings.empty() ? "the run is complete and the report is what the ledger says"
                                          : std::to_string(findings.size()) + " findings");
  return findings;
}

}  // namespace xpu_align
