#include "pipeline/settle.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/composition.h"
#include "model/details.h"
#include "model/evidence.h"
#include "pipeline/candidate_file.h"

namespace xpu_align {
namespace {

// Details of the chain's members, leader first; of a row without a chain its own. A member whose file is missing
// or damaged is left out.
std::vector<Details> ChainDetails(RunStore& store, const LedgerRow& row, Progress& progress) {
  std::vector<std::string> ids{row.id.Text()};
  if (row.chain) {
    ids = {row.chain->leader};
    for (const std::string& member : row.chain->members)
      if (member != row.chain->leader) ids.push_back(member);
  }
  std::vector<Details> out;
  for (const std::string& text : ids) {
    const auto id = CandidateId::Parse(text);
    if (!id) continue;
    auto details = ReadCandidateFile(store, paths::Details(*id), DetailsFromJson);
    if (!details) progress.Warn(text + " is left out of its chain: " + details.error().message);
    else if (*details) out.push_back(std::move(**details));
  }
  return out;
}

// The judgement again: what the ledger does not hold (CPU arm, stability) follows from the same files.
Result<Judgement> JudgementOf(RunStore& store, const Judge& judge, const LedgerRow& row) {
  TRY_ASSIGN(const auto composition, ReadCandidateFile(store, paths::Composition(row.id), CompositionFromJson));
  TRY_ASSIGN(const auto evidence, ReadCandidateFile(store, paths::Evidence(row.id), EvidenceFromJson));
  if (!composition || !evidence) return Judgement{.bucket = *row.bucket, .reason = row.bucket_reason};
  Judgement judgement = judge.Decide(*composition, *evidence);
  if (judgement.bucket != *row.bucket)
    return Fail(ErrorKind::kProtocol, "the ledger's bucket is not that of the evidence; run judge again");
  return judgement;
}

FixFacts FixOf(const SettleFacts& facts, const LedgerRow& row, const std::vector<Details>& chain, Progress& progress) {
  if (!facts.fix) return {};
  auto fix = facts.fix(row, chain);
  if (fix) return std::move(*fix);
  progress.Warn(row.id.Text() + ": the fix state is unknown: " + fix.error().message);
  return {};
}

void Apply(const SettleInput& input, const Settlement& settlement, LedgerRow* row) {
  row->verdict = settlement.verdict;
  row->verdict_reason = settlement.reason;
  row->fix_state = input.fix.state;
  row->fix_commit = input.fix.commit;
  row->route_repository = settlement.route_repository;
  row->route_rule = settlement.route_rule;
  row->recheck_after = settlement.recheck_after;
}

}  // namespace

Result<SettleOutcome> SettleStage(RunStore& store, const Judge& judge, const SettleFacts& facts, Progress& progress) {
  TRY_ASSIGN(const std::vector<LedgerRow> rows, store.LoadLedger());
  progress.StageStarted("settle", rows.size());
  SettleOutcome outcome;
  std::vector<KnownFailure> known = facts.known;  // and the findings of this run, as they come: rows are sorted
  for (const LedgerRow& before : rows) {
    progress.Step(before.id.Text());
    if (before.local_status != LocalStatus::kDone || !before.bucket) continue;
    auto judgement = JudgementOf(store, judge, before);
    if (!judgement) {
      progress.Warn(before.id.Text() + " is not settled: " + judgement.error().message);
      continue;
    }
    SettleInput input{.row = before,
                      .chain = ChainDetails(store, before, progress),
                      .judgement = std::move(*judgement),
                      .known = known};
    input.fix = FixOf(facts, before, input.chain, progress);
    if (facts.earlier_failures) input.earlier_failures = facts.earlier_failures(before);
    LedgerRow row = before;
    Apply(input, Settle(input, judge.Target()), &row);
    if (row.IsFinding()) known.push_back({row.signature.fingerprint, row.id.Text()});
    outcome.settled += row.verdict ? 1 : 0;
    if (ToJson(row) != ToJson(before)) TRY(store.Append(row, Durability::kNow));
  }
  TRY(store.CompactLedger());
  progress.StageFinished(std::to_string(outcome.settled) + " verdicts");
  return outcome;
}

}  // namespace xpu_align
