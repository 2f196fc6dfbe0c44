// The worlds of fault_matrix_contract.cc: a night whose plan has every kind of request, with a clone, and a small one
// without; and a clone that is always there, so that only GitHub's API fails.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "ports/repository_reader.h"

namespace xpu_align {

inline std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

// {"number": N, "title": ..., "created_at": of the 29th, MORE}
inline std::string WorldItem(int number, const std::string& title, const std::string& more = "") {
  char time[32];
  std::snprintf(time, sizeof time, "2026-11-29T%02d:%02d:00Z", number / 60 % 24, number % 60);
  return "{\"number\": " + std::to_string(number) + ", \"title\": " + Quoted(title) +
         ", \"created_at\": " + Quoted(time) + more + "}";
}

inline std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",\n") + part;
  return text;
}

inline std::string Repeated(const std::string& part, int times) {
  return Joined(std::vector<std::string>(static_cast<size_t>(times), part));
}

// c0, a change of it (all pull requests are this one), and two commits of the 29th that land pull requests 9 and 201.
inline constexpr const char* kWorldHistory = R"("git": {"pytorch/pytorch": [
  {"name": "c0", "at": "2026-11-28T10:00:00Z", "message": "Begin\n", "files": {"foo.py": "old\n"}},
  {"name": "p", "parent": "c0", "at": "2026-11-29T03:00:00Z", "message": "Change\n", "refs": ["refs/pull/201/head"], "files": {"foo.py": "new\n"}},
  {"name": "c1", "parent": "c0", "at": "2026-11-29T05:00:00Z", "author": "ann", "files": {"foo.py": "new\n"},
   "message": "Fix foo (#201)\n\nPull Request resolved: https://github.com/pytorch/pytorch/pull/201\n"},
  {"name": "c2", "at": "2026-11-29T06:00:00Z", "files": {"baz.py": "z\n"}, "refs": ["refs/heads/main"],
   "message": "Older change (#9)\n\nPull Request resolved: https://github.com/pytorch/pytorch/pull/9\n"}]})";

inline constexpr const char* kOlderPull =
    R"({"number": 9, "title": "Older change", "created_at": "2026-11-20T00:00:00Z", "base": "commit:c0", "head": "commit:p"})";
inline constexpr const char* kSides = R"(, "base": "commit:c0", "head": "commit:p")";

// 60 issues and 8 pull requests in pages of 30. Issue 101 talks longer than a first page of comments and its author
// speaks last, 104 is mentioned more often than a first page of events, 105 is gone, 106 has many labels; issue 103 is
// rejected by its title and revived by 102; so is pull request 208 by 207.
inline std::string LargeNight() {
  std::vector<std::string> issues{R"({"number": 1, "title": "Too old", "created_at": "2026-11-28T00:00:00Z"})"};
  std::vector<std::string> mentions, labels;
  for (int i = 100; i < 155; ++i)
    if (i != 104) mentions.push_back(std::to_string(i));
  for (int i = 0; i < 40; ++i) labels.push_back(Quoted("label " + std::to_string(i)));
  const std::string passer_by =
      R"({"author": "somebody else", "body": "me too", "created_at": "2026-11-29T20:00:00Z"})";
  for (int i = 100; i < 160; ++i) {
    std::string title = "crash", more = R"(, "author": "ann", "body": "It crashes.")";
    if (i == 101)
      more += R"(, "comments": [)" + Repeated(passer_by, 60) +
              R"(, {"author": "ann", "body": "more facts", "created_at": "2026-11-29T21:00:00Z"}])";
    if (i == 102) more = R"(, "body": "relands issue-103")";
    if (i == 103) title = "DISABLED test_x";
    if (i == 104) more += R"(, "referenced_by": [)" + Joined(mentions) + "]";
    if (i == 105) more += R"(, "gone": 410)";
    if (i == 106) more += R"(, "labels": [)" + Joined(labels) + "]";
    issues.push_back(WorldItem(i, title, more));
  }
  std::vector<std::string> pulls{kOlderPull};
  for (int i = 201; i < 209; ++i)
    pulls.push_back(WorldItem(
        i, i == 208 ? "DISABLED by hand" : "Change",
        i == 202   ? R"(, "base": "commit:c0", "head": "commit:c0", "files": [{"path": "a", "status": "added"}])"
        : i == 207 ? kSides + std::string(R"(, "body": "relands pr-208")")
                   : kSides));
  return R"({"repository": "pytorch/pytorch", "page_size": 30, "issues": [)" + Joined(issues) + R"(], "pulls": [)" +
         Joined(pulls) + "],\n" + kWorldHistory + "}";
}

// Three issues and a pull request in pages of two; comments and files have a second page.
inline std::string SmallNight() {
  const std::string comment = R"({"author": "ann", "body": "a fact", "created_at": "2026-11-29T20:00:00Z"})";
  const std::string files =
      R"(, "files": [{"path": "a", "status": "added", "additions": 1, "patch": "@@ -0,0 +1 @@\n+a"},
    {"path": "b", "status": "added", "additions": 1, "patch": "@@ -0,0 +1 @@\n+b"},
    {"path": "c", "status": "added", "additions": 1, "patch": "@@ -0,0 +1 @@\n+c"}])";
  return R"({"repository": "pytorch/pytorch", "page_size": 2, "issues": [)" +
         Joined({WorldItem(101, "crash", R"(, "author": "ann", "comments": [)" + Repeated(comment, 3) + "]"),
                 WorldItem(102, "crash"), WorldItem(103, "crash", R"(, "gone": 451)"),
                 R"({"number": 1, "title": "Too old", "created_at": "2026-11-28T00:00:00Z"})"}) +
         R"(], "pulls": [)" + kOlderPull + ", " + WorldItem(201, "Change", kSides + files) + "],\n" + kWorldHistory +
         "}";
}

// The history above as a clone would give it, but for pull request 202, which has no commit of its own: its diff is
// asked from GitHub.
class ClonedHistory : public RepositoryReader {
 public:
  explicit ClonedHistory(const std::vector<int64_t>& landed = {9, 201}) {
    for (const int64_t number : landed) {
      char sha[64];
      std::snprintf(sha, sizeof sha, "%012ld%028d", static_cast<long>(number), 0);
      commits_.push_back(
          {.sha = sha,
           .parents = {std::string(40, '0')},
           .message = UntrustedText("Change\n\nPull Request resolved: https://github.com/pytorch/pytorch/pull/" +
                                    std::to_string(number) + "\n"),
           .author = UntrustedText("ann"),
           .committed_at = 1'795'928'400});  // 2026-11-29T05:00:00Z
    }
  }
  Status Update(std::span<const int64_t>) override { return {}; }
  Result<std::string> TrunkSha() override { return commits_[0].sha; }
  Result<std::string> Resolve(const std::string& revision) override { return revision; }
  Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window&) override { return commits_; }
  Result<TrunkCommit> CommitAt(const std::string&) override { return commits_[0]; }
  Result<RepositoryDiff> DiffOfCommit(const std::string& sha) override { return Diff(sha); }
  Result<RepositoryDiff> DiffOfPullRequest(const PullRequestRange& range) override {
    if (range.parent_of_first_commit.empty()) return Fail(ErrorKind::kNotFound, "no such head");
    return Diff(range.head);
  }
  Result<std::vector<UntrustedText>> FilesIn(const std::string&, const UntrustedText&) override {
    return Fail(ErrorKind::kNotFound, "");
  }
  Result<UntrustedText> FileAt(const std::string&, const UntrustedText&) override {
    return Fail(ErrorKind::kNotFound, "");
  }
  Answer IsAncestor(const std::string&, const std::string&) override { return Answer::kUnknown; }

 private:
  static RepositoryDiff Diff(const std::string& sha) {
    return {.base_sha = std::string(40, '0'), .files = {{.path = UntrustedText(sha), .status = "modified"}}};
  }
  std::vector<TrunkCommit> commits_;
};

}  // namespace xpu_align
