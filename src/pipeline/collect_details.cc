#include "pipeline/collect_details.h"

#include <algorithm>
#include <utility>

#include "pipeline/changed_tests.h"
#include "pipeline/commit_trailers.h"
#include "pipeline/material.h"

namespace xpu_align {
namespace {

constexpr int kMaxDiffsMissedInARow = 3;     // then the others would be missed, too
constexpr size_t kMaxPatchBytes = 4u << 20;  // of one candidate; later patches are left out

void LimitPatches(std::vector<ChangedFile>* files) {
  size_t total = 0;
  for (ChangedFile& file : *files)
    if ((total += file.patch.SizeInBytes()) > kMaxPatchBytes) file.patch = UntrustedText();
}

void AddLinks(const std::vector<Link>& links, Details* details) {
  for (const Link& link : links) {
    const auto same = [&](const Link& known) { return known.kind == link.kind && known.target == link.target; };
    const bool itself = link.target == details->id.Text() || (!details->sha.empty() && link.target == details->sha);
    if (!itself && !std::ranges::any_of(details->links, same)) details->links.push_back(link);
  }
}

}  // namespace

bool DetailsWriter::IsCurrent(const Candidate& candidate) {
  const auto bytes = ports_.store.Read(paths::Details(candidate.id));
  const auto json = bytes ? ParseJson(*bytes) : std::unexpected(bytes.error());
  const auto details = json ? DetailsFromJson(*json) : std::unexpected(json.error());
  if (!details || !details->incomplete_because.empty()) return false;
  // The trunk may have told meanwhile where it landed.
  const auto landed = landed_.find(candidate.number);
  if (candidate.kind() == Kind::kPullRequest && landed != landed_.end() && landed->second != details->landed_sha)
    return false;
  const bool current = candidate.kind() == Kind::kCommit ||
                       (!details->updated_at.empty() && details->updated_at >= candidate.updated_at);
  if (current) Remember(*details);
  return current;
}

bool DetailsWriter::IsLinked(const Candidate& candidate) const {
  if (candidate.kind() == Kind::kCommit)
    return linked_.contains(candidate.sha) || linked_.contains(candidate.id.Text());
  // A text says #N and not which kind N is.
  const std::string number = std::to_string(candidate.number);
  return linked_.contains("issue-" + number) || linked_.contains("pr-" + number);
}

void DetailsWriter::Remember(const Details& details) {
  for (const Link& link : details.links)
    if (link.kind != "mentions") linked_.insert(link.target);
}

Status DetailsWriter::WriteItem(FetchedItem item, int64_t number) {
  Details& details = item.details;
  if (!details.fetch_failure.empty() || details.id.kind() != Kind::kPullRequest) return Finish(std::move(details));
  if (const auto landed = landed_.find(number); landed != landed_.end()) details.landed_sha = landed->second;
  bool done = false;
  if (ports_.repository != nullptr) {
    if (!item.range.head.empty())
      done = DiffFromClone(ports_.repository->DiffOfPullRequest(item.range), item.range.head, &details);
    // What landed is what the pull request became; it is in the trunk's history already.
    if (!done && !details.landed_sha.empty())
      done = DiffFromClone(ports_.repository->DiffOfCommit(details.landed_sha), details.landed_sha, &details);
  }
  if (!done) TRY(DiffFromRest(ports_.github.FilesOfPullRequest(number), &details));
  const auto files = static_cast<int64_t>(details.files.size());
  if (details.diff_source == "rest" && details.incomplete_because.empty() && item.changed_files.value_or(files) > files)
    details.incomplete_because = std::to_string(files) + " of " + std::to_string(*item.changed_files) + " files";
  return Finish(std::move(details));
}

Status DetailsWriter::WriteCommit(const TrunkCommit& commit, const Candidate& candidate,
                                  const Result<RepositoryDiff>& diff) {
  Details details{.id = candidate.id};
  details.title = candidate.title;
  details.url = candidate.url;
  details.sha = details.landed_sha = commit.sha;
  details.author = commit.author;
  details.body = commit.message;
  details.trailers = TrailersIn(commit.message);
  if (!DiffFromClone(diff, commit.sha, &details)) TRY(DiffFromRest(ports_.github.FilesOfCommit(commit.sha), &details));
  if (details.fetch_failure.empty() && details.base_sha.empty() && !commit.parents.empty()) details.base_sha = commit.parents[0];
  return Finish(std::move(details));
}

bool DetailsWriter::DiffFromClone(const Result<RepositoryDiff>& diff, const std::string& sha, Details* details) {
  if (!diff) return false;
  details->diff_source = "clone";
  details->base_source = Name(diff->base_source);
  details->base_sha = diff->base_sha;
  details->files = diff->files;
  for (const ChangedFile& file : details->files) {
    if (!IsTestFile(file.path)) continue;
    const auto text = ports_.repository->FileAt(sha, file.path);
    std::ranges::copy(TestsIn(file, text ? std::optional(*text) : std::nullopt), std::back_inserter(details->tests));
  }
  if (!details->tests.empty()) material_sha_ = sha;
  return true;
}

Status DetailsWriter::DiffFromRest(Result<FileListing> listing, Details* details) {
  details->diff_source = listing ? "rest" : "none";
  if (!listing) {
    const Error& error = listing.error();
    if (error.kind == ErrorKind::kNotFound || error.kind == ErrorKind::kTooLarge) {
      *details = {.id = details->id, .title = details->title, .url = details->url, .fetch_failure = error.message};
      return {};
    }
    const bool is_of_this_item = error.kind == ErrorKind::kNetwork || error.kind == ErrorKind::kProtocol;
    if (!is_of_this_item || ++diffs_missed_in_a_row_ == kMaxDiffsMissedInARow) return std::unexpected(error);
    details->incomplete_because = "no diff: " + error.message;
    return {};
  }
  diffs_missed_in_a_row_ = 0;
  details->files = std::move(listing->files);
  if (!listing->incomplete_because.empty()) details->incomplete_because = listing->incomplete_because;
  for (const ChangedFile& file : details->files)
    std::ranges::copy(TestsIn(file, std::nullopt), std::back_inserter(details->tests));
  return {};
}

Status DetailsWriter::Finish(Details details) {
  LimitPatches(&details.files);
  if (!details.diff_source.empty()) ++diff_sources_[details.diff_source];
  if (const std::string sha = std::exchange(material_sha_, {}); !sha.empty() && material_ == Material::kExported)
    TRY(ExportMaterial(details, sha, *ports_.repository, ports_.store));
  if (rules_.links_in_text) {
    AddLinks(rules_.links_in_text(details.body), &details);
    for (const Comment& comment : details.comments) AddLinks(rules_.links_in_text(comment.body), &details);
  }
  Remember(details);
  if (!details.incomplete_because.empty()) incomplete_.push_back(details.id.Text() + ": " + details.incomplete_because);
  ports_.progress.Step(details.id.Text());
  return ports_.store.Write(paths::Details(details.id), WriteJson(ToJson(details)));
}

}  // namespace xpu_align
