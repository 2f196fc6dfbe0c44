// Our clone against real `git http-backend`: deepening, ghstack bases, the base of a pull request in a shallow clone,
// tokens, cut connections, leftovers, damage, sharing, room on the disk, repositories that can not be read.
#include <fcntl.h>
#include <sys/file.h>

#include <cstdlib>
#include <thread>

#include "contract/cut_proxy.h"
#include "contract/fake_github_process.h"
#include "edge/git/repository.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

const Window kDay = Window::Day(*ParseDate("2026-11-29"));

// Trunk: c0 (28th) - c1, c2 (29th) - c3 (30th). Pull request 7 has two commits on c1. 21 and 22 are a stack of ghstack:
// 22 on 21, each with a base branch that holds what is below it.
constexpr const char* kWorld = R"({"repository": "pytorch/pytorch", "git": {"pytorch/pytorch": [
  {"name": "c0", "at": "2026-11-28T10:00:00Z", "message": "Begin\n", "files": {"a.py": "one\n"}},
  {"name": "c1", "at": "2026-11-29T00:00:00Z", "message": "Second\n", "files": {"a.py": "two\n"}},
  {"name": "c2", "at": "2026-11-29T23:59:59Z", "message": "Third\n", "refs": ["refs/heads/release/2.14"], "files": {"b.py": "b\n"}},
  {"name": "c3", "at": "2026-11-30T00:00:00Z", "message": "Later\n", "refs": ["refs/heads/main", "refs/heads/feature"], "files": {"c.py": "c\n"}},
  {"name": "p7a", "parent": "c1", "at": "2026-11-29T12:00:00Z", "message": "First\n", "files": {"p.py": "p\n"}},
  {"name": "p7b", "at": "2026-11-29T13:00:00Z", "message": "Second\n", "refs": ["refs/pull/7/head"], "files": {"q.py": "q\n"}},
  {"name": "g1b", "parent": "c2", "at": "2026-11-29T14:00:00Z", "message": "base 1\n", "refs": ["refs/heads/gh/ann/1/base"]},
  {"name": "g1h", "at": "2026-11-29T14:01:00Z", "message": "lower\n", "refs": ["refs/heads/gh/ann/1/head", "refs/pull/21/head"], "files": {"lower.py": "l\n"}},
  {"name": "g2b", "parent": "c2", "at": "2026-11-29T14:02:00Z", "message": "base 2\n", "refs": ["refs/heads/gh/ann/2/base"], "files": {"lower.py": "l\n"}},
  {"name": "g2h", "at": "2026-11-29T14:03:00Z", "message": "upper\n", "refs": ["refs/heads/gh/ann/2/head", "refs/pull/22/head"], "files": {"upper.py": "u\n"}}]}})";

std::string Noise(size_t size) {  // does not compress to nothing
  std::string text;
  for (uint32_t state = 1; text.size() < size;) {
    state = state * 1664525u + 1013904223u;
    text += "0123456789abcdef"[state >> 28];
  }
  return text;
}

class CloneContract : public ContractTest {
 protected:
  CloneSettings Settings(const std::string& base, int depth = 0) {
    return {.directory = folder_ / "clone.git",
            .url = base + "/pytorch/pytorch.git",
            .depth = depth,
            .http = {.user_agent = "git/2.0 (xpu-align test)"},
            .progress = &progress_};
  }
  std::unique_ptr<RepositoryReader> Open(CloneSettings settings) {
    auto clone = OpenClone(std::move(settings));
    EXPECT_TRUE(clone) << clone.error().message;
    return std::move(*clone);
  }
  // Of a whole clone elsewhere.
  std::string Sha(const FakeGithub& fake, const std::string& revision) {
    CloneSettings settings = Settings(fake.Base());
    settings.directory = folder_ / "whole.git";
    auto whole = Open(std::move(settings));
    const std::vector<int64_t> pulls{7, 21, 22};
    EXPECT_TRUE(whole->Update(pulls));
    return whole->Resolve(revision).value_or("");
  }
  int Git(const std::string& arguments) const {
    return std::system(("git --git-dir '" + (folder_ / "clone.git").string() + "' " + arguments + " >/dev/null 2>&1").c_str());
  }
  fs::path Pack() const {
    for (const auto& entry : fs::directory_iterator(folder_ / "clone.git/objects/pack"))
      if (entry.path().extension() == ".pack") return entry.path();
    return {};
  }
  RecordedProgress progress_;
};

TEST_F(CloneContract, OnlyWhatANightNeedsIsFetched) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto clone = Open(Settings(fake.Base()));
  const std::vector<int64_t> pulls{22};
  ASSERT_TRUE(clone->Update(pulls));
  for (const char* there : {"main", "release/2.14", "gh/ann/2/base", "refs/pull/22/head"})
    EXPECT_TRUE(clone->Resolve(there)) << there;
  for (const char* absent : {"feature", "gh/ann/1/base", "gh/ann/2/head", "refs/pull/21/head"})
    EXPECT_FALSE(clone->Resolve(absent)) << absent;
}

TEST_F(CloneContract, GhstackPullRequestIsComparedWithItsBaseBranch) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto clone = Open(Settings(fake.Base()));
  const std::vector<int64_t> pulls{21, 22};
  ASSERT_TRUE(clone->Update(pulls));
  const auto diff = clone->DiffOfPullRequest({.head = *clone->Resolve("refs/pull/22/head")});
  ASSERT_TRUE(diff) << diff.error().message;
  EXPECT_EQ(diff->base_source, BaseSource::kGhstackBase);
  EXPECT_EQ(diff->base_sha, *clone->Resolve("gh/ann/2/base"));
  ASSERT_EQ(diff->files.size(), 1u);
  EXPECT_EQ(diff->files[0].path, UntrustedText("upper.py"));

  // A clone of the user's has all branches, and nobody tells which pull request is of ghstack.
  const std::string given = (folder_ / "given.git").string();
  ASSERT_EQ(std::system(("git clone -q --mirror " + fake.Base() + "/pytorch/pytorch.git '" + given + "'").c_str()), 0);
  const auto same = (*OpenReadOnly(given, "main"))->DiffOfPullRequest({.head = *clone->Resolve("refs/pull/22/head")});
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(same->base_source, BaseSource::kGhstackBase);
  EXPECT_EQ(same->base_sha, diff->base_sha);
}

TEST_F(CloneContract, ShallowCloneIsDeepenedUntilTheWindowIsWhole) {
  FakeGithub fake(folder_ / "fake", kWorld);
  auto clone = Open(Settings(fake.Base(), 1));
  ASSERT_TRUE(clone->Update({}));
  EXPECT_FALSE(clone->Resolve("main~1"));
  const auto commits = clone->TrunkCommitsIn(kDay);
  ASSERT_TRUE(commits) << commits.error().message;
  ASSERT_EQ(commits->size(), 2u);
  EXPECT_EQ((*commits)[1].message, UntrustedText("Second\n"));
  EXPECT_EQ(fake.Lines("GET /pytorch/pytorch.git/info/refs").size(), 2u);
  EXPECT_EQ(Git("fsck --strict"), 0);
}

TEST_F(CloneContract, DeepeningEnds) {
  std::string world = R"({"repository": "pytorch/pytorch", "git": {"pytorch/pytorch": [)";
  for (int i = 0; i < 300; ++i)
    world += R"({"at": "2026-11-29T10:00:00Z", "message": "m", "name": "c)" + std::to_string(i) + "\"" +
             (i == 299 ? R"(, "refs": ["refs/heads/main"]})" : "},");
  FakeGithub fake(folder_ / "fake", world + "]}}");
  auto clone = Open(Settings(fake.Base(), 1));
  ASSERT_TRUE(clone->Update({}));
  const auto commits = clone->TrunkCommitsIn(kDay);
  ASSERT_FALSE(commits);
  EXPECT_TRUE(commits.error().message.contains("too shallow")) << commits.error().message;
  EXPECT_TRUE(clone->Resolve("main~255"));
  EXPECT_FALSE(clone->Resolve("main~256"));  // 1, 4, 16, 64, 256 commits: five fetches
  EXPECT_EQ(fake.Lines("GET /pytorch/pytorch.git/info/refs").size(), 5u);
}

TEST_F(CloneContract, ShallowCloneFetchesTheParentOfTheFirstOwnCommit) {
  FakeGithub fake(folder_ / "fake", kWorld);
  const std::string c1 = Sha(fake, "main~2"), head = Sha(fake, "refs/pull/7/head");
  auto clone = Open(Settings(fake.Base(), 1));
  const std::vector<int64_t> pulls{7};
  ASSERT_TRUE(clone->Update(pulls));
  EXPECT_FALSE(clone->CommitAt(c1));
  const auto diff = clone->DiffOfPullRequest({.head = head, .parent_of_first_commit = c1, .number = 7, .own_commits = 2});
  ASSERT_TRUE(diff) << diff.error().message;
  EXPECT_EQ(diff->base_source, BaseSource::kParentOfFirst);
  EXPECT_EQ(diff->base_sha, c1);
  ASSERT_EQ(diff->files.size(), 2u);
  EXPECT_EQ(diff->files[0].path, UntrustedText("p.py"));
  EXPECT_EQ(diff->files[1].path, UntrustedText("q.py"));
  EXPECT_EQ(clone->IsAncestor(c1, *clone->TrunkSha()), Answer::kUnknown);  // the trunk's own history ends above
  EXPECT_EQ(Git("fsck --strict"), 0);
}

TEST_F(CloneContract, ShallowCloneIsOpenedAgain) {
  FakeGithub fake(folder_ / "fake", kWorld);
  ASSERT_TRUE(Open(Settings(fake.Base(), 1))->Update({}));
  auto clone = Open(Settings(fake.Base(), 2));
  EXPECT_EQ(clone->TrunkCommitsIn(kDay).error().kind, ErrorKind::kGit);  // before the first fetch of this run
  ASSERT_TRUE(clone->Update({}));
  const auto commits = clone->TrunkCommitsIn(Window::Day(*ParseDate("2026-11-30")));
  ASSERT_TRUE(commits) << commits.error().message;
  EXPECT_EQ(commits->size(), 1u);
}

TEST_F(CloneContract, WholeCloneStaysWholeWhenADepthIsAsked) {
  FakeGithub fake(folder_ / "fake", kWorld);
  ASSERT_TRUE(Open(Settings(fake.Base()))->Update({}));
  auto clone = Open(Settings(fake.Base(), 1));
  ASSERT_TRUE(clone->Update({}));
  EXPECT_TRUE(clone->Resolve("main~3"));
  EXPECT_EQ(clone->IsAncestor(*clone->Resolve("main"), *clone->Resolve("main~3")), Answer::kNo);
}

TEST_F(CloneContract, TokenGoesToTheOriginAndToNoOther) {
  FakeGithub home(folder_ / "home", kWorld);
  FakeGithub door(folder_ / "door", R"({"repository": "pytorch/pytorch", "stubs": [
      {"on": "GET /pytorch/pytorch.git/info/refs?service=git-upload-pack", "status": 302, "headers": {"Location": ")" +
                                        home.Base() + R"(/pytorch/pytorch.git/info/refs?service=git-upload-pack"}}]})");
  CloneSettings settings = Settings(door.Base());
  settings.token = BearerToken("secret");
  ASSERT_TRUE(Open(settings)->Update({}));
  ASSERT_EQ(door.Log().size(), 1u);
  EXPECT_TRUE(door.Log()[0].BoolOr("authorization", false));
  ASSERT_EQ(home.Log().size(), 2u);
  for (const Json& entry : home.Log()) EXPECT_FALSE(entry.BoolOr("authorization", true));

  settings.url = home.Base() + "/pytorch/pytorch.git";
  ASSERT_TRUE(Open(settings)->Update({}));
  EXPECT_TRUE(home.Log().back().BoolOr("authorization", false));
}

class CutConnection : public CloneContract, public testing::WithParamInterface<CutProxy::Cut> {};

TEST_P(CutConnection, InThePackLeavesACloneThatGoesOn) {
  const std::string world = R"({"repository": "pytorch/pytorch", "git": {"pytorch/pytorch": [{"name": "c0", "refs":
      ["refs/heads/main"], "at": "2026-11-29T10:00:00Z", "message": "Begin\n", "files": {"noise": ")" +
                            Noise(300'000) + R"("}}]}})";
  FakeGithub fake(folder_ / "fake", world);
  CutProxy proxy(fake.Port(), GetParam(), 50'000);
  CloneSettings settings = Settings(proxy.Base());
  settings.http.stall_seconds = 1;
  const Status cut = Open(settings)->Update({});
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().kind, ErrorKind::kNetwork) << cut.error().message;
  EXPECT_EQ(proxy.Cuts(), 1);
  auto clone = Open(Settings(fake.Base()));
  EXPECT_TRUE(clone->Update({}));
  EXPECT_EQ(clone->TrunkCommitsIn(kDay)->size(), 1u);
  EXPECT_TRUE(progress_.warnings.empty());
  EXPECT_EQ(Git("fsck --strict"), 0);
  for (const auto& entry : fs::directory_iterator(folder_ / "clone.git/objects/pack"))
    EXPECT_TRUE(entry.path().filename().string().starts_with("pack-")) << entry.path();
}
INSTANTIATE_TEST_SUITE_P(Each, CutConnection, testing::Values(CutProxy::Cut::kReset, CutProxy::Cut::kStall),
                         [](const auto& cut) { return cut.param == CutProxy::Cut::kReset ? "Reset" : "Stall"; });

TEST_F(CloneContract, StopIsHonouredInThePack) {
  FakeGithub fake(folder_ / "fake", kWorld);
  CloneSettings settings = Settings(fake.Base());
  int asked = 0;
  settings.stop_requested = [&asked] { return ++asked > 3; };
  EXPECT_EQ(Open(settings)->Update({}).error().kind, ErrorKind::kCancelled);
  EXPECT_TRUE(Open(Settings(fake.Base()))->Update({}));
}

TEST_F(CloneContract, WhatAKilledFetchLeftIsRemoved) {
  FakeGithub fake(folder_ / "fake", kWorld);
  ASSERT_TRUE(Open(Settings(fake.Base()))->Update({}));
  const fs::path clone = folder_ / "clone.git", pack = clone / "objects/pack/pack_git2_1a2b3c";
  const fs::path orphan = clone / "objects/pack/pack-00000000000000000000000000000000000000aa.pack";
  for (const fs::path& left : {pack, orphan, clone / "refs/heads/main.lock", clone / "shallow.lock"})
    std::ofstream(left) << "half";
  const std::vector<int64_t> pulls{7};
  const Status updated = Open(Settings(fake.Base()))->Update(pulls);
  EXPECT_TRUE(updated) << updated.error().message;
  EXPECT_FALSE(fs::exists(pack));
  EXPECT_FALSE(fs::exists(orphan));
  EXPECT_EQ(Git("fsck --strict"), 0);
}

TEST_F(CloneContract, PackThatWasCutOffIsMadeAnew) {
  FakeGithub fake(folder_ / "fake", kWorld);
  ASSERT_TRUE(Open(Settings(fake.Base()))->Update({}));
  fs::permissions(Pack(), fs::perms::owner_all);
  fs::resize_file(Pack(), fs::file_size(Pack()) - 9);
  auto clone = Open(Settings(fake.Base()));
  ASSERT_EQ(progress_.warnings.size(), 1u);
  EXPECT_TRUE(progress_.warnings[0].contains("is cut off")) << progress_.warnings[0];
  ASSERT_TRUE(clone->Update({}));
  EXPECT_EQ(clone->TrunkCommitsIn(kDay)->size(), 2u);
}

TEST_F(CloneContract, DamageThatShowsInReadingIsRepairedByTheNextRun) {
  FakeGithub fake(folder_ / "fake", kWorld);
  ASSERT_TRUE(Open(Settings(fake.Base()))->Update({}));
  auto clone = Open(Settings(fake.Base()));
  const std::string main = *clone->TrunkSha();  // opens the pack
  fs::permissions(Pack(), fs::perms::owner_all);
  std::fstream pack(Pack(), std::ios::in | std::ios::out | std::ios::binary);
  pack.seekp(12);
  pack << std::string(fs::file_size(Pack()) - 32, '\xff');
  pack.close();
  EXPECT_FALSE(clone->DiffOfCommit(main));
  clone.reset();
  auto again = Open(Settings(fake.Base()));
  ASSERT_EQ(progress_.warnings.size(), 1u);
  const Status updated = again->Update({});
  ASSERT_TRUE(updated) << updated.error().message;
  EXPECT_EQ(again->DiffOfCommit(main)->files.size(), 1u);
}

TEST_F(CloneContract, WaitsForAnotherRunSaysSoAndCanBeStopped) {
  FakeGithub fake(folder_ / "fake", kWorld);
  ASSERT_TRUE(Open(Settings(fake.Base()))->Update({}));
  const int other = ::open((folder_ / "clone.git.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  CloneSettings settings = Settings(fake.Base());
  int asked = 0;
  settings.stop_requested = [&asked] { return ++asked > 2; };
  progress_.notes.clear();
  const auto stopped = OpenClone(settings);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::kCancelled);
  ASSERT_EQ(progress_.notes.size(), 1u);
  EXPECT_TRUE(progress_.notes[0].starts_with("waiting for another run")) << progress_.notes[0];
  ::close(other);
  EXPECT_TRUE(OpenClone(Settings(fake.Base())));
}

TEST_F(CloneContract, TwoRunsShareOneClone) {
  FakeGithub fake(folder_ / "fake", kWorld);
  RecordedProgress quiet[2];
  Status done[2];
  std::string trunks[2];
  {
    std::vector<std::jthread> runs;
    for (int i = 0; i < 2; ++i)
      runs.emplace_back([&, i] {
        CloneSettings settings = Settings(fake.Base());
        settings.progress = &quiet[i];
        auto clone = OpenClone(settings);
        const std::vector<int64_t> pulls{i == 0 ? 7 : 22};
        done[i] = clone ? (*clone)->Update(pulls) : std::unexpected(clone.error());
        trunks[i] = done[i] ? *(*clone)->TrunkSha() : "";
      });
  }
  for (const Status& one : done) EXPECT_TRUE(one) << one.error().message;
  EXPECT_EQ(trunks[0], trunks[1]);
  auto clone = Open(Settings(fake.Base()));
  EXPECT_TRUE(clone->Resolve("refs/pull/7/head"));
  EXPECT_TRUE(clone->Resolve("refs/pull/22/head"));
  EXPECT_EQ(Git("fsck --strict"), 0);
}

TEST_F(CloneContract, FirstCloneAsksForRoomAndNamesBothFigures) {
  FakeGithub fake(folder_ / "fake", kWorld);
  CloneSettings settings = Settings(fake.Base());
  settings.space_needed = uint64_t{1} << 60;
  const Status refused = Open(settings)->Update({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kFileSystem);
  EXPECT_TRUE(refused.error().message.contains("needs about 1152921504.6 GB and ")) << refused.error().message;
  EXPECT_TRUE(refused.error().message.contains(" GB are free")) << refused.error().message;
  EXPECT_EQ(fake.Log().size(), 0u);  // before anything is asked
  settings.space_needed = 1;
  EXPECT_TRUE(Open(settings)->Update({}));
}

TEST_F(CloneContract, ListOfReferencesHasALimit) {
  FakeGithub fake(folder_ / "fake", kWorld);
  CloneSettings settings = Settings(fake.Base());
  settings.max_reference_list = 200;
  const Status refused = Open(settings)->Update({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kProtocol);
  EXPECT_TRUE(refused.error().message.contains("list of references is longer")) << refused.error().message;
}

TEST_F(CloneContract, RepositoriesThatCanNotBeReadGetOneSentence) {
  ASSERT_EQ(std::system(("git init -q --bare --object-format=sha256 '" + (folder_ / "sha256.git").string() + "'").c_str()), 0);
  const auto sha256 = OpenReadOnly(folder_ / "sha256.git", "main");
  ASSERT_FALSE(sha256);
  EXPECT_TRUE(sha256.error().message.contains("sha256")) << sha256.error().message;
  ASSERT_EQ(Git("init -q --bare"), 0);
  ASSERT_EQ(Git("config core.repositoryformatversion 1"), 0);
  ASSERT_EQ(Git("config extensions.refstorage reftable"), 0);
  const auto reftable = OpenReadOnly(folder_ / "clone.git", "main");
  ASSERT_FALSE(reftable);
  EXPECT_TRUE(reftable.error().message.contains("reftable")) << reftable.error().message;
  for (const auto& error : {sha256.error(), reftable.error()}) EXPECT_EQ(error.message.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace xpu_align
