// The GraphQL queries that are sent, with no value ever written into their text. Issues and pull requests are
// asked apart: their `state` has two types, which one query may not mix. Used by github.cc.
// Source: GitHub's public GraphQL schema; tests/fake_github/schema.py holds the same part of it.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace xpu_align {

// Elements a request, in this order after answers that came too late.
inline constexpr size_t kBatchSizes[] = {50, 25, 12};

inline constexpr const char* kItemFields = R"(
  __typename id number title body createdAt updatedAt closedAt state authorAssociation author { login }
  labels(first: 30) { nodes { name } })";

inline std::string IssueDetailsQuery() {
  return std::string("query($ids: [ID!]!) { nodes(ids: $ids) { ... on Issue {") + kItemFields + R"(
  comments(first: 50) { totalCount nodes { author { login } authorAssociation createdAt body } }
  timelineItems(first: 50, itemTypes: [CROSS_REFERENCED_EVENT, CONNECTED_EVENT, CLOSED_EVENT]) {
    nodes { __typename
      ... on CrossReferencedEvent { willCloseTarget source { __typename
        ... on Issue { number repository { nameWithOwner } } ... on PullRequest { number repository { nameWithOwner } } } }
      ... on ConnectedEvent { subject { __typename
        ... on Issue { number repository { nameWithOwner } } ... on PullRequest { number repository { nameWithOwner } } } }
      ... on ClosedEvent { closer { __typename
        ... on PullRequest { number repository { nameWithOwner } } ... on Commit { oid } } } } } } } })";
}

inline std::string PullRequestDetailsQuery() {
  return std::string("query($ids: [ID!]!) { nodes(ids: $ids) { ... on PullRequest {") + kItemFields + R"(
  headRefOid baseRefOid mergedAt mergeCommit { oid }
  comments(first: 50) { totalCount nodes { author { login } authorAssociation createdAt body } }
  closingIssuesReferences(first: 10) { nodes { number repository { nameWithOwner } } }
  commits(first: 1) { totalCount nodes { commit { oid parents(first: 1) { nodes { oid } } } } } } } })";
}

// Items by number; aliases n<number>, because a list can not be asked for.
inline std::string ByNumberQuery(std::span<const int64_t> numbers) {
  std::string text = "query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {";
  for (const int64_t number : numbers) {
    const std::string digits = std::to_string(number);
    text += "\n n" + digits + ": issueOrPullRequest(number: " + digits + ") {" + R"( __typename
    ... on Issue { id number title body createdAt updatedAt closedAt issueState: state authorAssociation
      author { login } labels(first: 30) { nodes { name } } comments(first: 1) { totalCount } }
    ... on PullRequest { id number title body createdAt updatedAt closedAt mergedAt pullState: state authorAssociation
      author { login } labels(first: 30) { nodes { name } } comments(first: 1) { totalCount } } })";
  }
  return text + " } }";
}

}  // namespace xpu_align
