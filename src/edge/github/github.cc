#include "edge/github/github.h"

#include <algorithm>
#include <map>

#include "edge/github/api.h"
#include "edge/github/items.h"
#include "edge/github/node_details.h"
#include "edge/github/queries.h"
#include "edge/http/url.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr int64_t kMaxPages = 100;     // of one list
constexpr int64_t kMaxFilePages = 30;  // GitHub lists no more than 3,000 files
constexpr size_t kPageSize = 100;
constexpr std::string_view kPerPage = "per_page=100";

// GitHub stops giving patches near 20,000 lines, and does not say where.
constexpr size_t kManyPatchLines = 15'000;

bool IsGone(int status) { return status == 404 || status == 410 || status == 451; }

std::string WhyNotAll(const std::vector<ChangedFile>& files) {
  if (files.size() >= kMaxFilePages * 100)
    return "GitHub lists no more than " + std::to_string(kMaxFilePages * 100) + " files";
  size_t lines = 0;
  for (const ChangedFile& file : files) {
    if (lines >= kManyPatchLines && file.patch.Empty() && file.additions + file.deletions == 0)
      return "GitHub leaves out patches after " + std::to_string(lines) + " lines";
    lines += static_cast<size_t>(std::ranges::count(file.patch.ForMatching(), '\n'));
  }
  return {};
}

bool IsIn(const Window& window, ItemEvents events, const ListedItem& item, int64_t created) {
  switch (events) {
    case ItemEvents::kCreated: return window.Contains(created);
    case ItemEvents::kUpdated: return created < window.EndSeconds();
    case ItemEvents::kMerged: break;
  }
  const auto merged = ParseTimestamp(item.merged_at);
  return merged && window.Contains(*merged);
}

class Github : public GithubSource {
 public:
  Github(GithubSettings settings, HttpTransport& http, Clock& clock)
      : repository_(settings.repository), api_(std::move(settings), http, clock) {}

  Result<Listing> List(const Window& window, ItemEvents events) override {
    // Newest first: what is created meanwhile shifts elements to later pages, so they can come twice but
    // never be lost. By update it is the other way round; a merge is an update.
    const std::string path =
        events == ItemEvents::kCreated
            ? "/issues?state=all&sort=created&direction=desc&" + std::string(kPerPage)
            : "/issues?state=all&sort=updated&direction=asc&since=" + FormatTimestamp(window.BeginSeconds()) + "&" +
                  std::string(kPerPage);
    Listing listing;
    std::map<int64_t, size_t> places;  // number -> index in `items`
    Result<ApiAnswer> answer = api_.GetOfRepository(path);
    while (true) {
      if (answer && (answer->status != 200 || !answer->json.IsArray()))
        answer = std::unexpected(Unexpected(*answer, "the list of issues"));
      if (!answer) {
        if (listing.pages == 0 || answer.error().kind == ErrorKind::kAuth ||
            answer.error().kind == ErrorKind::kCancelled)
          return std::unexpected(answer.error());
        listing.incomplete_because = answer.error().message;
        return listing;
      }
      ++listing.pages;
      bool left_window = false;
      for (const Json& element : *answer->json.AsArray()) {
        auto item = ListedFromRest(element, repository_);
        if (!item) {
          listing.incomplete_because = item.error().message;
          continue;
        }
        const int64_t created = *ParseTimestamp(item->candidate.created_at);
        if (events == ItemEvents::kCreated && created < window.BeginSeconds()) left_window = true;
        if (!IsIn(window, events, *item, created)) continue;
        const auto [place, is_new] = places.try_emplace(item->candidate.number, listing.items.size());
        if (is_new) {
          listing.items.push_back(std::move(*item));
        } else {
          listing.items[place->second] = std::move(*item);  // it moved while the list was read: this is the newer one
        }
      }
      if (left_window) return listing;
      if (answer->next.empty()) {
        // The oldest item of a repository hardly ever fills a page.
        if (answer->json.AsArray()->size() == kPageSize)
          listing.incomplete_because = "the list ends after a full page, inside the window";
        return listing;
      }
      if (listing.pages == kMaxPages) {
        listing.incomplete_because = "the list has more than " + std::to_string(kMaxPages) + " pages";
        return listing;
      }
      answer = api_.GetNext(std::string(answer->next));
    }
  }

  Result<Listing> ListOpen(const std::string& label) override {
    constexpr int64_t kMaxLabelPages = 5;
    Listing listing;
    Result<ApiAnswer> answer = api_.GetOfRepository("/issues?state=open&labels=" + label + "&" + std::string(kPerPage));
    while (true) {
      TRY(answer);
      if (answer->status != 200 || !answer->json.IsArray())
        return std::unexpected(Unexpected(*answer, "the list of open issues"));
      ++listing.pages;
      for (const Json& element : *answer->json.AsArray())
        if (auto item = ListedFromRest(element, repository_)) listing.items.push_back(std::move(*item));
      if (answer->next.empty()) return listing;
      if (listing.pages == kMaxLabelPages) {
        listing.incomplete_because = "more than 500 items have the label " + label;
        return listing;
      }
      answer = api_.GetNext(std::string(answer->next));
    }
  }

  Result<int64_t> CountCreated(const Window& window) override {
    const std::string bounds = FormatTimestamp(window.BeginSeconds()) + ".." + FormatTimestamp(window.EndSeconds() - 1);
    int64_t total = 0;
    for (const char* kind : {"issue", "pr"}) {
      TRY_ASSIGN(const ApiAnswer answer,
                 api_.Search("q=repo:" + repository_ + "+is:" + kind + "+created:" + bounds + "&per_page=1"));
      if (answer.status != 200) return std::unexpected(Unexpected(answer, "search"));
      if (answer.json.BoolOr("incomplete_results", false))
        return Fail(ErrorKind::kProtocol, "search ran out of time and counted a part");
      TRY_ASSIGN(const int64_t count, answer.json.Int("total_count"));
      total += count;
    }
    return total;
  }

  Result<std::vector<ListedItem>> ListByNumber(std::span<const int64_t> numbers) override {
    std::vector<ListedItem> items;
    if (!api_.HasToken()) {
      for (const int64_t number : numbers) {
        TRY_ASSIGN(const ApiAnswer answer, api_.GetOfRepository("/issues/" + std::to_string(number)));
        if (IsGone(answer.status)) continue;
        if (answer.status != 200) return std::unexpected(Unexpected(answer, "item " + std::to_string(number)));
        TRY_ASSIGN(ListedItem item, ListedFromRest(answer.json, repository_));
        items.push_back(std::move(item));
      }
      return items;
    }
    const size_t slash = repository_.find('/');
    const Json variables = Json().Set("owner", repository_.substr(0, slash)).Set("name", repository_.substr(slash + 1));
    for (size_t begin = 0; begin < numbers.size();) {
      const auto batch = numbers.subspan(begin, std::min(batch_.Now(), numbers.size() - begin));
      TRY_ASSIGN(const auto answer, api_.Graphql(ByNumberQuery(batch), variables));
      // Null beside such an error is not the word that there is no such item.
      if (!answer || std::ranges::any_of(answer->ArrayOf("errors"), IsOfTheMoment)) {
        if (batch_.Shrink() || !answer) continue;
        return Fail(ErrorKind::kProtocol, "items by number: GitHub gives a part of them");
      }
      size_t not_found = 0;
      for (const int64_t number : batch) {
        const Json& node = (*answer)["data"]["repository"]["n" + std::to_string(number)];
        if (!node.IsObject() && ++not_found <= answer->ArrayOf("errors").size()) continue;
        TRY_ASSIGN(ListedItem item, ListedFromGraphql(node, repository_));
        items.push_back(std::move(item));
      }
      begin += batch.size();
    }
    return items;
  }

  Status FetchDetails(std::span<const ListedItem> items, const Sink& sink) override {
    return DetailsFetcher(api_, batch_, repository_, sink).Fetch(items);
  }

  Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window& window) override {
    std::vector<TrunkCommit> commits;
    TRY(EachElement("/commits?sha=main&since=" + FormatTimestamp(window.BeginSeconds()) +
                        "&until=" + FormatTimestamp(window.EndSeconds() - 1) + "&" + std::string(kPerPage),
                    kMaxPages, [&](const Json& element) -> Status {
                      TRY_ASSIGN(TrunkCommit commit, CommitFromRest(element));
                      if (window.Contains(commit.committed_at)) commits.push_back(std::move(commit));
                      return {};
                    }));
    return commits;
  }

  Result<FileListing> FilesOfPullRequest(int64_t number) override {
    FileListing listing;
    TRY(EachElement("/pulls/" + std::to_string(number) + "/files?" + std::string(kPerPage), kMaxFilePages,
                    [&](const Json& element) -> Status {
                      listing.files.push_back(FileFromRest(element));
                      return {};
                    }));
    listing.incomplete_because = WhyNotAll(listing.files);
    return listing;
  }

  Result<FileListing> FilesOfCommit(const std::string& sha) override {
    FileListing listing;
    Result<ApiAnswer> answer = api_.GetOfRepository("/commits/" + sha);
    for (int64_t page = 1;; ++page) {
      if (!answer) return std::unexpected(answer.error());
      if (answer->status != 200 || !answer->json["files"].IsArray())
        return std::unexpected(Unexpected(*answer, "commit " + sha));
      for (const Json& element : answer->json.ArrayOf("files")) listing.files.push_back(FileFromRest(element));
      if (answer->next.empty() || page == kMaxFilePages) break;
      answer = api_.GetNext(std::string(answer->next));
    }
    listing.incomplete_because = WhyNotAll(listing.files);
    return listing;
  }

  RequestCosts Costs() const override { return api_.Costs(); }

 private:
  template <typename Take>
  Status EachElement(const std::string& path, int64_t max_pages, Take take) {
    Result<ApiAnswer> answer = api_.GetOfRepository(path);
    for (int64_t page = 1;; ++page) {
      if (!answer) return std::unexpected(answer.error());
      if (answer->status != 200 || !answer->json.IsArray()) return std::unexpected(Unexpected(*answer, path.substr(1)));
      for (const Json& element : *answer->json.AsArray()) TRY(take(element));
      if (answer->next.empty()) return {};
      if (page == max_pages)
        return Fail(ErrorKind::kProtocol, "a list has more than " + std::to_string(max_pages) + " pages");
      answer = api_.GetNext(std::string(answer->next));
    }
  }

  std::string repository_;
  Api api_;
  BatchSize batch_;
};

}  // namespace

Result<std::unique_ptr<GithubSource>> MakeGithubSource(GithubSettings settings, HttpTransport& http, Clock& clock) {
  static const Pattern name = Pattern::Constant(R"(^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$)");
  if (!name.FoundIn(settings.repository))
    return Fail(ErrorKind::kConfig,
                "not a repository OWNER/NAME: " + UntrustedText(settings.repository).ForLogLine(80));
  while (settings.api_url.ends_with('/')) settings.api_url.pop_back();
  if (OriginOf(settings.api_url).empty())
    return Fail(ErrorKind::kConfig, "not an API address: " + UntrustedText(settings.api_url).ForLogLine(80));
  return std::make_unique<Github>(std::move(settings), http, clock);
}

}  // namespace xpu_align
