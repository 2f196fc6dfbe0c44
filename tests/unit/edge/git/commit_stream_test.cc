#include "edge/git/commit_stream.h"

#include <git2.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "edge/git/handles.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

class CommitStreamTest : public testing::Test {
 protected:
  // A line of 70 commits, each with one new file named after it.
  CommitStreamTest() : folder_(fs::temp_directory_path() / ("xpu_align_stream." + std::to_string(::getpid()))) {
    StartLibgit2();
    fs::remove_all(folder_);
    const auto repository = Made<Repository>([&](git_repository** out) { return git_repository_init(out, folder_.c_str(), 1); });
    git_odb* odb = nullptr;
    git_repository_odb(&odb, repository.get());
    std::string entries, parent;
    for (int i = 100; i < 170; ++i) {
      git_oid blob{}, tree{}, commit{};
      git_odb_write(&blob, odb, "x\n", 2, GIT_OBJECT_BLOB);
      entries += "100644 " + std::to_string(i) + std::string(1, '\0') + std::string(reinterpret_cast<const char*>(blob.id), 20);
      git_odb_write(&tree, odb, entries.data(), entries.size(), GIT_OBJECT_TREE);
      const std::string raw = "tree " + ShaText(tree) + "\n" + parent +
                              "author a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nm\n";
      git_odb_write(&commit, odb, raw.data(), raw.size(), GIT_OBJECT_COMMIT);
      shas_.push_back(ShaText(commit));
      parent = "parent " + shas_.back() + "\n";
    }
    git_odb_free(odb);
  }
  ~CommitStreamTest() override { fs::remove_all(folder_); }

  fs::path folder_;
  std::vector<std::string> shas_;
};

TEST_F(CommitStreamTest, AnyNumberOfThreadsGivesTheSameInTheSameOrder) {
  for (const unsigned threads : {0u, 1u, 2u, 5u}) {
    std::vector<std::string> seen;
    const Status done = StreamDiffs({folder_, threads}, shas_, [&](size_t at, Result<RepositoryDiff> diff) -> Status {
      EXPECT_EQ(at, seen.size());
      EXPECT_TRUE(diff) << diff.error().message;
      EXPECT_EQ(diff->files.size(), 1u);
      EXPECT_EQ(diff->base_sha, at == 0 ? "" : shas_[at - 1]);
      seen.emplace_back(diff->files[0].path.ForMatching());
      return {};
    });
    EXPECT_TRUE(done);
    ASSERT_EQ(seen.size(), 70u) << threads;
    EXPECT_EQ(seen.front(), "100");
    EXPECT_EQ(seen.back(), "169");
  }
}

TEST_F(CommitStreamTest, AnErrorOfTheSinkEndsIt) {
  size_t calls = 0;
  const Status done = StreamDiffs({folder_, 2}, shas_, [&](size_t, const Result<RepositoryDiff>&) -> Status {
    if (++calls == 20) return Fail(ErrorKind::kCancelled, "enough");
    return {};
  });
  EXPECT_EQ(done.error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(calls, 20u);
}

TEST_F(CommitStreamTest, WhatIsNotThereIsAnErrorOfThatCommit) {
  const std::vector<std::string> shas{shas_[3], std::string(40, '1'), "main; rm -rf", shas_[4]};
  std::vector<bool> read;
  EXPECT_TRUE(StreamDiffs({folder_, 2}, shas, [&](size_t, const Result<RepositoryDiff>& diff) -> Status {
    read.push_back(diff.has_value());
    return {};
  }));
  EXPECT_EQ(read, (std::vector<bool>{true, false, false, true}));
  EXPECT_TRUE(StreamDiffs({folder_ / "nothing", 2}, shas, [&](size_t, const Result<RepositoryDiff>& diff) -> Status {
    EXPECT_FALSE(diff);
    return {};
  }));
  EXPECT_TRUE(StreamDiffs({folder_, 2}, {}, [](size_t, const Result<RepositoryDiff>&) -> Status { return {}; }));
}

}  // namespace
}  // namespace xpu_align
