// DetailsFetcher: the details of items, by GraphQL in batches, by REST for an item that GraphQL does not give and for
// all of them without a token. What one item lacks is that item's matter: `incomplete_because` or `fetch_failure`; a
// batch that can not be had costs its own items only. Used by github.cc.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "edge/github/api.h"
#include "edge/github/queries.h"

namespace xpu_align {

// Refused for good: 404, 406 and 422 (too large), 410, 451.
bool IsRefusedForGood(int status);
Error Unexpected(const ApiAnswer& answer, const std::string& what);

// An error beside "data" that says something about the moment. An item that does not exist, or that the token may not
// see, is no error.
bool IsOfTheMoment(const Json& graphql_error);

class DetailsFetcher {
 public:
  // `repository` and the others outlive the fetcher.
  DetailsFetcher(Api& api, BatchSize& batch, const std::string& repository, const GithubSource::Sink& sink)
      : api_(api), batch_(batch), repository_(repository), sink_(sink) {}

  Status Fetch(std::span<const ListedItem> items);

 private:
  struct Node {
    const ListedItem* item = nullptr;
    Json json;
    std::string incomplete_because;
  };
  using Nodes = std::vector<Node>;

  Status FetchKind(Kind kind, std::span<const ListedItem* const> items);
  // Nothing: ask for fewer.
  Result<std::optional<Nodes>> Ask(Kind kind, std::span<const ListedItem* const> items);
  void Take(const Json& answer, Nodes* nodes) const;
  Status AskAlone(Kind kind, Nodes* nodes);
  Status Deliver(Node node);
  Status FetchTails(Kind kind, Nodes nodes);
  bool WantsTail(const Node& node, const Connection& list) const;
  Result<FetchedItem> ByRest(const ListedItem& item);
  Status AddComments(const ListedItem& item, FetchedItem* fetched);
  // Notes items that could not be had; an error when it is no use to go on.
  Status Miss(const Error& error, size_t items);

  Api& api_;
  BatchSize& batch_;
  const std::string& repository_;
  const GithubSource::Sink& sink_;
  size_t missed_ = 0, failures_in_a_row_ = 0, asked_alone_in_vain_ = 0;
  std::optional<Error> first_miss_;
};

}  // namespace xpu_align
