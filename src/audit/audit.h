// Audit: an outsider's check of a finished run directory. It has its own reader of the files and shares no
// code with the writers of report and ledger. Called by the audit stage and on downloaded artifacts.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "text/error.h"

namespace xpu_align {

struct AuditFinding {
  // Stable id: sources, ids, states, pending-rows, proof, hashes, target-line, counts, rejected-listed, result-lines, citations,
  // summary, drafts.
  std::string check;
  std::string text;  // what does not hold, and where
};

// Empty: the scan is complete and the report is what the ledger says. kFileSystem when the directory can
// not be read at all; everything that is wrong inside is a finding.
Result<std::vector<AuditFinding>> Audit(const std::filesystem::path& run_directory);

}  // namespace xpu_align
