// The auditor's own reading of a run directory: ledger lines, raw ids, evidence, manifest. It reads fields from
// JSON by name and shares no codec with the stages that wrote them. Everything in the directory may be hostile.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "json/json.h"

namespace xpu_align {

struct AuditedRow {
  std::string id, title_status, deep_status, local_status, bucket;  // bucket: empty when null
  Json json;

  bool Rejected() const { return title_status == "reject" || deep_status == "reject"; }
  bool Done() const { return local_status == "done"; }
};

struct AuditedRun {
  std::filesystem::path directory;
  std::vector<AuditedRow> rows;     // the last line of an id wins; sorted by kind, then number
  Json raw, environment, manifest;  // null when the file is missing
};

// kFileSystem when the directory or its ledger can not be read; damage inside becomes findings.
Result<AuditedRun> ReadRun(const std::filesystem::path& directory, std::vector<AuditFinding>* findings);

// A regular file below the run directory, at most 256 MiB. Nothing for an absolute path, "..", or a link.
std::optional<std::string> ReadInside(const AuditedRun& run, const std::string& path);
// The JSON value of such a file; null when there is none or it is damaged.
Json ReadJsonInside(const AuditedRun& run, const std::string& path);

bool IsAuditedId(std::string_view text);

}  // namespace xpu_align
