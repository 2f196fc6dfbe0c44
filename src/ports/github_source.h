// GithubSource: what collect asks GitHub, as few requests as possible. All texts are untrusted. Implemented by
// edge/github; a rate limit is waited for inside, within a budget, then the call fails with kRateLimited.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/details.h"
#include "model/window.h"
#include "ports/repository_reader.h"

namespace xpu_align {

// What puts an issue or pull request into the window.
enum class ItemEvents {
  kCreated,
  kUpdated,  // at any time since the window began: GitHub tells the last update only, and it may hide one inside
  kMerged,   // pull requests only
};
inline std::string_view Name(ItemEvents events) {
  switch (events) {
    case ItemEvents::kCreated: return "created";
    case ItemEvents::kUpdated: return "updated";
    case ItemEvents::kMerged: break;
  }
  return "merged";
}
inline std::optional<ItemEvents> EventsNamed(std::string_view name) {
  for (const ItemEvents events : {ItemEvents::kCreated, ItemEvents::kUpdated, ItemEvents::kMerged})
    if (Name(events) == name) return events;
  return std::nullopt;
}

// One element of a list of issues and pull requests.
struct ListedItem {
  Candidate candidate;  // events are empty
  std::string node_id;
  std::string association;
  std::string merged_at;  // pull requests that GitHub itself merged
  UntrustedText body;
  int64_t comment_count = 0;
};

struct Listing {
  std::vector<ListedItem> items;  // each number once
  int64_t pages = 0;
  std::string incomplete_because;  // empty: everything in the window is here
};

// Details without files and tests, and where the diff of a pull request lies.
struct FetchedItem {
  Details details;
  PullRequestRange range;
  std::optional<int64_t> changed_files;  // of a pull request, as GitHub counts them
};

struct FileListing {
  std::vector<ChangedFile> files;
  std::string incomplete_because;  // empty: all of them, with their patches
};

struct RequestCosts {
  int64_t core = 0, search = 0, graphql = 0;
};

class GithubSource {
 public:
  virtual ~GithubSource() = default;

  // kAuth when the token is refused; another error when not even the first page could be had. A failure
  // on a later page gives what there is, marked incomplete.
  virtual Result<Listing> List(const Window& window, ItemEvents events) = 0;
  // What GitHub's search says about the number created in the window. Search lags: never a reason to fail.
  virtual Result<int64_t> CountCreated(const Window& window) = 0;
  // The same as List for items named by number; those that do not exist are left out.
  virtual Result<std::vector<ListedItem>> ListByNumber(std::span<const int64_t> numbers) = 0;

  // Open issues and pull requests with this label, newest first; at most 500.
  virtual Result<Listing> ListOpen(const std::string& label) = 0;

  // Calls `sink` once for each item, in any order, as soon as it is there; an item that GitHub refuses for
  // good arrives with `fetch_failure`, one that is not whole with `incomplete_because`. An error says that some did
  // not arrive; those that did stay good.
  using Sink = std::function<Status(FetchedItem)>;
  virtual Status FetchDetails(std::span<const ListedItem> items, const Sink& sink) = 0;

  // For runs without a clone.
  virtual Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window& window) = 0;
  // kNotFound when GitHub refuses them for good: gone, or too large.
  virtual Result<FileListing> FilesOfPullRequest(int64_t number) = 0;
  virtual Result<FileListing> FilesOfCommit(const std::string& sha) = 0;

  virtual RequestCosts Costs() const = 0;
};

}  // namespace xpu_align
