#include "pipeline/compose.h"

namespace xpu_align {
namespace {

bool IsToCompose(const LedgerRow& row) {
  return row.title_status == TitleStatus::kPass && row.deep_status == DeepStatus::kPass &&
         row.local_status == LocalStatus::kPending;
}

// An unchanged file is left alone, so that a repeated stage touches nothing.
Status WriteIfChanged(RunStore& store, const std::string& path, const std::string& bytes) {
  if (store.Exists(path)) {
    TRY_ASSIGN(const std::string present, store.Read(path));
    if (present == bytes) return {};
  }
  return store.Write(path, bytes);
}

Status WriteReference(RunStore& store, const CandidateId& id, const std::string& script) {
  const std::string path = paths::ReferenceScript(id);
  if (!script.empty()) return WriteIfChanged(store, path, script);
  if (store.Exists(path)) return store.Remove(path);  // of an earlier composition
  return {};
}

Status WriteComposed(RunStore& store, const ComposedScript& composed, LedgerRow row) {
  TRY(WriteIfChanged(store, paths::Script(row.id), composed.script));
  TRY(WriteReference(store, row.id, composed.reference_script));
  TRY(WriteIfChanged(store, paths::Composition(row.id), WriteJson(ToJson(composed.record))));
  if (row.strategy == composed.record.strategy && row.script_sha256 == composed.record.script_sha256) return {};
  row.strategy = composed.record.strategy;
  row.script_sha256 = composed.record.script_sha256;
  return store.Append(row, Durability::kStageEnd);
}

Result<Details> ReadDetails(RunStore& store, const CandidateId& id) {
  const std::string path = paths::Details(id);
  TRY_ASSIGN(const std::string bytes, store.Read(path));
  const auto json = ParseJson(bytes);
  if (!json) return Fail(json.error(), path);
  auto details = DetailsFromJson(*json);
  if (!details) return Fail(details.error(), path);
  return details;
}

}  // namespace

Result<ComposeCounts> ComposeStage(RunStore& store, const Composer& composer, Progress& progress) {
  TRY_ASSIGN(std::vector<LedgerRow> rows, store.LoadLedger());
  std::erase_if(rows, [](const LedgerRow& row) { return !IsToCompose(row); });
  progress.StageStarted("compose", rows.size());
  ComposeCounts counts;
  for (const LedgerRow& row : rows) {
    TRY_ASSIGN(const Details details, ReadDetails(store, row.id));
    progress.Step(row.id.Text());
    if (!details.fetch_failure.empty()) continue;
    const ComposedScript composed = composer.Compose(details);
    TRY(WriteComposed(store, composed, row));
    ++counts.composed;
    if (composed.record.refusal) ++counts.refused;
  }
  TRY(store.CompactLedger());
  progress.StageFinished(std::to_string(counts.composed) + " scripts, " + std::to_string(counts.refused) + " of them refused");
  return counts;
}

}  // namespace xpu_align
