// Candidate: one issue, pull request or commit of the scanned repository, as metadata only. Written by
// collect to artifacts/raw_candidates.json.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "text/untrusted_text.h"

namespace xpu_align {

enum class Kind { kIssue, kPullRequest, kCommit };

// "issue", "pr", "commit": the values of the ledger's `kind`.
std::string_view Name(Kind kind);
std::optional<Kind> KindNamed(std::string_view name);

// Numbers of issues and pull requests have at most 12 digits; a larger one is not GitHub's.
bool IsItemNumber(int64_t number);

// issue-197888, pr-197444, commit-20fb7bd04e0b (first 12 hex digits). The only upstream text that may
// become a file name, so the grammar is checked when an id is made.
class CandidateId {
 public:
  static CandidateId OfIssue(int64_t number);  // IsItemNumber
  static CandidateId OfPullRequest(int64_t number);
  static CandidateId OfCommit(std::string_view sha);  // 40 lower-case hex digits
  static std::optional<CandidateId> Parse(std::string_view text);

  const std::string& Text() const { return text_; }
  Kind kind() const;
  // Sorts by kind, then number or hex digits: issue-9 before issue-10.
  std::strong_ordering operator<=>(const CandidateId& other) const;
  bool operator==(const CandidateId&) const = default;

 private:
  explicit CandidateId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// 40 lower-case hex digits.
bool IsFullSha(std::string_view text);

struct Event {
  std::string name;  // created, updated, merged, committed
  std::string at;    // RFC 3339, UTC
};

struct Candidate {
  CandidateId id;
  int64_t number = 0;  // issues and pull requests
  std::string sha;     // commits: full sha
  UntrustedText title;
  std::string url;  // https://github.com/OWNER/NAME/... built by us from number or sha
  std::string state;  // open, closed; empty for commits
  UntrustedText author;
  std::vector<std::string> labels;
  std::string created_at, updated_at, closed_at;
  // Over title, body and number of comments: equal means that nothing was written since. Empty for commits.
  std::string text_sha256;
  std::vector<Event> events;  // what put it into the window, in time order

  Kind kind() const { return id.kind(); }
};

Json ToJson(const Candidate& candidate);
Result<Candidate> CandidateFromJson(const Json& json);

}  // namespace xpu_align
