// Prints every GraphQL query that the program can send, as a JSON list of texts: octokit_test.py validates them.
#include <cstdio>

#include "edge/github/queries.h"
#include "json/json.h"

int main() {
  using namespace xpu_align;
  Json queries = Json::EmptyArray();
  const int64_t numbers[] = {7, 8};
  queries.Append(ByNumberQuery(numbers));
  for (const Kind kind : {Kind::kIssue, Kind::kPullRequest}) {
    queries.Append(DetailsQuery(kind));
    std::vector<Tail> tails;
    for (const Connection& list : ListsOf(kind)) tails.push_back({kind, list});
    queries.Append(TailsQuery(tails));
  }
  std::fputs(WriteJson(queries).c_str(), stdout);
}
