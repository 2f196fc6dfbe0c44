#include "edge/github/items.h"

#include <algorithm>

namespace xpu_align {
namespace {

UntrustedText Untrusted(const Json& json, std::string_view key) { return UntrustedText(json.StringOr(key)); }

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

// Keys that both forms agree on come first; the forms differ in how they write the others.
struct Shape {
  std::string_view node_id, created, updated, closed, merged, association, user;
};
constexpr Shape kRest{"node_id", "created_at", "updated_at", "closed_at", "merged_at", "author_association", "user"};
constexpr Shape kGraphql{"id", "createdAt", "updatedAt", "closedAt", "mergedAt", "authorAssociation", "author"};

std::string ShaOr(const Json& json, std::string_view key) {
  std::string sha = json.StringOr(key);
  return IsFullSha(sha) ? sha : std::string();
}

Result<ListedItem> Listed(const Json& json, const Shape& shape, bool is_pull, std::string_view repository) {
  TRY_ASSIGN(const int64_t number, json.Int("number"));
  TRY_ASSIGN(std::string title, json.String("title"));
  TRY_ASSIGN(std::string created_at, json.String(shape.created));
  if (!IsItemNumber(number) || !ParseTimestamp(created_at)) return Fail(ErrorKind::kProtocol, "a list element is malformed");
  ListedItem item{.candidate = {.id = is_pull ? CandidateId::OfPullRequest(number) : CandidateId::OfIssue(number)}};
  Candidate& candidate = item.candidate;
  candidate.number = number;
  candidate.title = UntrustedText(std::move(title));
  candidate.url =
      "https://github.com/" + std::string(repository) + (is_pull ? "/pull/" : "/issues/") + std::to_string(number);
  candidate.author = Untrusted(json[shape.user], "login");
  candidate.created_at = std::move(created_at);
  candidate.updated_at = json.StringOr(shape.updated);
  candidate.closed_at = json.StringOr(shape.closed);
  item.node_id = json.StringOr(shape.node_id);
  item.association = json.StringOr(shape.association);
  item.body = Untrusted(json, "body");
  return item;
}

std::vector<std::string> Names(const Json::Array& labels) {
  std::vector<std::string> names;
  for (const Json& label : labels) names.push_back(label.StringOr("name"));
  return names;
}

bool BelongsToProject(std::string_view association) {
  return association == "OWNER" || association == "MEMBER" || association == "COLLABORATOR";
}

std::vector<Comment> Kept(const Json::Array& comments, const Shape& shape, const UntrustedText& author) {
  std::vector<Comment> kept;
  for (const Json& json : comments) {
    if (kept.size() == kMaxComments) break;
    Comment comment{Untrusted(json[shape.user], "login"), json.StringOr(shape.association),
                    json.StringOr(shape.created), Untrusted(json, "body")};
    if (comment.author == author || BelongsToProject(comment.association)) kept.push_back(std::move(comment));
  }
  return kept;
}

// The candidate that an Issue, PullRequest or Commit object of this repository names; empty otherwise.
std::string TargetOf(const Json& json, std::string_view repository) {
  if (json.StringOr("__typename") == "Commit") return ShaOr(json, "oid");
  const int64_t number = json.IntOr("number");
  if (!IsItemNumber(number) || json["repository"].StringOr("nameWithOwner") != repository) return {};
  return (json.StringOr("__typename") == "PullRequest" ? CandidateId::OfPullRequest(number)
                                                       : CandidateId::OfIssue(number))
      .Text();
}

void AddLink(std::string kind, std::string target, Details* details) {
  if (target.empty() || target == details->id.Text()) return;
  for (const Link& link : details->links)
    if (link.kind == kind && link.target == target) return;
  details->links.push_back({std::move(kind), std::move(target)});
}

}  // namespace

Result<ListedItem> ListedFromRest(const Json& json, std::string_view repository) {
  TRY_ASSIGN(ListedItem item, Listed(json, kRest, json["pull_request"].IsObject(), repository));
  item.candidate.state = json.StringOr("state");
  item.candidate.labels = Names(json.ArrayOf("labels"));
  item.merged_at = json["pull_request"].StringOr("merged_at");
  item.comment_count = json.IntOr("comments");
  return item;
}

Result<ListedItem> ListedFromGraphql(const Json& json, std::string_view repository) {
  const bool is_pull = json.StringOr("__typename") == "PullRequest";
  TRY_ASSIGN(ListedItem item, Listed(json, kGraphql, is_pull, repository));
  item.candidate.state = json.StringOr(is_pull ? "pullState" : "issueState") == "OPEN" ? "open" : "closed";
  item.candidate.labels = Names(json["labels"].ArrayOf("nodes"));
  item.merged_at = json.StringOr("mergedAt");
  item.comment_count = json["comments"].IntOr("totalCount");
  return item;
}

FetchedItem FromList(const ListedItem& item) {
  FetchedItem fetched{.details = {.id = item.candidate.id}};
  Details& details = fetched.details;
  details.title = item.candidate.title;
  details.url = item.candidate.url;
  details.state = item.candidate.state;
  details.updated_at = item.candidate.updated_at;
  details.author = item.candidate.author;
  details.association = item.association;
  details.labels = item.candidate.labels;
  details.body = item.body;
  return fetched;
}

FetchedItem FromNode(const ListedItem& item, const Json& node, std::string_view repository) {
  FetchedItem fetched = FromList(item);
  Details& details = fetched.details;
  details.title = Untrusted(node, "title");
  details.body = Untrusted(node, "body");
  details.state = Lower(node.StringOr("state")) == "open" ? "open" : "closed";
  details.updated_at = node.StringOr("updatedAt", details.updated_at);
  details.labels = Names(node["labels"].ArrayOf("nodes"));
  details.comments = Kept(node["comments"].ArrayOf("nodes"), kGraphql, details.author);
  for (const Json& event : node["timelineItems"].ArrayOf("nodes")) {
    const bool closes = event.BoolOr("willCloseTarget", false);
    AddLink(closes ? "closes" : "mentions", TargetOf(event["source"], repository), &details);
    AddLink("mentions", TargetOf(event["subject"], repository), &details);
    AddLink("closes", TargetOf(event["closer"], repository), &details);
  }
  for (const Json& issue : node["closingIssuesReferences"].ArrayOf("nodes"))
    if (issue["repository"].StringOr("nameWithOwner") == repository && IsItemNumber(issue.IntOr("number")))
      AddLink("closes", CandidateId::OfIssue(issue.IntOr("number")).Text(), &details);
  details.sha = ShaOr(node, "headRefOid");
  details.base_sha = ShaOr(node, "baseRefOid");
  details.landed_sha = ShaOr(node["mergeCommit"], "oid");
  fetched.range.head = details.sha;
  fetched.range.number = item.candidate.number;
  fetched.range.own_commits = node["commits"].IntOr("totalCount");
  fetched.changed_files = node["changedFiles"].AsInt();
  for (const Json& first : node["commits"].ArrayOf("nodes"))
    for (const Json& parent : first["commit"]["parents"].ArrayOf("nodes"))
      fetched.range.parent_of_first_commit = ShaOr(parent, "oid");
  return fetched;
}

std::vector<Comment> CommentsFromRest(const Json& json, const UntrustedText& author) {
  return json.IsArray() ? Kept(*json.AsArray(), kRest, author) : std::vector<Comment>();
}

void AddPullRequest(const Json& json, FetchedItem* item) {
  item->details.sha = item->range.head = ShaOr(json["head"], "sha");
  item->details.base_sha = ShaOr(json["base"], "sha");
  item->changed_files = json["changed_files"].AsInt();
  if (json.BoolOr("merged", false)) item->details.landed_sha = ShaOr(json, "merge_commit_sha");
}

ChangedFile FileFromRest(const Json& json) {
  std::string status = json.StringOr("status", "modified");
  if (status == "changed") status = "modified";
  if (status == "copied") status = "added";
  std::string patch = json.StringOr("patch");
  if (!patch.empty() && !patch.ends_with('\n')) patch += '\n';
  return {Untrusted(json, "filename"), Untrusted(json, "previous_filename"), std::move(status), json.IntOr("additions"),
          json.IntOr("deletions"),     UntrustedText(std::move(patch))};
}

Result<TrunkCommit> CommitFromRest(const Json& json) {
  TrunkCommit commit;
  commit.sha = ShaOr(json, "sha");
  const Json& inner = json["commit"];
  const auto authored = ParseTimestamp(inner["author"].StringOr("date"));
  const auto committed = ParseTimestamp(inner["committer"].StringOr("date"));
  if (commit.sha.empty() || !committed) return Fail(ErrorKind::kProtocol, "a commit of the list is malformed");
  for (const Json& parent : json.ArrayOf("parents")) commit.parents.push_back(ShaOr(parent, "sha"));
  commit.message = Untrusted(inner, "message");
  commit.author = Untrusted(inner["author"], "name");
  commit.committed_at = *committed;
  commit.authored_at = authored.value_or(*committed);
  return commit;
}

}  // namespace xpu_align
