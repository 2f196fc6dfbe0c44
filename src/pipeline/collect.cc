#include "pipeline/collect.h"

#include <algorithm>

#include "model/schema.h"
#include "pipeline/collect_details.h"
#include "pipeline/collect_references.h"
#include "pipeline/collect_sources.h"

namespace xpu_align {
namespace {

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
    TRY(WriteRows());
    if (const std::string why = WhyNotDetails(); !why.empty())
      sources_.reports.push_back({.name = "details", .incomplete_because = why});
    else
      TRY(FetchDetails());
    TRY(WriteCollection());
    outcome_.candidates = sources_.candidates.size();
    outcome_.passed = passed_.size();
    for (const SourceReport& report : sources_.reports)
      if (!report.incomplete_because.empty())
        outcome_.incomplete.push_back(report.name + ": " + report.incomplete_because);
    ports_.progress.StageFinished(std::to_string(outcome_.candidates) + " candidates, " +
                                  std::to_string(outcome_.passed) + " pass the title rules" +
                                  (outcome_.incomplete.empty() ? "" : "; incomplete"));
    return std::move(outcome_);
  }

 private:
  Status WriteCandidates() {
    Json candidates = Json::EmptyArray();
    for (const auto& [id, candidate] : sources_.candidates) candidates.Append(ToJson(candidate));
    const Json window =
        Json().Set("start", FormatDate(request_.window.start)).Set("end", FormatDate(request_.window.end));
    return ports_.store.Write(paths::kRawCandidates, WriteJson(Json()
                                                                   .Set("schema", SchemaOf("raw-candidates"))
                                                                   .Set("repository", request_.repository)
                                                                   .Set("window", window)
                                                                   .Set("candidates", candidates)));
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
        continue;
      }
      const TitleDecision decision = rules_.decide_title(id.kind(), candidate.title);
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
    const std::string count = std::to_string(passed_.size()) + " candidates pass the title rules";
    if (passed_.size() > kManyCandidates || (request_.max_candidates && passed_.size() > *request_.max_candidates)) {
      TitleSummary summary{.passed = passed_.size()};
      std::map<std::string, size_t> days;
      for (const Candidate* candidate : passed_)
        ++days[candidate->events.empty() ? std::string() : candidate->events.back().at.substr(0, 10)];
      summary.by_day.assign(days.begin(), days.end());
      std::string note = count + "; narrower windows:";
      for (const auto& [day, share] : summary.by_day) note += " " + day + ": " + std::to_string(share) + ";";
      note.pop_back();
      ports_.progress.Note(note);
      if (request_.max_candidates && passed_.size() > *request_.max_candidates)
        return count + ", more than --max-candidates " + std::to_string(*request_.max_candidates);
      if (rules_.go_on && !rules_.go_on(summary)) return count + "; stopped before their details";
    }
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
    report.items = outcome_.detailed;
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

  Status FetchItems(Round round) {
    std::vector<ListedItem> wanted;
    std::map<CandidateId, int64_t> numbers;
    for (const ListedItem& item : sources_.listed) {
      if (!IsWanted(item.candidate, round)) continue;
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

  Status WriteCollection() {
    Json sources = Json::EmptyArray();
    for (const SourceReport& report : sources_.reports) sources.Append(ToJson(report));
    const RequestCosts costs = ports_.github.Costs();
    Json json =
        Json()
            .Set("schema", SchemaOf("collection"))
            .Set("sources", sources)
            .Set("requests", Json().Set("core", costs.core).Set("search", costs.search).Set("graphql", costs.graphql));
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
  CollectOutcome outcome_;
};

}  // namespace

Result<CollectOutcome> Collect(const CollectRequest& request, const CollectPorts& ports, const CollectRules& rules) {
  TRY_ASSIGN(Sources sources,
             request.references.empty() ? AskSources(request, ports, rules) : AskForReferences(request, ports));
  return Collecting(request, ports, rules, std::move(sources)).Run();
}

}  // namespace xpu_align
