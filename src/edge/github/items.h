// GitHub's JSON, of REST and of GraphQL, as values of ours. Tolerates what is missing, refuses an item
// without a number, a time or a title. Pure; used by github.cc.
#pragma once
#include <string>
#include <string_view>

#include "json/json.h"
#include "ports/github_source.h"

namespace xpu_align {

// Of one item: the first of its author and of people who belong to the project.
inline constexpr size_t kMaxComments = 20;

// An element of GET /issues; kProtocol when it is none.
Result<ListedItem> ListedFromRest(const Json& json, std::string_view repository);
// An element of the query by number.
Result<ListedItem> ListedFromGraphql(const Json& json, std::string_view repository);

// What the list told already: the start of every Details.
FetchedItem FromList(const ListedItem& item);

// A node of the details queries. Comments: the first 20 of the author and of people who belong to the
// project. Links to other repositories are left out.
FetchedItem FromNode(const ListedItem& item, const Json& node, std::string_view repository);

// The answers of GET /issues/N/comments and /pulls/N.
std::vector<Comment> CommentsFromRest(const Json& json, const UntrustedText& author);
void AddPullRequest(const Json& json, FetchedItem* item);

ChangedFile FileFromRest(const Json& json);
Result<TrunkCommit> CommitFromRest(const Json& json);

}  // namespace xpu_align
