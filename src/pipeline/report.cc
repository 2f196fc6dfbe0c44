#include "pipeline/report.h"

#include <optional>

#include "digest/sha256.h"
#include "model/schema.h"

namespace xpu_align {
namespace {

// Every folder of docs/run-directory.md; the manifest has the files of all of them.
constexpr std::string_view kFolders[] = {
    "artifacts", paths::kDetailsFolder, paths::kCompositionsFolder, paths::kEvidenceFolder, "scripts", "reports"};

Json OptionalJson(RunStore& store, std::string_view path, Progress& progress) {
  const auto bytes = store.Read(path);
  if (!bytes) return {};
  auto json = ParseJson(*bytes);
  if (json) return std::move(*json);
  progress.Warn(std::string(path) + " is damaged and left out: " + json.error().message);
  return {};
}

// A file of one candidate as `from_json` reads it; nothing when it is missing or damaged.
template <typename T>
std::optional<T> OfCandidate(RunStore& store, const std::string& path, Result<T> (*from_json)(const Json&),
                             Progress& progress) {
  const Json json = OptionalJson(store, path, progress);
  if (json.IsNull()) return std::nullopt;
  auto value = from_json(json);
  if (value) return std::move(*value);
  progress.Warn(path + " is damaged and left out: " + value.error().message);
  return std::nullopt;
}

void LoadCandidate(RunStore& store, const CandidateId& id, ReportInput* input, Progress& progress) {
  if (auto details = OfCandidate(store, paths::Details(id), DetailsFromJson, progress))
    input->details.emplace(id, std::move(*details));
  if (auto composition = OfCandidate(store, paths::Composition(id), CompositionFromJson, progress))
    input->compositions.emplace(id, std::move(*composition));
  if (auto evidence = OfCandidate(store, paths::Evidence(id), EvidenceFromJson, progress))
    input->evidence.emplace(id, std::move(*evidence));
  if (auto script = store.Read(paths::Script(id))) input->scripts.emplace(id, std::move(*script));
}

Status CheckTarget(const ReportInput& input, const Json& manifest) {
  for (const std::string& found : {manifest["identity"].StringOr("target"), input.environment.StringOr("target")}) {
    if (!found.empty() && found != input.target.name)
      return Fail(ErrorKind::kConfig, "the run directory was made for target " + UntrustedText(found).ForLogLine(40) +
                                          ", not " + input.target.name + "; use --target");
  }
  return {};
}

Result<ReportInput> Load(RunStore& store, const ReportRequest& request, const Json& manifest, Progress& progress) {
  ReportInput input{.window = request.window,
                    .run_name = request.run_name,
                    .repository = request.repository,
                    .events = request.events,
                    .source = request.source,
                    .target = request.target,
                    .environment = OptionalJson(store, paths::kEnvironment, progress),
                    .collection = OptionalJson(store, paths::kCollection, progress),
                    .facts_touched = OptionalJson(store, kFactsTouchedPath, progress),
                    .collect_env = store.Read(paths::kCollectEnv).value_or(""),
                    .continue_command = request.continue_command,
                    .drafts = request.drafts};
  if (const std::string source = manifest.StringOr("source", "live"); source != "live") input.source = source;
  TRY(CheckTarget(input, manifest));
  TRY_ASSIGN(input.rows, store.LoadLedger());
  progress.StageStarted("report", input.rows.size());
  for (const LedgerRow& row : input.rows) {
    if (row.local_status == LocalStatus::kDone) LoadCandidate(store, row.id, &input, progress);
    progress.Step(row.id.Text());
  }
  return input;
}

Status WriteReports(RunStore& store, const ReportInput& input) {
  TRY(store.Write(paths::kFullScan, RenderReport(input)));
  TRY(store.Write(paths::kIssueDrafts, RenderDrafts(input)));
  return store.Write(paths::kReproPrecheck, RenderPrecheck(input));
}

Json NewManifest(const ReportRequest& request) {
  return Json().Set("schema", SchemaOf("manifest")).Set("source", request.source);
}

// The hash of every file of the run, except the manifest itself and the timings.
Status WriteManifest(RunStore& store, Json manifest) {
  Json files = Json::EmptyObject();
  for (const std::string_view folder : kFolders) {
    for (const std::string& name : store.List(folder)) {
      const std::string path = std::string(folder) + "/" + name;
      if (path == paths::kManifest || path == paths::kTiming) continue;
      TRY_ASSIGN(const std::string bytes, store.Read(path));
      files.Set(path, Sha256Hex(bytes));
    }
  }
  return store.Write(paths::kManifest, WriteJson(manifest.Set("files", files)));
}

}  // namespace

Result<ReportOutcome> ReportStage(RunStore& store, const ReportRequest& request, const Auditor& audit,
                                  Progress& progress) {
  Json manifest = OptionalJson(store, paths::kManifest, progress);
  if (!manifest.IsObject()) manifest = NewManifest(request);
  TRY(store.CompactLedger());  // its hash must be that of a ledger at rest
  TRY_ASSIGN(ReportInput input, Load(store, request, manifest, progress));
  TRY(WriteReports(store, input));
  TRY(WriteManifest(store, manifest));
  ReportOutcome outcome;
  TRY_ASSIGN(outcome.findings, audit());
  if (!outcome.findings.empty()) {
    for (const AuditFinding& finding : outcome.findings)
      input.audit_findings.push_back(finding.check + ": " + finding.text);
    TRY(WriteReports(store, input));
    TRY(WriteManifest(store, manifest));
  }
  outcome.summary = RenderSummary(input);
  progress.StageFinished(outcome.findings.empty() ? "complete, audited"
                                                  : std::to_string(outcome.findings.size()) + " audit findings");
  return outcome;
}

}  // namespace xpu_align
