// Details: everything that collect fetched about one title-passed candidate. The file
// artifacts/details/<id>.json is the only source of upstream text for the offline stages.
#pragma once
#include <string>
#include <vector>

#include "model/candidate.h"

namespace xpu_align {

struct Comment {
  UntrustedText author;
  std::string association;  // GitHub's CommentAuthorAssociation: OWNER, MEMBER, CONTRIBUTOR, NONE, ...
  std::string created_at;
  UntrustedText body;
};

// A reference to another candidate, as found; chains are made from these.
struct Link {
  // closes: closing reference or "Fixes #N"; resolved-by: "Pull Request resolved: .../N" in a trunk
  // commit; stack: ghstack neighbour; duplicates, reverts, relands, cherry-picks; mentions: everything else.
  std::string kind;
  std::string target;  // a candidate id, or a full sha
};

struct ChangedFile {
  UntrustedText path;
  UntrustedText previous_path;  // of a rename
  std::string status;           // added, modified, removed, renamed
  int64_t additions = 0, deletions = 0;
  UntrustedText patch;  // unified diff hunks without the file header; empty when binary or too large
};

// A line of a commit message that a tool wrote: ghstack-source-id, pull-request-resolved, reviewed-by, reverts, ...
struct Trailer {
  std::string key;  // one of ours
  UntrustedText value;
};

// A test function that the diff adds or changes.
struct ChangedTest {
  UntrustedText path, class_name, name;
  std::string change;  // added, modified
};

struct Details {
  CandidateId id;
  UntrustedText title;
  std::string url;
  std::string sha;  // commits: own sha; pull requests: head
  std::string base_sha;
  std::string landed_sha;  // trunk commit that resolves this pull request, if known
  std::string state;       // open, closed
  std::string updated_at;
  UntrustedText author;
  std::string association;
  std::vector<std::string> labels;
  UntrustedText body;  // for commits the whole message
  std::vector<Comment> comments;
  std::vector<Link> links;
  std::vector<ChangedFile> files;
  std::string diff_source;  // clone, rest, none
  std::string base_source;  // of a diff from the clone: parent, ghstack-base, merge-base, parent-of-first-commit
  std::vector<ChangedTest> tests;
  std::vector<Trailer> trailers;  // commits
  // Why the item itself could not be had (HTTP 404, 410, 451, too large); empty when it could.
  std::string fetch_failure;
  // What of the item is missing for a reason of the moment; empty when nothing is. The next collect asks again.
  std::string incomplete_because;
  Json other;  // members that this version does not know; kept when the file is written again
};

Json ToJson(const Details& details);
Result<Details> DetailsFromJson(const Json& json);

}  // namespace xpu_align
