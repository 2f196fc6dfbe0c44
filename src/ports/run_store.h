// RunStore: the files of one run directory and its ledger. Paths are relative to the run directory; an
// implementation writes nowhere else. All failures are kFileSystem unless said otherwise.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/ledger_row.h"

namespace xpu_align {

// When a row must be on disk.
enum class Durability {
  kStageEnd,  // the next Compact makes it durable
  kNow,       // fsync before Append returns
};

class RunStore {
 public:
  virtual ~RunStore() = default;

  // Whole file. kNotFound when there is none.
  virtual Result<std::string> Read(std::string_view path) = 0;
  // Creates folders; temporary file, fsync, rename: a reader sees the old bytes or the new ones.
  virtual Status Write(std::string_view path, std::string_view bytes) = 0;
  virtual bool Exists(std::string_view path) = 0;
  // Names (not paths) of the regular files in a folder, sorted; empty when there is no such folder.
  virtual std::vector<std::string> List(std::string_view folder) = 0;
  virtual Status Remove(std::string_view path) = 0;

  // All rows, sorted by id; the last row of an id wins; a torn last line is dropped. Unknown members are
  // kept. kProtocol when a whole line is not a row.
  virtual Result<std::vector<LedgerRow>> LoadLedger() = 0;
  // Appends one whole row.
  virtual Status Append(const LedgerRow& row, Durability durability) = 0;
  // Rewrites the ledger: one row an id, sorted by id.
  virtual Status CompactLedger() = 0;
};

// Paths in the run directory; docs/run-directory.md describes each file.
namespace paths {
inline constexpr std::string_view kRawCandidates = "artifacts/raw_candidates.json";
inline constexpr std::string_view kCollection = "artifacts/collection.json";
inline constexpr std::string_view kLedger = "artifacts/candidate_ledger.jsonl";
inline constexpr std::string_view kDetailsFolder = "artifacts/details";
inline constexpr std::string_view kCompositionsFolder = "artifacts/compositions";
inline constexpr std::string_view kEvidenceFolder = "artifacts/evidence";
inline constexpr std::string_view kCollectEnv = "artifacts/collect_env.txt";
inline constexpr std::string_view kEnvironment = "artifacts/environment.json";
inline constexpr std::string_view kTiming = "artifacts/timing.json";
inline constexpr std::string_view kManifest = "artifacts/manifest.json";
inline constexpr std::string_view kFullScan = "reports/full_scan.md";
inline constexpr std::string_view kIssueDrafts = "reports/issue_drafts.md";
inline constexpr std::string_view kReproPrecheck = "reports/repro_precheck.md";

inline std::string Details(const CandidateId& id) { return "artifacts/details/" + id.Text() + ".json"; }
inline std::string Composition(const CandidateId& id) { return "artifacts/compositions/" + id.Text() + ".json"; }
inline std::string ReferenceScript(const CandidateId& id) { return "artifacts/compositions/" + id.Text() + ".cpu.py"; }
inline std::string Evidence(const CandidateId& id) { return "artifacts/evidence/" + id.Text() + ".json"; }
inline std::string Script(const CandidateId& id) { return "scripts/repro_" + id.Text() + ".py"; }
inline std::string Log(const CandidateId& id) { return "artifacts/output_" + id.Text() + ".log"; }
}  // namespace paths

}  // namespace xpu_align
