#include "pipeline/collect_sources.h"

#include <algorithm>
#include <charconv>

#include "digest/sha256.h"

namespace xpu_align {
namespace {

void AddEvent(Candidate* candidate, std::string_view name, const std::string& at) {
  const auto known = [&](const Event& event) { return event.name == name; };
  if (at.empty() || std::ranges::any_of(candidate->events, known)) return;
  candidate->events.push_back({std::string(name), at});
  std::ranges::stable_sort(candidate->events, {}, &Event::at);
}

std::string DigestOfText(const ListedItem& item) {
  return Sha256Hex(WriteJsonLine(Json::EmptyArray()
                                     .Append(item.candidate.title.ForJson())
                                     .Append(item.body.ForJson())
                                     .Append(item.comment_count)));
}

class Asking {
 public:
  Asking(const CollectRequest& request, const CollectPorts& ports, const CollectRules& rules)
      : request_(request), ports_(ports), rules_(rules) {}

  Result<Sources> Ask() {
    ports_.progress.StageStarted("collect", 0);
    CheckWindowIsOver();
    const Status items = AskItems();
    if (!items && EndsTheStage(items.error())) return std::unexpected(items.error());
    const Status commits = AskCommits();
    const bool by_rest = ports_.repository == nullptr;
    if (!commits && (commits.error().kind == ErrorKind::kCancelled || (by_rest && EndsTheStage(commits.error()))))
      return std::unexpected(commits.error());
    const bool waits = !items && items.error().kind == ErrorKind::kRateLimited;  // an answer, and a later run goes on
    if (!items && !commits && !waits) return Fail(ErrorKind::kNetwork, "no source answered: " + items.error().message);
    if (items) TRY(AskLanded());
    for (auto& [id, candidate] : sources_.candidates)
      for (ListedItem& item : listed_)
        if (item.candidate.id == id) sources_.listed.push_back(std::move(item));
    return std::move(sources_);
  }

 private:
  void Report(SourceReport report) {
    if (!report.incomplete_because.empty())
      ports_.progress.Warn(report.name + " incomplete: " + report.incomplete_because);
    sources_.reports.push_back(std::move(report));
  }

  // What happens in the rest of it would be missing without a trace.
  void CheckWindowIsOver() {
    if (!request_.now || *request_.now >= request_.window.EndSeconds()) return;
    Report({.name = "window", .incomplete_because = "it is over at " + FormatTimestamp(request_.window.EndSeconds()) +
                                                    "; run the same command again after that"});
  }

  void AddEventIn(Candidate* candidate, std::string_view name, const std::string& at) {
    if (const auto seconds = ParseTimestamp(at); seconds && request_.window.Contains(*seconds))
      AddEvent(candidate, name, at);
  }

  void Add(ListedItem item) {
    item.candidate.text_sha256 = DigestOfText(item);
    Candidate candidate = item.candidate;
    AddEventIn(&candidate, "created", item.candidate.created_at);
    // GitHub tells the last update only: one after the window may hide one inside it, so it counts.
    if (request_.events == ItemEvents::kUpdated) AddEvent(&candidate, "updated", item.candidate.updated_at);
    AddEventIn(&candidate, "merged", item.merged_at);
    sources_.candidates.emplace(candidate.id, std::move(candidate));
    listed_.push_back(std::move(item));
  }

  Status AskItems() {
    SourceReport report{.name = "issues-and-prs"};
    auto listing = ports_.github.List(request_.window, request_.events);
    if (!listing) {
      report.incomplete_because = listing.error().message;
      Report(report);
      return std::unexpected(listing.error());
    }
    report.pages = listing->pages;
    report.items = listing->items.size();
    report.incomplete_because = listing->incomplete_because;
    if (request_.events == ItemEvents::kCreated) {
      const auto count = ports_.github.CountCreated(request_.window);
      // A check that can not be made is no reason to end: the list came, so the token is good.
      if (!count && count.error().kind == ErrorKind::kCancelled) return std::unexpected(count.error());
      if (!count) ports_.progress.Warn("the list is not cross-checked with GitHub's search: " + count.error().message);
      if (count) report.cross_check = *count;
      if (count && *count != static_cast<int64_t>(report.items))
        ports_.progress.Warn("GitHub's search counts " + std::to_string(*count) +
                             " issues and pull requests in the window, the list has " + std::to_string(report.items));
    }
    for (ListedItem& item : listing->items) Add(std::move(item));
    Report(std::move(report));
    return {};
  }

  // The one fetch of the night takes the trunk and the heads of what passed so far.
  Status AskCommits() {
    SourceReport report{.name = "commits"};
    Result<std::vector<TrunkCommit>> commits;
    if (ports_.repository == nullptr) {
      commits = ports_.github.TrunkCommitsIn(request_.window);
    } else {
      std::vector<int64_t> pull_requests;
      for (const auto& [id, candidate] : sources_.candidates)
        if (id.kind() == Kind::kPullRequest &&
            rules_.decide_title(id.kind(), candidate.title).status == TitleStatus::kPass)
          pull_requests.push_back(candidate.number);
      const Status updated = ports_.repository->Update(pull_requests);
      // No token goes to the clone's server and no other source needs its disk: only a signal ends the stage.
      if (!updated && updated.error().kind == ErrorKind::kCancelled) return updated;
      if (!updated) report.incomplete_because = updated.error().message;
      commits = ports_.repository->TrunkCommitsIn(request_.window);
      if (updated || commits) sources_.trunk_sha = ports_.repository->TrunkSha().value_or("");
    }
    if (!commits) {
      if (report.incomplete_because.empty()) report.incomplete_because = commits.error().message;
      Report(report);
      return std::unexpected(commits.error());
    }
    report.items = commits->size();
    for (const TrunkCommit& commit : *commits) AddCommit(commit);
    sources_.commits = std::move(*commits);
    Report(std::move(report));
    return {};
  }

  void AddCommit(const TrunkCommit& commit) {
    Candidate candidate{.id = CandidateId::OfCommit(commit.sha)};
    candidate.sha = commit.sha;
    candidate.title = TitleOf(commit.message);
    candidate.url = "https://github.com/" + request_.repository + "/commit/" + commit.sha;
    candidate.author = commit.author;
    const std::string at = FormatTimestamp(commit.committed_at);
    AddEvent(&candidate, "committed", at);
    sources_.candidates.emplace(candidate.id, std::move(candidate));
    if (const auto number = ResolvedPullRequest(commit.message, request_.repository)) {
      sources_.landed.emplace(*number, commit.sha);  // commits come newest first
      landed_at_.emplace(*number, at);
    }
  }

  // The bot closes what it lands, so that GitHub says merged=false: the trunk says when a pull request landed.
  Status AskLanded() {
    std::vector<int64_t> older;
    for (const auto& [number, at] : landed_at_)
      if (!sources_.candidates.contains(CandidateId::OfPullRequest(number))) older.push_back(number);
    SourceReport report{.name = "landed-prs", .items = landed_at_.size()};
    auto items = older.empty() ? std::vector<ListedItem>() : ports_.github.ListByNumber(older);
    if (!items && EndsTheStage(items.error())) return std::unexpected(items.error());
    if (!items) report.incomplete_because = items.error().message;
    if (items && items->size() < older.size())
      ports_.progress.Warn(std::to_string(older.size() - items->size()) + " of " + std::to_string(older.size()) +
                           " older pull requests that the trunk names are not there any more");
    if (items)
      for (ListedItem& item : *items)
        if (item.candidate.kind() == Kind::kPullRequest) Add(std::move(item));
    for (const auto& [number, at] : landed_at_)
      if (const auto found = sources_.candidates.find(CandidateId::OfPullRequest(number));
          found != sources_.candidates.end())
        AddEvent(&found->second, "merged", at);
    Report(std::move(report));
    return {};
  }

  const CollectRequest& request_;
  const CollectPorts& ports_;
  const CollectRules& rules_;
  Sources sources_;
  std::vector<ListedItem> listed_;
  std::map<int64_t, std::string> landed_at_;
};

}  // namespace

Json ToJson(const SourceReport& report) {
  Json json;
  json.Set("name", report.name).Set("complete", report.incomplete_because.empty()).Set("items", report.items);
  json.SetIfAny("reason", report.incomplete_because);
  if (report.pages) json.Set("pages", *report.pages);
  if (report.cross_check) json.Set("cross_check", *report.cross_check);
  if (report.reused > 0) json.Set("reused", report.reused);
  return json;
}

std::optional<int64_t> ResolvedPullRequest(const UntrustedText& message, std::string_view repository) {
  const std::string start = "Pull Request resolved: https://github.com/" + std::string(repository) + "/pull/";
  std::optional<int64_t> number;
  for (std::string_view rest = message.ForMatching(); !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    if (!line.starts_with(start)) continue;
    line.remove_prefix(start.size());
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error == std::errc() && stop == line.data() + line.size() && IsItemNumber(value)) number = value;
  }
  return number;
}

UntrustedText TitleOf(const UntrustedText& message) {
  const std::string_view text = message.ForMatching();
  return UntrustedText(std::string(text.substr(0, text.find('\n'))));
}

bool EndsTheStage(const Error& error) {
  return error.kind == ErrorKind::kAuth || error.kind == ErrorKind::kCancelled || error.kind == ErrorKind::kFileSystem;
}

Result<Sources> AskSources(const CollectRequest& request, const CollectPorts& ports, const CollectRules& rules) {
  return Asking(request, ports, rules).Ask();
}

}  // namespace xpu_align
