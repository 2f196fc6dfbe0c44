// The sources of the collect stage, asked one after the other: issues and pull requests, trunk commits, and the
// pull requests that landed. Each tells whether it is whole. Used by collect.cc.
#pragma once
#include <map>

#include "json/json.h"
#include "pipeline/collect.h"

namespace xpu_align {

struct SourceReport {
  std::string name;
  std::string incomplete_because;  // empty: complete
  size_t items = 0;
  std::optional<int64_t> pages, cross_check;
  size_t reused = 0;  // of `items`, taken from other runs
};
Json ToJson(const SourceReport& report);

struct Sources {
  std::map<CandidateId, Candidate> candidates;  // with events
  std::vector<ListedItem> listed;               // issues and pull requests among them, by id
  std::vector<TrunkCommit> commits;
  std::map<int64_t, std::string> landed;  // pull request -> newest trunk commit that resolves it
  std::string trunk_sha;                  // empty without a clone
  std::vector<SourceReport> reports;
};

// The number in a line "Pull Request resolved: https://github.com/OWNER/NAME/pull/N" of this repository.
std::optional<int64_t> ResolvedPullRequest(const UntrustedText& message, std::string_view repository);

// The first line of a commit message.
UntrustedText TitleOf(const UntrustedText& message);

// A refused token, a signal or a failing file system end collect; any other error makes its source incomplete.
bool EndsTheStage(const Error& error);

Result<Sources> AskSources(const CollectRequest& request, const CollectPorts& ports, const CollectRules& rules);

}  // namespace xpu_align
