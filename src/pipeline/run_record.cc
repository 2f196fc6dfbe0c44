#include "pipeline/run_record.h"

#include <map>

#include "digest/sha256.h"
#include "model/schema.h"
#include "pipeline/run_identity.h"

namespace xpu_align {
namespace {

// A file that is missing or damaged says nothing.
Json JsonOr(RunStore& store, std::string_view path) {
  const auto bytes = store.Read(path);
  const auto json = bytes ? ParseJson(*bytes) : std::unexpected(bytes.error());
  return json.value_or(Json());
}

Result<RunOutcome> OutcomeOf(RunStore& store, const Auditor& audit) {
  if (!JsonOr(store, paths::kCollection).IsObject()) return RunOutcome::kFailed;
  if (!JsonOr(store, paths::kManifest)["files"].IsObject()) return RunOutcome::kPartial;
  TRY_ASSIGN(const auto findings, audit());
  return findings.empty() ? RunOutcome::kComplete : RunOutcome::kPartial;
}

std::map<CandidateId, Candidate> Candidates(RunStore& store) {
  std::map<CandidateId, Candidate> candidates;
  const Json raw = JsonOr(store, paths::kRawCandidates);
  for (const Json& json : raw.ArrayOf("candidates"))
    if (auto candidate = CandidateFromJson(json)) candidates.emplace(candidate->id, std::move(*candidate));
  return candidates;
}

HistoryRow RowOf(const LedgerRow& row, const LedgerRow* leader) {
  HistoryRow result{.id = row.id};
  const LedgerRow* answer = nullptr;
  if (row.title_status == TitleStatus::kReject) {
    result.reached = Reached::kTitleRejected;
  } else if (row.deep_status == DeepStatus::kReject) {
    const bool chained = leader && leader->local_status == LocalStatus::kDone;
    result.reached = chained ? Reached::kChained : Reached::kDeepRejected;
    if (chained) answer = leader;
  } else if (row.local_status == LocalStatus::kDone) {
    result.reached = Reached::kDone;
    answer = &row;
  }
  if (answer) result.bucket = answer->bucket, result.verdict = answer->verdict;
  return result;
}

Result<std::vector<HistoryRow>> RowsOf(RunStore& store) {
  TRY_ASSIGN(const std::vector<LedgerRow> ledger, store.LoadLedger());
  std::map<std::string, const LedgerRow*> by_id;
  for (const LedgerRow& row : ledger) by_id.emplace(row.id.Text(), &row);
  const auto candidates = Candidates(store);
  std::vector<HistoryRow> rows;
  for (const LedgerRow& row : ledger) {
    const bool has_leader = row.chain && row.chain->leader != row.id.Text();
    const auto leader = has_leader ? by_id.find(row.chain->leader) : by_id.end();
    HistoryRow result = RowOf(row, leader == by_id.end() ? nullptr : leader->second);
    if (const auto found = candidates.find(row.id); found != candidates.end()) {
      result.updated_at = found->second.updated_at;
      result.text_sha256 = found->second.text_sha256;
      for (const Event& event : found->second.events)
        if (event.name == "merged") result.merged_at = event.at;
    }
    if (const auto details = store.Read(paths::Details(row.id))) result.details_sha256 = Sha256Hex(*details);
    rows.push_back(std::move(result));
  }
  return rows;
}

}  // namespace

Result<std::optional<HistoryRecord>> RecordOf(RunStore& store, const std::string& directory, const Auditor& audit) {
  TRY_ASSIGN(const auto claimed, ReadClaim(store));
  const auto window = claimed ? Window::Named(claimed->identity.window) : std::nullopt;
  if (!window) return std::nullopt;
  const RunIdentity& identity = claimed->identity;
  HistoryRecord record{.run = {.directory = directory,
                               .scope = {identity.repository, identity.target, std::string(Name(claimed->source))},
                               .window = *window,
                               .events = identity.events,
                               .torch_version = identity.torch_version,
                               .build = identity.build}};
  const Json timing = JsonOr(store, paths::kTiming);
  record.run.version = timing["run"].StringOr("version");
  record.run.started_at = timing["run"].StringOr("started_at");
  record.run.finished_at = timing["run"].StringOr("finished_at");
  TRY_ASSIGN(record.run.outcome, OutcomeOf(store, audit));
  TRY_ASSIGN(record.rows, RowsOf(store));
  return record;
}

Status StampRun(RunStore& store, const std::string& version, int64_t now) {
  Json timing = JsonOr(store, paths::kTiming);
  if (!timing.IsObject()) timing = Json::EmptyObject();
  Json run = timing["run"].IsObject() ? timing["run"] : Json::EmptyObject();
  if (run.StringOr("started_at").empty()) run.Set("started_at", FormatTimestamp(now));
  run.Set("finished_at", FormatTimestamp(now)).Set("version", version);
  timing.Set("schema", SchemaOf("timing")).Set("run", run);
  return store.Write(paths::kTiming, WriteJson(timing));
}

}  // namespace xpu_align
