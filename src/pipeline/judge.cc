#include "pipeline/judge.h"

#include <optional>
#include <utility>

#include "digest/sha256.h"
#include "model/composition.h"
#include "model/details.h"
#include "model/evidence.h"
#include "pipeline/candidate_file.h"

namespace xpu_align {
namespace {

// Title and deep filter passed it; a row that the run left open, or that this stage has judged before.
bool IsForJudge(const LedgerRow& row) {
  return row.title_status == TitleStatus::kPass && row.deep_status != DeepStatus::kReject && row.hold.empty();
}

// Nothing: this row has not run yet.
Result<std::optional<Judgement>> JudgementOf(RunStore& store, const Judge& judge, const LedgerRow& row) {
  TRY_ASSIGN(const auto details, ReadCandidateFile(store, paths::Details(row.id), DetailsFromJson));
  if (details && !details->fetch_failure.empty()) return JudgeFetchFailure(details->fetch_failure);
  if (row.deep_status != DeepStatus::kPass) return std::nullopt;
  TRY_ASSIGN(const auto composition, ReadCandidateFile(store, paths::Composition(row.id), CompositionFromJson));
  if (!composition) return std::nullopt;
  if (composition->refusal) return JudgeRefusal(*composition->refusal, composition->refusal_text);
  TRY_ASSIGN(const auto evidence, ReadCandidateFile(store, paths::Evidence(row.id), EvidenceFromJson));
  if (!evidence) return std::nullopt;
  return judge.Decide(*composition, *evidence);
}

// A verdict belongs to the finding that it was given for.
void ForgetVerdict(LedgerRow* row) {
  row->verdict.reset();
  row->verdict_reason = {};
  row->fix_state.reset();
  row->fix_commit.clear();
  row->route_repository.clear();
  row->route_rule.clear();
  row->recheck_after.clear();
}

void Apply(const Judgement& judgement, LedgerRow* row) {
  if (row->bucket != judgement.bucket || row->signature != judgement.signature) ForgetVerdict(row);
  row->local_status = LocalStatus::kDone;
  row->bucket = judgement.bucket;
  row->decided_by = judgement.decided_by;
  row->bucket_reason = judgement.reason;
  row->signature = judgement.signature;
  row->suspected_component = judgement.suspected_component;
}

}  // namespace

Result<JudgeOutcome> JudgeStage(RunStore& store, const Judge& judge, Progress& progress) {
  TRY_ASSIGN(const std::vector<LedgerRow> rows, store.LoadLedger());
  progress.StageStarted("judge", rows.size());
  JudgeOutcome outcome;
  for (const LedgerRow& before : rows) {
    progress.Step(before.id.Text());
    if (!IsForJudge(before)) continue;
    const auto judgement = JudgementOf(store, judge, before);
    if (!judgement) progress.Warn(before.id.Text() + " is not judged: " + judgement.error().message);
    if (!judgement || !*judgement) {
      outcome.pending += before.IsPendingActionable() ? 1 : 0;
      continue;
    }
    LedgerRow row = before;
    Apply(**judgement, &row);
    ++outcome.judged;
    if (ToJson(row) != ToJson(before)) TRY(store.Append(row, Durability::kNow));
  }
  TRY(store.CompactLedger());
  progress.StageFinished(std::to_string(outcome.judged) + " judged, " + std::to_string(outcome.pending) + " pending");
  return outcome;
}

}  // namespace xpu_align
