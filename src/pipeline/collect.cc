#include "pipeline/collect.h"

#include <algorithm>

#include "filter/already_processed.h"
#include "model/schema.h"
#include "pipeline/collect_details.h"
#include "pipeline/collect_references.h"
#include "pipeline/collect_sources.h"

namespace xpu_align {
namespace {

Json ToJson(const Window& window) {
  return Json().Set("start", FormatDate(window.start)).Set("end", FormatDate(window.end));
}

Json ToJson(const std::vector<Window>& windows) {
  Json json = Json::EmptyArray();
  for (const Window& window : windows) json.Append(ToJson(window));
  return json;
}

class Collecting {
 public:
  Collecting(const CollectRequest& request, const CollectPorts& ports, const CollectRules& rules, Sources sources)
      : request_(request),
        ports_(ports),
        rules_(rules),
        sources_(std::move(sources)),
        writer_(ports_, rules_, sources_.landed) {}

  Result<CollectOutcome> Run() {
    TRY(WriteCandidates());
    LookAtEarlierRuns();
    TRY(WriteRows());
    if (const std::string why = WhyNotDetails(); !why.empty())
      sources_.reports.push_back({.name = "details", .incomplete_because = why});
    else
      TRY(FetchDetails());
    TRY(WriteHistoryUsed());
    TRY(WriteCollection());
    outcome_.candidates = sources_.candidates.size();
    outcome_.passed = passed_.size();
    for (const SourceReport& report : sources_.reports)
      if (!report.incomplete_because.empty())
        outcome_.incomplete.push_back(report.name + ": " + report.incomplete_because);
    ports_.progress.StageFinished(std::to_string(outcome_.candidates) + " candidates, " +
                                  std::to_string(outcome_.passed) + " pass the title rules" + HistoryWords() +
                                  (outcome_.incomplete.empty() ? "" : "; incomplete"));
    return std::move(outcome_);
  }

 private:
  Status WriteCandidates() {
    Json candidates = Json::EmptyArray();
    for (const auto& [id, candidate] : sources_.candidates) candidates.Append(ToJson(candidate));
    return ports_.store.Write(paths::kRawCandidates, WriteJson(Json()
                                                                   .Set("schema", SchemaOf("raw-candidates"))
                                                                   .Set("repository", request_.repository)
                                                                   .Set("window", ToJson(request_.window))
                                                                   .Set("candidates", candidates)));
  }

  void LookAtEarlierRuns() {
    if (!ports_.earlier) return;
    std::vector<CandidateId> ids;
    for (const auto& [id, candidate] : sources_.candidates) ids.push_back(id);
    if (const Status looked = ports_.earlier->Look(ids); !looked)
      ports_.progress.Warn("going on without earlier runs: " + looked.error().message);
  }

  // Remembers the answer for history_used.json.
  bool IsProcessed(const Candidate& candidate) {
    const HistoryEntry* entry = ports_.earlier ? ports_.earlier->Processed(candidate) : nullptr;
    if (!entry) return false;
    processed_.Append(Json()
                          .Set("id", candidate.id.Text())
                          .Set("window", entry->run.window.Name())
                          .Set("bucket", Name(*entry->row.bucket)));
    ++outcome_.already_processed;
    return true;
  }

  std::string HistoryWords() const {
    std::string words;
    if (outcome_.already_processed > 0)
      words += ", " + std::to_string(outcome_.already_processed) + " were processed before";
    if (outcome_.reused > 0) words += ", details of " + std::to_string(outcome_.reused) + " are those of earlier runs";
    return words;
  }

  // A row that is there belongs to the stages that wrote it last.
  Status WriteRows() {
    TRY_ASSIGN(const std::vector<LedgerRow> rows, ports_.store.LoadLedger());
    std::map<CandidateId, const LedgerRow*> known;
    for (const LedgerRow& row : rows) known.emplace(row.id, &row);
    for (const auto& [id, candidate] : sources_.candidates) {
      const auto row = known.find(id);
      if (row != known.end()) {
        if (row->second->title_status == TitleStatus::kPass) passed_.push_back(&candidate);
        if (row->second->title_rule == kAlreadyProcessed) static_cast<void>(IsProcessed(candidate));
        continue;
      }
      TitleDecision decision = rules_.decide_title(id.kind(), candidate.title);
      if (decision.status == TitleStatus::kPass && IsProcessed(candidate))
        decision = {.status = TitleStatus::kReject, .rule = std::string(kAlreadyProcessed)};
      LedgerRow fresh{.id = id, .title = candidate.title, .url = candidate.url};
      fresh.title_status = decision.status;
      fresh.title_rule = decision.rule;
      TRY(ports_.store.Append(fresh, Durability::kStageEnd));
      if (decision.status == TitleStatus::kPass) passed_.push_back(&candidate);
    }
    return ports_.store.CompactLedger();
  }

  // Empty: fetch them.
  std::string WhyNotDetails() {
    const TitleSummary summary = SummaryOf(passed_);
    const bool too_many = request_.max_candidates && summary.passed > *request_.max_candidates;
    if (!summary.IsMany() && !too_many) return {};
    ports_.progress.Note(summary.Words());
    const std::string count = std::to_string(summary.passed) + " candidates pass the title rules";
    if (too_many) return count + ", more than --max-candidates " + std::to_string(*request_.max_candidates);
    if (rules_.go_on && !rules_.go_on(summary)) return count + "; stopped before their details";
    return {};
  }

  Status FetchDetails() {
    SourceReport report{.name = "details"};
    // Second, what the rules reject but a passing candidate links to: the filter may revive it.
    for (const Round round : {Round::kPassed, Round::kLinked}) {
      if (!report.incomplete_because.empty()) break;
      writer_.SetMaterial(round == Round::kPassed ? DetailsWriter::Material::kExported
                                                  : DetailsWriter::Material::kLeftOut);
      for (const Status& done : {FetchItems(round), WriteCommits(round)}) {
        if (!done && EndsTheStage(done.error())) return done;
        if (!done && report.incomplete_because.empty()) report.incomplete_because = done.error().message;
      }
    }
    if (const auto& parts = writer_.Incomplete(); !parts.empty() && report.incomplete_because.empty())
      report.incomplete_because =
          "not whole: " + parts.front() + (parts.size() > 1 ? ", and " + std::to_string(parts.size() - 1) + " more" : "");
    report.items = outcome_.detailed;
    report.reused = outcome_.reused;
    if (!report.incomplete_because.empty())
      ports_.progress.Warn("details of " + std::to_string(outcome_.detailed) + " candidates, " +
                           std::to_string(passed_.size()) + " pass: " + report.incomplete_because);
    sources_.reports.push_back(std::move(report));
    return {};
  }

  enum class Round { kPassed, kLinked };

  bool IsWanted(const Candidate& candidate, Round round) const {
    const bool passed = std::ranges::any_of(passed_, [&](const Candidate* one) { return one->id == candidate.id; });
    return round == Round::kPassed ? passed : !passed && writer_.IsLinked(candidate);
  }

  // Also asked when this run has them already: a run that goes on counts like one that was never stopped.
  Status TakeFromEarlierRun(const Candidate& candidate) {
    if (!ports_.earlier) return {};
    const auto landed = sources_.landed.find(candidate.number);
    const bool has_landed = candidate.kind() == Kind::kPullRequest && landed != sources_.landed.end();
    const auto found = ports_.earlier->DetailsOf(candidate, has_landed ? landed->second : std::string());
    if (!found) return {};
    const auto own = ports_.store.Read(paths::Details(candidate.id));
    if (own && *own != found->bytes && writer_.IsCurrent(candidate)) return {};
    if (!own || *own != found->bytes) TRY(ports_.store.Write(paths::Details(candidate.id), found->bytes));
    reused_.Append(
        Json().Set("id", candidate.id.Text()).Set("window", found->window).Set("sha256", found->sha256));
    ++outcome_.reused;
    return {};
  }

  Status FetchItems(Round round) {
    std::vector<ListedItem> wanted;
    std::map<CandidateId, int64_t> numbers;
    for (const ListedItem& item : sources_.listed) {
      if (!IsWanted(item.candidate, round)) continue;
      TRY(TakeFromEarlierRun(item.candidate));
      if (writer_.IsCurrent(item.candidate)) {
        ++outcome_.detailed;
        continue;
      }
      numbers.emplace(item.candidate.id, item.candidate.number);
      wanted.push_back(item);
    }
    return ports_.github.FetchDetails(wanted, [&](FetchedItem item) -> Status {
      const auto number = numbers.find(item.details.id);
      CHECK(number != numbers.end());
      TRY(writer_.WriteItem(std::move(item), number->second));
      ++outcome_.detailed;
      return {};
    });
  }

  const Candidate& CandidateOf(const TrunkCommit& commit) const {
    return sources_.candidates.at(CandidateId::OfCommit(commit.sha));
  }

  Status WriteCommits(Round round) {
    std::vector<const TrunkCommit*> wanted;
    std::vector<std::string> shas;
    for (const TrunkCommit& commit : sources_.commits) {
      const Candidate& candidate = CandidateOf(commit);
      if (!IsWanted(candidate, round)) continue;
      TRY(TakeFromEarlierRun(candidate));
      if (writer_.IsCurrent(candidate)) {
        ++outcome_.detailed;
        continue;
      }
      wanted.push_back(&commit);
      shas.push_back(commit.sha);
    }
    const auto write = [&](size_t at, const Result<RepositoryDiff>& diff) -> Status {
      TRY(writer_.WriteCommit(*wanted[at], CandidateOf(*wanted[at]), diff));
      ++outcome_.detailed;
      return {};
    };
    if (ports_.repository != nullptr) return ports_.repository->DiffsOfCommits(shas, write);
    for (size_t i = 0; i < shas.size(); ++i) TRY(write(i, Fail(ErrorKind::kNotFound, "there is no clone")));
    return {};
  }

  // Which facts of other runs this one stands on; no file when there are none.
  Status WriteHistoryUsed() {
    if (processed_.AsArray()->empty() && reused_.AsArray()->empty())
      return ports_.store.Exists(paths::kHistoryUsed) ? ports_.store.Remove(paths::kHistoryUsed) : Status{};
    return ports_.store.Write(paths::kHistoryUsed, WriteJson(Json()
                                                                 .Set("schema", SchemaOf("history-used"))
                                                                 .Set("already_processed", processed_)
                                                                 .Set("reused_details", reused_)));
  }

  Status WriteCollection() {
    Json sources = Json::EmptyArray();
    for (const SourceReport& report : sources_.reports) sources.Append(ToJson(report));
    const RequestCosts costs = ports_.github.Costs();
    Json json =
        Json()
            .Set("schema", SchemaOf("collection"))
            .Set("sources", sources)
            .Set("requests", Json().Set("core", costs.core).Set("search", costs.search).Set("graphql", costs.graphql));
    json.SetIfAny("limits", request_.limits);
    json.SetIfAny("gaps", ToJson(request_.gaps));
    if (request_.caught_up) json.Set("caught_up", ToJson(*request_.caught_up));
    Json diffs = Json::EmptyObject();
    for (const auto& [source, count] : writer_.DiffSources()) diffs.Set(source, count);
    json.SetIfAny("diffs", diffs);
    if (!sources_.trunk_sha.empty())
      json.Set("trunk", Json().Set("ref", "refs/heads/main").Set("sha", sources_.trunk_sha));
    return ports_.store.Write(paths::kCollection, WriteJson(json));
  }

  const CollectRequest& request_;
  const CollectPorts& ports_;
  const CollectRules& rules_;
  Sources sources_;
  DetailsWriter writer_;
  std::vector<const Candidate*> passed_;  // by id
  Json processed_ = Json::EmptyArray(), reused_ = Json::EmptyArray();
  CollectOutcome outcome_;
};

}  // namespace

Result<CollectOutcome> Collect(const CollectRequest& request, const CollectPorts& ports, const CollectRules& rules) {
  TRY_ASSIGN(Sources sources,
             request.references.empty() ? AskSources(request, ports, rules) : AskForReferences(request, ports));
  return Collecting(request, ports, rules, std::move(sources)).Run();
}

}  // namespace xpu_align
