// The GraphQL queries that are sent, with no value ever written into their text. Issues and pull requests are
// asked apart: their `state` has two types, which one query may not mix. Lists say whether there is more of them;
// the rest is asked by TailsQuery. Used by github.cc and node_details.cc.
// Source: GitHub's public GraphQL schema; tests/fake_github/schema.py holds the same part of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "model/candidate.h"

namespace xpu_align {

// Elements a request: fewer after an answer that came too late, and it stays so.
class BatchSize {
 public:
  size_t Now() const { return kSizes[step_]; }
  // False: it is as small as it gets.
  bool Shrink() { return step_ + 1 < std::size(kSizes) && ++step_ > 0; }

 private:
  static constexpr size_t kSizes[] = {50, 25, 12};
  size_t step_ = 0;
};

// A list inside an issue or pull request. GitHub allows no more than 100 labels an item.
struct Connection {
  const char* name;
  const char* first;  // elements with the item itself; tails take 100
  const char* arguments;
  const char* fields;
};

#define XPU_ALIGN_NUMBERED                                             \
  "{ __typename ... on Issue { number repository { nameWithOwner } } " \
  "... on PullRequest { number repository { nameWithOwner } } }"

inline constexpr Connection kLabels{"labels", "100", "", "name"};
inline constexpr Connection kComments{"comments", "50", "", "author { login } authorAssociation createdAt body"};
inline constexpr Connection kTimeline{
    "timelineItems", "50", ", itemTypes: [CROSS_REFERENCED_EVENT, CONNECTED_EVENT, CLOSED_EVENT]",
    "__typename ... on CrossReferencedEvent { willCloseTarget source " XPU_ALIGN_NUMBERED
    " } "
    "... on ConnectedEvent { subject " XPU_ALIGN_NUMBERED
    " } "
    "... on ClosedEvent { closer { __typename ... on PullRequest { number repository { nameWithOwner } } "
    "... on Commit { oid } } }"};
inline constexpr Connection kClosing{"closingIssuesReferences", "10", "", "number repository { nameWithOwner }"};

#undef XPU_ALIGN_NUMBERED

inline constexpr Connection kIssueLists[] = {kLabels, kComments, kTimeline};
inline constexpr Connection kPullRequestLists[] = {kLabels, kComments, kClosing};

inline std::span<const Connection> ListsOf(Kind kind) {
  return kind == Kind::kIssue ? std::span<const Connection>(kIssueLists) : kPullRequestLists;
}

inline std::string ListText(const Connection& list, const std::string& range) {
  return std::string(list.name) + "(" + range + list.arguments + ") { pageInfo { hasNextPage endCursor } nodes { " +
         list.fields + " } }\n";
}

inline std::string DetailsQuery(Kind kind) {
  std::string text = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on ";
  text += kind == Kind::kIssue ? "Issue" : "PullRequest";
  text += " { __typename id number title body createdAt updatedAt closedAt state authorAssociation author { login }\n";
  for (const Connection& list : ListsOf(kind)) text += ListText(list, std::string("first: ") + list.first);
  if (kind == Kind::kPullRequest)
    text += R"(headRefOid baseRefOid mergedAt changedFiles mergeCommit { oid }
  commits(first: 1) { totalCount nodes { commit { oid parents(first: 1) { nodes { oid } } } } })";
  return text + " } } }";
}

// What follows in a list of one item.
struct Tail {
  Kind kind;
  Connection list;
};
inline constexpr size_t kMaxTailsARequest = 20;

// Variables id0, after0, id1, ...; answers t0, t1, ...
inline std::string TailsQuery(std::span<const Tail> tails) {
  std::string variables, text;
  for (size_t i = 0; i < tails.size(); ++i) {
    const std::string n = std::to_string(i);
    variables += (i > 0 ? ", $id" : "$id") + n + ": ID!, $after" + n + ": String!";
    text += "\n t" + n + ": node(id: $id" + n + ") { ... on " +
            (tails[i].kind == Kind::kIssue ? "Issue" : "PullRequest") + " { " +
            ListText(tails[i].list, "first: 100, after: $after" + n) + " } }";
  }
  return "query(" + variables + ") {" + text + " }";
}

// Items by number; aliases n<number>, because a list can not be asked for.
inline std::string ByNumberQuery(std::span<const int64_t> numbers) {
  std::string text = "query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {";
  for (const int64_t number : numbers) {
    const std::string digits = std::to_string(number);
    text += "\n n" + digits + ": issueOrPullRequest(number: " + digits + ") {" + R"( __typename
    ... on Issue { id number title body createdAt updatedAt closedAt issueState: state authorAssociation
      author { login } labels(first: 100) { nodes { name } } comments(first: 1) { totalCount } }
    ... on PullRequest { id number title body createdAt updatedAt closedAt mergedAt pullState: state authorAssociation
      author { login } labels(first: 100) { nodes { name } } comments(first: 1) { totalCount } } })";
  }
  return text + " } }";
}

}  // namespace xpu_align
