// The git edge against real `git http-backend` behind the fake server: clones, fetches, diffs, ancestry.
#include <cstdlib>

#include "contract/fake_github_process.h"
#include "edge/git/repository.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

// Trunk: c0 (28th) - c1 (29th) - c2 (29th) - c3 (30th). Pull request 7 forks at c1, 8 at c2, 9 at c0.
constexpr const char* kWorld = R"({"repository": "pytorch/pytorch", "git": {"pytorch/pytorch": [
  {"name": "c0", "at": "2026-11-28T10:00:00Z", "message": "Begin\n", "files": {"a.py": "one\ntwo\nthree\n", "old.py": "a\nb\nc\nd\n"}},
  {"name": "c1", "at": "2026-11-29T00:00:00Z", "message": "Change two\n\nBody\n", "author": "ann", "files": {"a.py": "one\n2\nthree\n"}},
  {"name": "c2", "at": "2026-11-29T23:59:59Z", "message": "Move\n", "files": {"old.py": null, "new.py": "a\nb\nc\nd\n"}},
  {"name": "c3", "at": "2026-11-30T00:00:00Z", "message": "Later\n", "refs": ["refs/heads/main"], "files": {"b.bin": "x\u0000y"}},
  {"name": "p7a", "parent": "c1", "at": "2026-11-29T12:00:00Z", "message": "First\n", "files": {"p.py": "p\n"}},
  {"name": "p7b", "at": "2026-11-29T13:00:00Z", "message": "Second\n", "refs": ["refs/pull/7/head"], "files": {"q.py": "q\n"}},
  {"name": "p8", "parent": "c2", "at": "2026-11-30T01:00:00Z", "message": "Other\n", "refs": ["refs/pull/8/head"], "files": {"r.py": "r\n"}},
  {"name": "p9", "parent": "c0", "at": "2026-11-30T02:00:00Z", "message": "Old base\n", "refs": ["refs/pull/9/head"], "files": {"s.py": "s\n"}}]}})";
const Window kDay = Window::Day(*ParseDate("2026-11-29"));

class GitContract : public ContractTest {
 protected:
  std::unique_ptr<RepositoryReader> Clone(const FakeGithub& fake, int depth = 0) {
    auto clone = OpenClone({.directory = folder_ / "clone.git",
                            .url = fake.Base() + "/pytorch/pytorch.git",
                            .depth = depth,
                            .http = {.user_agent = "git/2.0 (xpu-align test)"},
                            .progress = &progress_});
    EXPECT_TRUE(clone) << clone.error().message;
    return std::move(*clone);
  }
  static std::string Sha(RepositoryReader& clone, const std::string& revision) {
    const auto sha = clone.Resolve(revision);
    return sha ? *sha : sha.error().message;
  }
  // What the real git thinks of the clone.
  int Fsck() const {
    return std::system(
        ("git --git-dir '" + (folder_ / "clone.git").string() + "' fsck --strict >/dev/null 2>&1").c_str());
  }
  RecordedProgress progress_;
};

TEST_F(GitContract, WholeCloneGivesTheCommitsOfTheWindow) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto clone = Clone(fake);
  const std::vector<int64_t> none;
  const Status updated = clone->Update(none);
  ASSERT_TRUE(updated) << updated.error().message;
  EXPECT_EQ(*clone->TrunkSha(), Sha(*clone, "refs/heads/main"));
  const auto commits = clone->TrunkCommitsIn(kDay);
  ASSERT_TRUE(commits) << commits.error().message;
  ASSERT_EQ(commits->size(), 2u);
  EXPECT_EQ((*commits)[0].message, UntrustedText("Move\n"));
  EXPECT_EQ((*commits)[1].message, UntrustedText("Change two\n\nBody\n"));
  EXPECT_EQ((*commits)[1].author, UntrustedText("ann"));
  EXPECT_EQ((*commits)[1].committed_at, kDay.BeginSeconds());
  EXPECT_EQ((*commits)[1].parents, std::vector<std::string>{Sha(*clone, "main~3")});
  EXPECT_EQ(Fsck(), 0);
  EXPECT_FALSE(clone->Resolve("refs/pull/7/head"));  // not asked for
}

TEST_F(GitContract, ServerSeesOnlyOurUserAgentAndOneFetchIsTwoRequests) {
  FakeGithub fake(folder_ / "fake", kWorld);
  const std::vector<int64_t> pulls{7, 8};
  ASSERT_TRUE(Clone(fake)->Update(pulls));
  EXPECT_EQ(fake.Stop(), 0);
  EXPECT_EQ(fake.Lines("GET /pytorch/pytorch.git/info/refs?service=git-upload-pack").size(), 1u);
  for (const Json& entry : fake.Log()) EXPECT_EQ(entry.StringOr("user_agent"), "git/2.0 (xpu-align test)");
}

TEST_F(GitContract, PullRequestIsComparedWithItsMergeBase) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto clone = Clone(fake);
  const std::vector<int64_t> pulls{7, 8, 999};  // 999 is not on the server
  const Status updated = clone->Update(pulls);
  ASSERT_TRUE(updated) << updated.error().message;
  const std::string head = Sha(*clone, "refs/pull/7/head");
  const auto diff = clone->DiffOfPullRequest({.head = head});
  ASSERT_TRUE(diff) << diff.error().message;
  EXPECT_EQ(diff->base_sha, Sha(*clone, "main~2"));
  ASSERT_EQ(diff->files.size(), 2u);
  EXPECT_EQ(diff->files[0].path, UntrustedText("p.py"));
  EXPECT_EQ(diff->files[1].path, UntrustedText("q.py"));
  EXPECT_EQ(*clone->FileAt(head, UntrustedText("q.py")), UntrustedText("q\n"));
  EXPECT_EQ(clone->FileAt(head, UntrustedText("new.py")).error().kind, ErrorKind::kNotFound);
}

TEST_F(GitContract, DiffOfCommitHasHunksRenamesAndBinaries) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto clone = Clone(fake);
  ASSERT_TRUE(clone->Update({}));
  const auto change = clone->DiffOfCommit(Sha(*clone, "main~2"));
  ASSERT_TRUE(change) << change.error().message;
  ASSERT_EQ(change->files.size(), 1u);
  EXPECT_EQ(change->files[0].patch, UntrustedText("@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"));
  EXPECT_EQ(change->files[0].additions, 1);
  EXPECT_EQ(change->files[0].deletions, 1);
  const auto move = clone->DiffOfCommit(Sha(*clone, "main~1"));
  ASSERT_EQ(move->files.size(), 1u);
  EXPECT_EQ(move->files[0].status, "renamed");
  EXPECT_EQ(move->files[0].previous_path, UntrustedText("old.py"));
  EXPECT_TRUE(move->files[0].patch.Empty());
  const auto binary = clone->DiffOfCommit(Sha(*clone, "main"));
  ASSERT_EQ(binary->files.size(), 1u);
  EXPECT_EQ(binary->files[0].status, "added");
  EXPECT_TRUE(binary->files[0].patch.Empty());
  EXPECT_EQ(clone->DiffOfCommit(Sha(*clone, "main~3"))->files.size(), 2u);  // root
}

TEST_F(GitContract, ShallowCloneSaysWhatItCanNotTell) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto clone = Clone(fake, 2);
  const std::vector<int64_t> pulls{7};
  ASSERT_TRUE(clone->Update(pulls));
  const std::string main = Sha(*clone, "main"), parent = Sha(*clone, "main~1");
  EXPECT_FALSE(clone->Resolve("main~2"));
  EXPECT_EQ((*OpenReadOnly(folder_ / "clone.git", "main"))->TrunkCommitsIn(kDay).error().kind, ErrorKind::kGit);
  EXPECT_TRUE(clone->TrunkCommitsIn(Window::Day(*ParseDate("2026-11-30"))));
  EXPECT_EQ(clone->IsAncestor(parent, main), Answer::kYes);
  EXPECT_EQ(clone->IsAncestor(main, parent), Answer::kUnknown);
  EXPECT_EQ(clone->IsAncestor(std::string(40, '1'), main), Answer::kUnknown);
  // Two commits of the pull request and nothing below: no base, so no diff is made up.
  EXPECT_EQ(clone->DiffOfPullRequest({.head = Sha(*clone, "refs/pull/7/head")}).error().kind, ErrorKind::kGit);
  EXPECT_EQ(Fsck(), 0);
}

TEST_F(GitContract, ShallowCloneComparesWithTheParentOfTheFirstOwnCommit) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto clone = Clone(fake, 2);  // one own commit and one more; the trunk ends above the merge base
  const std::vector<int64_t> pulls{9};
  ASSERT_TRUE(clone->Update(pulls));
  const std::string head = Sha(*clone, "refs/pull/9/head");
  EXPECT_EQ(clone->DiffOfPullRequest({.head = head}).error().kind, ErrorKind::kGit);
  const auto diff = clone->DiffOfPullRequest({.head = head, .parent_of_first_commit = Sha(*clone, head + "~1")});
  ASSERT_TRUE(diff) << diff.error().message;
  ASSERT_EQ(diff->files.size(), 1u);
  EXPECT_EQ(diff->files[0].path, UntrustedText("s.py"));
}

TEST_F(GitContract, AncestryInAWholeClone) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto clone = Clone(fake);
  const std::vector<int64_t> pulls{7};
  ASSERT_TRUE(clone->Update(pulls));
  const std::string main = Sha(*clone, "main");
  EXPECT_EQ(clone->IsAncestor(Sha(*clone, "main~3"), main), Answer::kYes);
  EXPECT_EQ(clone->IsAncestor(main, main), Answer::kYes);
  EXPECT_EQ(clone->IsAncestor(Sha(*clone, "refs/pull/7/head"), main), Answer::kNo);
}

TEST_F(GitContract, RedirectedRepositoryIsFetched) {
  FakeGithub fake(
      folder_ / "fake",
      std::string(kWorld).replace(
          std::string(kWorld).rfind('}'), 1,
          R"(, "stubs": [{"on": "GET /moved/away.git/info/refs?service=git-upload-pack", "status": 301, "headers":
         {"Location": "$BASE/pytorch/pytorch.git/info/refs?service=git-upload-pack"}}]})"));
  auto clone = OpenClone(
      {.directory = folder_ / "clone.git", .url = fake.Base() + "/moved/away.git", .http = {.user_agent = "x"}});
  ASSERT_TRUE(clone);
  const Status updated = (*clone)->Update({});
  EXPECT_TRUE(updated) << updated.error().message;
  EXPECT_EQ(fake.Stop(), 0);
}

TEST_F(GitContract, FailuresHaveKinds) {
  FakeGithub fake(folder_ / "fake", std::string(kWorld).replace(
                                        std::string(kWorld).rfind('}'), 1,
                                        R"(, "faults": [{"request": 0, "status": 404}, {"request": 1, "status": 503},
                      {"on": "POST /pytorch/pytorch.git/git-upload-pack", "truncate": 300}]})"));
  auto clone = Clone(fake);
  EXPECT_EQ(clone->Update({}).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(clone->Update({}).error().kind, ErrorKind::kNetwork);
  EXPECT_EQ(clone->Update({}).error().kind, ErrorKind::kNetwork);  // the pack ends early
  EXPECT_TRUE(clone->Update({}));
  EXPECT_EQ(Fsck(), 0);
  EXPECT_EQ(fake.Stop(), 0);
  EXPECT_EQ(clone->Update({}).error().kind, ErrorKind::kNetwork);  // nobody there
  EXPECT_FALSE(OpenClone({.directory = folder_ / "x.git", .url = "file:///tmp/x"}));
}

TEST_F(GitContract, DamagedCloneIsMovedAsideAndMadeAnew) {
  FakeGithub fake(folder_ / "fake", kWorld);
  ASSERT_TRUE(Clone(fake)->Update({}));
  fs::remove_all(folder_ / "clone.git/objects");
  fs::create_directories(folder_ / "clone.git/objects");
  auto clone = Clone(fake);
  ASSERT_EQ(progress_.warnings.size(), 1u);
  EXPECT_TRUE(progress_.warnings[0].contains("damaged"));
  ASSERT_TRUE(clone->Update({}));
  EXPECT_EQ(clone->TrunkCommitsIn(kDay)->size(), 2u);
  EXPECT_TRUE(fs::exists(folder_ / "clone.git.damaged"));
}

TEST_F(GitContract, GivenRepositoryIsReadAndNeverChanged) {
  FakeGithub fake(folder_ / "fake", kWorld);
  ASSERT_TRUE(Clone(fake)->Update({}));
  const std::string before = FileText(folder_ / "clone.git/refs/heads/main");
  const size_t requests = fake.Log().size();
  auto given = OpenReadOnly(folder_ / "clone.git", "main");
  ASSERT_TRUE(given) << given.error().message;
  const std::vector<int64_t> pulls{7};
  EXPECT_TRUE((*given)->Update(pulls));
  EXPECT_EQ((*given)->TrunkCommitsIn(kDay)->size(), 2u);
  EXPECT_FALSE((*given)->Resolve("refs/pull/7/head"));
  EXPECT_EQ(FileText(folder_ / "clone.git/refs/heads/main"), before);
  EXPECT_EQ(fake.Log().size(), requests);
  EXPECT_EQ(OpenReadOnly(folder_ / "nothing", "main").error().kind, ErrorKind::kGit);
}

TEST_F(GitContract, PartialCloneIsRefusedWithASentence) {
  FakeGithub fake(folder_ / "fake", kWorld);
  ASSERT_TRUE(Clone(fake)->Update({}));
  const std::string git = "git --git-dir '" + (folder_ / "clone.git").string() + "' config ";
  ASSERT_EQ(std::system((git + "remote.origin.promisor true").c_str()), 0);
  const auto promisor = OpenReadOnly(folder_ / "clone.git", "main");
  ASSERT_FALSE(promisor);
  EXPECT_EQ(promisor.error().kind, ErrorKind::kGit);
  EXPECT_TRUE(promisor.error().message.contains("partial clone")) << promisor.error().message;
}

}  // namespace
}  // namespace xpu_align
