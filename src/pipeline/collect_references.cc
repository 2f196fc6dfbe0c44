#include "pipeline/collect_references.h"

#include <algorithm>

namespace xpu_align {
namespace {

Status AddItems(const CollectRequest& request, const CollectPorts& ports, Sources* sources) {
  std::vector<int64_t> numbers;
  for (const Reference& reference : request.references)
    if (reference.kind != Kind::kCommit) numbers.push_back(reference.number);
  if (numbers.empty()) return {};
  TRY_ASSIGN(std::vector<ListedItem> items, ports.github.ListByNumber(numbers));
  for (const Reference& reference : request.references) {
    if (reference.kind == Kind::kCommit) continue;
    // A text may call a pull request #N like an issue: GitHub says which it is.
    const auto found = std::ranges::find_if(
        items, [&](const ListedItem& item) { return item.candidate.number == reference.number; });
    if (found == items.end())
      return Fail(ErrorKind::kNotFound, request.repository + " has no item " + std::to_string(reference.number));
    Candidate candidate = found->candidate;
    candidate.events.push_back({"created", candidate.created_at});
    if (sources->candidates.emplace(candidate.id, candidate).second) sources->listed.push_back(*found);
  }
  sources->reports.push_back({.name = "issues-and-prs", .items = sources->listed.size()});
  return {};
}

Status AddCommits(const CollectRequest& request, const CollectPorts& ports, Sources* sources) {
  std::vector<int64_t> pull_requests;
  for (const auto& [id, candidate] : sources->candidates)
    if (id.kind() == Kind::kPullRequest) pull_requests.push_back(candidate.number);
  const bool names_commit = std::ranges::any_of(request.references, [](const Reference& r) { return r.kind == Kind::kCommit; });
  if (!ports.repository) {
    if (names_commit) return Fail(ErrorKind::kGit, "a commit needs the clone; leave out --no-clone");
    return {};
  }
  if (!names_commit && pull_requests.empty()) return {};  // an issue needs no git
  TRY(ports.repository->Update(pull_requests));
  sources->trunk_sha = ports.repository->TrunkSha().value_or("");
  for (const Reference& reference : request.references) {
    if (reference.kind != Kind::kCommit) continue;
    TRY_ASSIGN(TrunkCommit commit, ports.repository->CommitAt(reference.sha));
    Candidate candidate{.id = CandidateId::OfCommit(commit.sha), .sha = commit.sha, .title = TitleOf(commit.message)};
    candidate.url = "https://github.com/" + request.repository + "/commit/" + commit.sha;
    candidate.author = commit.author;
    candidate.events = {{"committed", FormatTimestamp(commit.committed_at)}};
    if (sources->candidates.emplace(candidate.id, candidate).second) sources->commits.push_back(std::move(commit));
  }
  sources->reports.push_back({.name = "commits", .items = sources->commits.size()});
  return {};
}

}  // namespace

Result<Sources> AskForReferences(const CollectRequest& request, const CollectPorts& ports) {
  ports.progress.StageStarted("collect", request.references.size());
  Sources sources;
  TRY(AddItems(request, ports, &sources));
  TRY(AddCommits(request, ports, &sources));
  return sources;
}

}  // namespace xpu_align
