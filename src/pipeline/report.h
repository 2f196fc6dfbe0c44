// The report stage: reads the run directory, writes reports/ and the manifest's hashes, has the result
// audited, and writes a checkpoint instead of the final summary when the audit finds anything. Reads no clock:
// equal directories give equal bytes. Called by src/app.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "model/target_profile.h"
#include "model/window.h"
#include "ports/progress.h"
#include "ports/run_store.h"
#include "report/report.h"

namespace xpu_align {

struct ReportRequest {
  Window window;
  std::string run_name;
  std::string repository = "pytorch/pytorch";
  std::string events = "created";
  std::string source = "live";  // a manifest that says demo or replayed wins
  TargetProfile target;
  std::string continue_command;
  DraftSettings drafts;
};

struct ReportOutcome {
  std::vector<AuditFinding> findings;  // empty: complete
  std::string summary;                 // Markdown for the step summary
};

// Audits the directory that `store` writes to.
using Auditor = std::function<Result<std::vector<AuditFinding>>()>;

// kConfig when the directory was made for another target than `request.target`. A damaged file of one
// candidate is warned about and left out; the audit then says what is missing.
Result<ReportOutcome> ReportStage(RunStore& store, const ReportRequest& request, const Auditor& audit,
                                  Progress& progress);

}  // namespace xpu_align
