#include "pipeline/filter.h"

#include <algorithm>
#include <optional>

#include "filter/chains.h"
#include "filter/script_key.h"
#include "model/schema.h"

namespace xpu_align {
namespace {

constexpr std::string_view kDetailsHold = "details ";
// The title rule for the bot's records of tests that are switched off.
constexpr std::string_view kTestToggleRule = "disabled-test";

Runnable RunnableOf(Material material) {
  switch (material) {
    case Material::kScript: return Runnable::kScript;
    case Material::kTest: return Runnable::kTest;
    case Material::kNone: break;
  }
  return Runnable::kNothing;
}

bool HasEvent(const LedgerRow& row, std::string_view name) {
  return std::ranges::any_of(row.history, [&](const HistoryEvent& event) { return event.name == name; });
}

// Its columns stand: going back is for named events of later stages.
bool HasRun(const LedgerRow& row) {
  return row.local_status == LocalStatus::kDone || !row.evidence_sha256.empty() || HasEvent(row, "promoted");
}

// A row with what this call knows about it.
struct Entry {
  LedgerRow row;
  Json before;  // the row as it is in the ledger; null: not there
  std::optional<Details> details;
  Runnable runnable = Runnable::kNothing;
  std::optional<DeepDecision> decision;  // of the details alone

  bool PassesTitle() const { return row.title_status == TitleStatus::kPass; }
  // Only such a candidate revives others and joins a chain.
  bool CouldRun() const {
    return decision && (decision->status == DeepStatus::kPass || LacksMaterialOnly(*decision));
  }
};

class FilterStage {
 public:
  FilterStage(RunStore& store, const FilterRules& rules, Progress& progress)
      : store_(store), rules_(rules), progress_(progress) {}

  Result<FilterStatistics> Run() {
    TRY(LoadRows());
    progress_.StageStarted("filter", entries_.size());
    for (auto& [id, entry] : entries_) {
      LoadDetails(entry);
      if (entry.PassesTitle()) Decide(entry);
      progress_.Step(id.Text());
    }
    Revive();
    for (auto& [id, entry] : entries_)
      if (!HasRun(entry.row)) Apply(entry);
    ApplyChains();
    for (auto& [id, entry] : entries_)
      if (ToJson(entry.row) != entry.before) TRY(store_.Append(entry.row, Durability::kStageEnd));
    TRY(store_.CompactLedger());
    Count();
    for (const std::string& note : statistics_.notes) progress_.Note(note);
    progress_.StageFinished(std::to_string(statistics_.passed) + " of " + std::to_string(statistics_.candidates) +
                            " candidates go on");
    return std::move(statistics_);
  }

 private:
  Status LoadRows() {
    TRY_ASSIGN(std::vector<LedgerRow> rows, store_.LoadLedger());
    for (LedgerRow& row : rows) {
      const CandidateId id = row.id;
      Json before = ToJson(row);
      entries_.emplace(id, Entry{std::move(row), std::move(before)});
    }
    const auto raw = store_.Read(paths::kRawCandidates);
    if (!raw) {
      if (raw.error().kind != ErrorKind::kNotFound) return std::unexpected(raw.error());
      if (!entries_.empty()) return {};
      return Fail(ErrorKind::kNotFound, "there is neither " + std::string(paths::kRawCandidates) +
                                            " nor a ledger; run collect first");
    }
    if (auto added = AddCandidates(*raw); !added) return Fail(added.error(), std::string(paths::kRawCandidates));
    return {};
  }

  // Rows that collect has made stand as they are.
  Status AddCandidates(std::string_view raw) {
    TRY_ASSIGN(const Json json, ParseJson(raw));
    TRY(CheckSchema(json, "raw-candidates"));
    repository_ = json.StringOr("repository", repository_);
    std::vector<Candidate> candidates;
    for (const Json& item : json.ArrayOf("candidates")) {
      TRY_ASSIGN(Candidate one, CandidateFromJson(item));
      const Candidate& candidate = candidates.emplace_back(std::move(one));
      if (!candidate.events.empty()) came_at_.emplace(candidate.id, candidate.events.front().at);
      if (entries_.contains(candidate.id)) continue;
      const TitleDecision decision = rules_.title.Decide(candidate.kind(), candidate.title);
      LedgerRow row{.id = candidate.id, .title = candidate.title, .url = candidate.url};
      row.title_status = decision.status;
      row.title_rule = decision.rule;
      entries_.emplace(candidate.id, Entry{std::move(row), Json()});
    }
    std::vector<const Candidate*> passed;
    for (const Candidate& candidate : candidates)
      if (entries_.at(candidate.id).PassesTitle()) passed.push_back(&candidate);
    statistics_.title_passed = SummaryOf(passed);
    return {};
  }

  // Damaged details of one candidate concern that candidate only.
  void LoadDetails(Entry& entry) {
    auto details = ReadDetails(entry.row.id);
    if (!details) {
      if (!entry.PassesTitle() || HasRun(entry.row)) return;
      entry.row.hold = std::string(kDetailsHold);
      entry.row.hold += details.error().kind == ErrorKind::kNotFound
                            ? "are not there"
                            : "can not be used: " + UntrustedText(details.error().message).ForLogLine();
      return;
    }
    if (entry.row.hold.starts_with(kDetailsHold)) entry.row.hold.clear();
    // Details made by hand may leave the links to the text.
    for (const UntrustedText* text : {&details->title, &details->body})
      for (Link& link : LinksInText(*text, repository_)) details->links.push_back(std::move(link));
    entry.details = std::move(*details);
  }

  Result<Details> ReadDetails(const CandidateId& id) {
    TRY_ASSIGN(const std::string bytes, store_.Read(paths::Details(id)));
    TRY_ASSIGN(const Json json, ParseJson(bytes));
    TRY_ASSIGN(Details details, DetailsFromJson(json));
    if (details.id != id) return Fail(ErrorKind::kProtocol, "they are those of " + details.id.Text());
    return details;
  }

  void Decide(Entry& entry) {
    // What can not be fetched is no rejection; judge makes it blocked-fetch.
    if (!entry.details || !entry.details->fetch_failure.empty()) return;
    entry.runnable = RunnableOf(rules_.material_in(*entry.details));
    entry.decision = rules_.deep.Decide(*entry.details, entry.runnable);
  }

  // A revived candidate may revive others, so the queue grows while it is read.
  void Revive() {
    std::vector<CandidateId> ids, queue;
    for (const auto& [id, entry] : entries_) {
      ids.push_back(id);
      if (entry.CouldRun()) queue.push_back(id);
    }
    const CandidateIndex index(ids);
    for (size_t i = 0; i < queue.size(); ++i) {
      const CandidateId by = queue[i];
      for (const Link& link : JoiningLinks(*entries_.at(by).details)) {
        const auto target = index.Resolve(link);
        if (target && ReviveOne(entries_.at(*target), by.Text() + " links to it (" + link.kind + ")"))
          queue.push_back(*target);
      }
    }
  }

  // True when `entry` is revived by this and could run. Kinds of links that join are ours, not upstream's text.
  bool ReviveOne(Entry& entry, const std::string& why) {
    if (entry.PassesTitle()) return false;
    if (!entry.details) {
      statistics_.notes.push_back(entry.row.id.Text() + " stays rejected by the title rule " + entry.row.title_rule +
                                  ", though " + why + ": its details were not fetched");
      return false;
    }
    entry.row.title_status = TitleStatus::kPass;
    entry.row.history.push_back({"revived", why});
    ++statistics_.revived;
    Decide(entry);
    return entry.CouldRun();
  }

  static void Apply(Entry& entry) {
    LedgerRow& row = entry.row;
    row.chain.reset();
    row.deep_reason = entry.decision ? entry.decision->reason : Reason{};
    row.areas = entry.decision ? entry.decision->areas : std::vector<std::string>{};
    if (!entry.PassesTitle() || !entry.details) row.deep_status = DeepStatus::kPending;
    else row.deep_status = entry.decision ? entry.decision->status : DeepStatus::kPass;
  }

  ChainCandidate ChainCandidateOf(const Entry& entry) const {
    const auto came_at = came_at_.find(entry.row.id);
    return {.details = &*entry.details,
            .runnable = entry.runnable,
            .standing = entry.decision->status,
            .role = entry.row.title_rule == kTestToggleRule ? ChainRole::kTestToggle : ChainRole::kMatter,
            .script = ScriptKeyOf(*entry.details),
            .at = came_at == came_at_.end() ? "" : came_at->second};
  }

  void ApplyChains() {
    std::vector<ChainCandidate> candidates;
    for (const auto& [id, entry] : entries_)
      if (entry.CouldRun()) candidates.push_back(ChainCandidateOf(entry));
    for (const Chain& chain : FindChains(candidates)) {
      ++statistics_.chains;
      for (const std::string& member : chain.members) {
        LedgerRow& row = entries_.at(*CandidateId::Parse(member)).row;
        if (HasRun(row)) continue;
        row.chain = chain;
        if (member == chain.leader) continue;
        row.deep_status = DeepStatus::kReject;
        row.deep_reason = {"duplicate-chain", "the same matter as " + chain.leader + ", which stands for the chain"};
      }
    }
  }

  void Count() {
    statistics_.candidates = entries_.size();
    for (const auto& [id, entry] : entries_) {
      const LedgerRow& row = entry.row;
      if (!entry.PassesTitle()) {
        ++statistics_.title_rejected;
        ++statistics_.title_rules[row.title_rule];
        continue;
      }
      if (!row.title_rule.empty() && !HasEvent(row, "revived")) ++statistics_.protections[row.title_rule];
      if (row.deep_status == DeepStatus::kPass) ++statistics_.passed;
      if (row.deep_status == DeepStatus::kPending) ++statistics_.undecided;
      if (row.deep_status != DeepStatus::kReject) continue;
      ++statistics_.deep_rejected;
      ++statistics_.deep_reasons[row.deep_reason.rule];
      const bool is_own = entry.decision && entry.decision->reason == row.deep_reason;
      ++statistics_.deep_rules[is_own ? entry.decision->rule : row.deep_reason.rule];
    }
  }

  RunStore& store_;
  const FilterRules& rules_;
  Progress& progress_;
  std::string repository_ = "pytorch/pytorch";
  std::map<CandidateId, Entry> entries_;
  std::map<CandidateId, std::string> came_at_;  // the first event of the window, RFC 3339, UTC
  FilterStatistics statistics_;
};

}  // namespace

Result<FilterStatistics> RunFilter(RunStore& store, const FilterRules& rules, Progress& progress) {
  return FilterStage(store, rules, progress).Run();
}

}  // namespace xpu_align
