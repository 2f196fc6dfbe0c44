#include "edge/github/node_details.h"

#include <algorithm>

#include "edge/github/items.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxFailuresInARow = 2;  // of batches or single items: then the rest would fail, too
constexpr size_t kMaxAskedAloneInVain = 5;
constexpr int kMaxPages = 20;  // of the comments or events of one item

bool EndsTheCall(const Error& error) {
  return error.kind == ErrorKind::kAuth || error.kind == ErrorKind::kRateLimited || error.kind == ErrorKind::kCancelled;
}

bool IsNode(const Json& json, const ListedItem& item) { return json.IntOr("number") == item.candidate.number; }

FetchedItem Refused(const ListedItem& item, const std::string& why) {
  FetchedItem refused{.details = {.id = item.candidate.id}};
  refused.details.title = item.candidate.title;
  refused.details.url = item.candidate.url;
  refused.details.fetch_failure = why;
  return refused;
}

// Puts what follows behind what is there.
void Extend(std::string_view list, const Json& more, Json* node) {
  Json::Array all = (*node)[list].ArrayOf("nodes");
  std::ranges::copy(more.ArrayOf("nodes"), std::back_inserter(all));
  node->Set(list, Json().Set("nodes", Json(std::move(all))).Set("pageInfo", more["pageInfo"]));
}

}  // namespace

bool IsRefusedForGood(int status) {
  return status == 404 || status == 406 || status == 410 || status == 422 || status == 451;
}

Error Unexpected(const ApiAnswer& answer, const std::string& what) {
  return {IsRefusedForGood(answer.status) ? ErrorKind::kNotFound : ErrorKind::kProtocol,
          what + ": GitHub answers with status " + std::to_string(answer.status) + ": " +
              UntrustedText(answer.json.StringOr("message")).ForLogLine()};
}

bool IsOfTheMoment(const Json& error) {
  const std::string type = error.StringOr("type");
  return type != "NOT_FOUND" && type != "FORBIDDEN";
}

Status DetailsFetcher::Fetch(std::span<const ListedItem> items) {
  for (const Kind kind : {Kind::kIssue, Kind::kPullRequest}) {
    std::vector<const ListedItem*> of_kind;
    for (const ListedItem& item : items)
      if (item.candidate.kind() == kind) of_kind.push_back(&item);
    TRY(FetchKind(kind, of_kind));
  }
  if (first_miss_) return Fail(*first_miss_, std::to_string(missed_) + " items could not be fetched");
  return {};
}

Status DetailsFetcher::Miss(const Error& error, size_t items) {
  if (EndsTheCall(error)) return std::unexpected(error);
  missed_ += items;
  if (!first_miss_) first_miss_ = error;
  if (++failures_in_a_row_ < kMaxFailuresInARow) return {};
  return Fail(*first_miss_, "details end early");
}

Status DetailsFetcher::FetchKind(Kind kind, std::span<const ListedItem* const> items) {
  Nodes with_tails;
  for (size_t begin = 0; begin < items.size();) {
    const auto batch = items.subspan(begin, std::min(api_.HasToken() ? batch_.Now() : 1, items.size() - begin));
    auto nodes = Ask(kind, batch);
    if (nodes && !*nodes) continue;
    begin += batch.size();
    if (!nodes) {
      TRY(Miss(nodes.error(), batch.size()));
      continue;
    }
    for (Node& node : **nodes) {
      const bool more =
          std::ranges::any_of(ListsOf(kind), [&](const Connection& list) { return WantsTail(node, list); });
      if (more)
        with_tails.push_back(std::move(node));
      else
        TRY(Deliver(std::move(node)));
    }
  }
  return FetchTails(kind, std::move(with_tails));
}

Result<std::optional<DetailsFetcher::Nodes>> DetailsFetcher::Ask(Kind kind, std::span<const ListedItem* const> items) {
  Nodes nodes;
  for (const ListedItem* item : items) nodes.push_back({.item = item});
  if (!api_.HasToken()) return std::optional(std::move(nodes));
  Json ids = Json::EmptyArray();
  for (const ListedItem* item : items) ids.Append(item->node_id);
  const auto answer = api_.Graphql(DetailsQuery(kind), Json().Set("ids", ids));
  if (answer && !*answer) {  // too slow, and Api counts how often
    static_cast<void>(batch_.Shrink());
    return std::optional<Nodes>();
  }
  if (!answer && answer.error().kind != ErrorKind::kTooLarge) return std::unexpected(answer.error());
  if (answer && (**answer)["data"].ArrayOf("nodes").size() != nodes.size()) {
    if (batch_.Shrink()) return std::optional<Nodes>();
    return Fail(ErrorKind::kProtocol, "GraphQL gives another number of items than were asked for");
  }
  if (answer)
    Take(**answer, &nodes);
  else
    for (Node& node : nodes) node.incomplete_because = answer.error().message;
  const bool whole = std::ranges::all_of(nodes, [](const Node& node) { return node.incomplete_because.empty(); });
  if (whole || items.size() == 1) return std::optional(std::move(nodes));
  if (batch_.Shrink()) return std::optional<Nodes>();
  TRY(AskAlone(kind, &nodes));
  return std::optional(std::move(nodes));
}

void DetailsFetcher::Take(const Json& answer, Nodes* nodes) const {
  std::vector<bool> refused(nodes->size());
  for (size_t i = 0; i < nodes->size(); ++i) (*nodes)[i].json = answer["data"].ArrayOf("nodes")[i];
  for (const Json& error : answer.ArrayOf("errors")) {
    const Json::Array& path = error.ArrayOf("path");
    const auto at = path.size() > 1 ? path[1].AsInt() : std::nullopt;
    for (size_t i = 0; i < nodes->size(); ++i) {
      if (at && *at != static_cast<int64_t>(i)) continue;
      if (!IsOfTheMoment(error))
        refused[i] = true;
      else
        (*nodes)[i].incomplete_because = "GitHub gave a part: " + UntrustedText(error.StringOr("message")).ForLogLine();
    }
  }
  for (size_t i = 0; i < nodes->size(); ++i)
    if (!refused[i] && !IsNode((*nodes)[i].json, *(*nodes)[i].item) && (*nodes)[i].incomplete_because.empty())
      (*nodes)[i].incomplete_because = "GitHub gave nothing and no reason";
}

Status DetailsFetcher::AskAlone(Kind kind, Nodes* nodes) {
  for (Node& node : *nodes) {
    if (node.incomplete_because.empty() || asked_alone_in_vain_ == kMaxAskedAloneInVain) continue;
    const ListedItem* const one[] = {node.item};
    Result<std::optional<Nodes>> answer;
    do answer = Ask(kind, one);
    while (answer && !*answer);
    if (!answer && EndsTheCall(answer.error())) return std::unexpected(answer.error());
    if (answer) node = std::move((**answer)[0]);
    asked_alone_in_vain_ += !node.incomplete_because.empty();
  }
  return {};
}

Status DetailsFetcher::Deliver(Node node) {
  if (IsNode(node.json, *node.item)) {
    FetchedItem item = FromNode(*node.item, node.json, repository_);
    item.details.incomplete_because = node.incomplete_because;
    failures_in_a_row_ = 0;
    return sink_(std::move(item));
  }
  // A node that is null is gone, or was too much for GitHub: REST says which.
  auto item = ByRest(*node.item);
  if (!item && item.error().kind == ErrorKind::kTooLarge) item = Refused(*node.item, "too large");
  if (!item) return Miss(item.error(), 1);
  if (item->details.fetch_failure.empty() && item->details.incomplete_because.empty())
    item->details.incomplete_because = node.incomplete_because;
  failures_in_a_row_ = 0;
  return sink_(std::move(*item));
}

bool DetailsFetcher::WantsTail(const Node& node, const Connection& list) const {
  if (!node.json[list.name]["pageInfo"].BoolOr("hasNextPage", false)) return false;
  if (list.name != kComments.name) return true;
  return FromNode(*node.item, node.json, repository_).details.comments.size() < kMaxComments;
}

// All items together, so that a night with some long talks costs a request or two.
Status DetailsFetcher::FetchTails(Kind kind, Nodes nodes) {
  for (int page = 1;; ++page) {
    std::vector<std::pair<Node*, Tail>> wanted;
    for (Node& node : nodes)
      for (const Connection& list : ListsOf(kind))
        if (node.incomplete_because.empty() && WantsTail(node, list)) wanted.push_back({&node, {kind, list}});
    if (wanted.empty()) break;
    for (size_t begin = 0; begin < wanted.size();) {
      const auto some =
          std::span(wanted).subspan(begin, std::min({kMaxTailsARequest, batch_.Now(), wanted.size() - begin}));
      std::vector<Tail> tails;
      Json variables = Json::EmptyObject();
      for (const auto& [node, tail] : some) {
        const std::string n = std::to_string(tails.size());
        variables.Set("id" + n, node->item->node_id)
            .Set("after" + n, node->json[tail.list.name]["pageInfo"].StringOr("endCursor"));
        tails.push_back(tail);
      }
      const auto answer = page > kMaxPages
                              ? Result<std::optional<Json>>(Fail(ErrorKind::kTooLarge, "there is too much of it"))
                              : api_.Graphql(TailsQuery(tails), variables);
      if (!answer && EndsTheCall(answer.error())) return std::unexpected(answer.error());
      if (answer && !*answer) {  // too slow, and Api counts how often
        static_cast<void>(batch_.Shrink());
        continue;
      }
      for (size_t i = 0; i < some.size(); ++i) {
        auto& [node, tail] = some[i];
        const Json* more = answer ? &(**answer)["data"]["t" + std::to_string(i)][tail.list.name] : nullptr;
        if (more != nullptr && (*more)["nodes"].IsArray())
          Extend(tail.list.name, *more, &node->json);
        else
          node->incomplete_because =
              std::string(tail.list.name) + ": the end is missing" + (answer ? "" : ": " + answer.error().message);
      }
      begin += some.size();
    }
  }
  for (Node& node : nodes) TRY(Deliver(std::move(node)));
  return {};
}

Result<FetchedItem> DetailsFetcher::ByRest(const ListedItem& item) {
  FetchedItem fetched = FromList(item);
  const bool is_pull = item.candidate.kind() == Kind::kPullRequest;
  TRY_ASSIGN(const ApiAnswer own,
             api_.GetOfRepository((is_pull ? "/pulls/" : "/issues/") + std::to_string(item.candidate.number)));
  // An issue that moved to another repository answers from there, by a redirect.
  const bool moved = own.status == 200 && own.json["number"].IsInt() && !IsNode(own.json, item);
  if (moved || IsRefusedForGood(own.status)) return Refused(item, "HTTP " + std::to_string(moved ? 301 : own.status));
  if (own.status != 200 || !IsNode(own.json, item)) return std::unexpected(Unexpected(own, item.candidate.id.Text()));
  if (is_pull) AddPullRequest(own.json, &fetched);
  if (own.json.IntOr("comments", item.comment_count) == 0) return fetched;
  const Status comments = AddComments(item, &fetched);
  if (!comments && EndsTheCall(comments.error())) return std::unexpected(comments.error());
  if (!comments) fetched.details.incomplete_because = "comments: " + comments.error().message;
  return fetched;
}

Status DetailsFetcher::AddComments(const ListedItem& item, FetchedItem* fetched) {
  std::vector<Comment>& comments = fetched->details.comments;
  auto answer = api_.GetOfRepository("/issues/" + std::to_string(item.candidate.number) + "/comments?per_page=100");
  for (int page = 1;; ++page) {
    if (!answer) return std::unexpected(answer.error());
    if (answer->status != 200 || !answer->json.IsArray())
      return std::unexpected(Unexpected(*answer, item.candidate.id.Text()));
    for (Comment& comment : CommentsFromRest(answer->json, fetched->details.author))
      if (comments.size() < kMaxComments) comments.push_back(std::move(comment));
    if (answer->next.empty() || comments.size() == kMaxComments) return {};
    if (page == kMaxPages) return Fail(ErrorKind::kTooLarge, "more than " + std::to_string(kMaxPages) + " pages");
    answer = api_.GetNext(std::string(answer->next));
  }
}

}  // namespace xpu_align
