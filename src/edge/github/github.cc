#include "edge/github/github.h"

#include <algorithm>
#include <set>

#include "edge/github/api.h"
#include "edge/github/items.h"
#include "edge/github/queries.h"
#include "edge/http/url.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr int64_t kMaxPages = 100;     // of one list
constexpr int64_t kMaxFilePages = 30;  // GitHub lists no more than 3,000 files
constexpr std::string_view kPerPage = "per_page=100";

bool IsGone(int status) { return status == 404 || status == 410 || status == 451; }

Error Unexpected(const ApiAnswer& answer, const std::string& what) {
  return {ErrorKind::kProtocol, what + ": GitHub answers with status " + std::to_string(answer.status) + ": " +
                                    UntrustedText(answer.json.StringOr("message")).ForLogLine()};
}

class Github : public GithubSource {
 public:
  Github(GithubSettings settings, HttpTransport& http, Clock& clock)
      : repository_(settings.repository), api_(std::move(settings), http, clock) {}

  Result<Listing> List(const Window& window, ItemEvents events) override {
    // Newest first: what is created meanwhile shifts elements to later pages, so they can come twice but
    // never be lost. By update it is the other way round.
    const std::string path =
        events == ItemEvents::kCreated
            ? "/issues?state=all&sort=created&direction=desc&" + std::string(kPerPage)
            : "/issues?state=all&sort=updated&direction=asc&since=" + FormatTimestamp(window.BeginSeconds()) + "&" +
                  std::string(kPerPage);
    Listing listing;
    std::set<int64_t> seen;
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
        const bool wanted = events == ItemEvents::kCreated ? window.Contains(created) : created < window.EndSeconds();
        if (wanted && seen.insert(item->candidate.number).second) listing.items.push_back(std::move(*item));
      }
      if (left_window || answer->next.empty()) return listing;
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
      const auto batch = numbers.subspan(begin, std::min(BatchSize(), numbers.size() - begin));
      TRY_ASSIGN(const auto answer, api_.Graphql(ByNumberQuery(batch), variables));
      if (!answer) {
        Shrink();
        continue;
      }
      for (const int64_t number : batch) {
        const Json& node = (*answer)["data"]["repository"]["n" + std::to_string(number)];
        if (!node.IsObject()) continue;
        TRY_ASSIGN(ListedItem item, ListedFromGraphql(node, repository_));
        items.push_back(std::move(item));
      }
      begin += batch.size();
    }
    return items;
  }

  Status FetchDetails(std::span<const ListedItem> items, const Sink& sink) override {
    std::vector<const ListedItem*> issues, pull_requests;
    for (const ListedItem& item : items)
      (item.candidate.kind() == Kind::kIssue ? issues : pull_requests).push_back(&item);
    TRY(FetchNodes(issues, IssueDetailsQuery(), sink));
    return FetchNodes(pull_requests, PullRequestDetailsQuery(), sink);
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

  Result<std::vector<ChangedFile>> FilesOfPullRequest(int64_t number) override {
    std::vector<ChangedFile> files;
    TRY(EachElement("/pulls/" + std::to_string(number) + "/files?" + std::string(kPerPage), kMaxFilePages,
                    [&](const Json& element) -> Status {
                      files.push_back(FileFromRest(element));
                      return {};
                    }));
    return files;
  }

  Result<std::vector<ChangedFile>> FilesOfCommit(const std::string& sha) override {
    TRY_ASSIGN(const ApiAnswer answer, api_.GetOfRepository("/commits/" + sha));
    if (answer.status != 200) return std::unexpected(Unexpected(answer, "commit " + sha));
    std::vector<ChangedFile> files;
    for (const Json& element : answer.json.ArrayOf("files")) files.push_back(FileFromRest(element));
    return files;
  }

  RequestCosts Costs() const override { return api_.Costs(); }

 private:
  size_t BatchSize() const { return kBatchSizes[batch_step_]; }
  void Shrink() { batch_step_ = std::min(batch_step_ + 1, std::size(kBatchSizes) - 1); }

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

  Status FetchNodes(std::span<const ListedItem* const> items, const std::string& query, const Sink& sink) {
    for (size_t begin = 0; begin < items.size();) {
      const auto batch = items.subspan(begin, std::min(api_.HasToken() ? BatchSize() : 1, items.size() - begin));
      Json nodes = Json::EmptyArray();
      if (api_.HasToken()) {
        Json ids = Json::EmptyArray();
        for (const ListedItem* item : batch) ids.Append(item->node_id);
        TRY_ASSIGN(const auto answer, api_.Graphql(query, Json().Set("ids", ids)));
        if (!answer) {
          Shrink();
          continue;
        }
        nodes = (*answer)["data"]["nodes"];
      }
      const Json::Array none;
      const Json::Array& found = nodes.AsArray() != nullptr ? *nodes.AsArray() : none;
      for (size_t i = 0; i < batch.size(); ++i) {
        // A node that is null is gone, or was too much for GitHub: REST says which.
        if (i < found.size() && found[i].IntOr("number") == batch[i]->candidate.number) {
          TRY(sink(FromNode(*batch[i], found[i], repository_)));
        } else {
          TRY_ASSIGN(FetchedItem item, FetchByRest(*batch[i]));
          TRY(sink(std::move(item)));
        }
      }
      begin += batch.size();
    }
    return {};
  }

  Result<FetchedItem> FetchByRest(const ListedItem& item) {
    FetchedItem fetched = FromList(item);
    const std::string number = std::to_string(item.candidate.number);
    const bool is_pull = item.candidate.kind() == Kind::kPullRequest;
    TRY_ASSIGN(const ApiAnswer own, api_.GetOfRepository((is_pull ? "/pulls/" : "/issues/") + number));
    if (IsGone(own.status)) {
      FetchedItem gone{.details = {.id = item.candidate.id}};
      gone.details.title = item.candidate.title;
      gone.details.url = item.candidate.url;
      gone.details.fetch_failure = "HTTP " + std::to_string(own.status);
      return gone;
    }
    if (own.status != 200) return std::unexpected(Unexpected(own, item.candidate.id.Text()));
    if (is_pull) AddPullRequest(own.json, &fetched);
    if (own.json.IntOr("comments", item.comment_count) == 0) return fetched;
    TRY_ASSIGN(const ApiAnswer comments, api_.GetOfRepository("/issues/" + number + "/comments?per_page=50"));
    if (comments.status != 200) return std::unexpected(Unexpected(comments, item.candidate.id.Text()));
    fetched.details.comments = CommentsFromRest(comments.json, fetched.details.author);
    return fetched;
  }

  std::string repository_;
  Api api_;
  size_t batch_step_ = 0;
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
