// Diffs of small repositories made here: hunks that can be applied, renames, odd trees, hostile packs.
#include "edge/git/diff_reader.h"

#include <git2.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

class DiffReaderTest : public testing::Test {
 protected:
  DiffReaderTest() : folder_(fs::temp_directory_path() / ("xpu_align_diff." + std::to_string(::getpid()))) {
    StartLibgit2();
    fs::remove_all(folder_);
    repository_ = Made<Repository>([&](git_repository** out) { return git_repository_init(out, folder_.c_str(), 1); });
  }
  ~DiffReaderTest() override { fs::remove_all(folder_); }

  git_oid WriteObject(std::string_view bytes, git_object_t type) {
    git_odb* odb = nullptr;
    git_repository_odb(&odb, repository_.get());
    git_oid id{};
    EXPECT_EQ(git_odb_write(&id, odb, bytes.data(), bytes.size(), type), 0);
    git_odb_free(odb);
    return id;
  }
  git_oid WriteBlob(std::string_view text) { return WriteObject(text, GIT_OBJECT_BLOB); }

  // As bytes, so that names which libgit2 would refuse to write can be read.
  static std::string Entry(const std::string& mode, const std::string& name, const git_oid& id) {
    return mode + " " + name + std::string(1, '\0') + std::string(reinterpret_cast<const char*>(id.id), 20);
  }
  Tree TreeOf(const std::string& entries) {
    const git_oid id = WriteObject(entries, GIT_OBJECT_TREE);
    return Made<Tree>([&](git_tree** out) { return git_tree_lookup(out, repository_.get(), &id); });
  }
  Tree OneFile(const std::string& text) { return TreeOf(Entry("100644", "f", WriteBlob(text))); }
  Result<RepositoryDiff> Diff(const Tree& before, const Tree& after) {
    return DiffReader(repository_.get()).Between(before.get(), after.get());
  }

  fs::path folder_;
  Repository repository_;
};

// What `git apply` does, for hunks that fit exactly. Empty optional: they do not.
std::optional<std::string> Applied(const std::string& before, std::string_view patch) {
  std::vector<std::string> lines;  // with their newline, if any
  for (size_t at = 0; at < before.size();) {
    const size_t end = std::min(before.find('\n', at), before.size() - 1) + 1;
    lines.push_back(before.substr(at, end - at));
    at = end;
  }
  std::string after;
  size_t next = 0;  // of lines
  std::vector<std::pair<char, std::string>> body;
  const auto flush = [&]() {
    for (auto& [origin, text] : body) {
      if (origin != '+' && (next >= lines.size() || lines[next++] != text)) return false;
      if (origin != '-') after += text;
    }
    body.clear();
    return true;
  };
  while (!patch.empty()) {
    const size_t end = patch.find('\n');
    const std::string line(patch.substr(0, end + 1));
    patch.remove_prefix(end + 1);
    if (line.starts_with("@@")) {
      if (!flush()) return std::nullopt;
      size_t first = 0, count = 1;
      const int fields = std::sscanf(line.c_str(), "@@ -%zu,%zu", &first, &count);
      if (fields < 2) count = 1;
      const size_t begin = count == 0 ? first : first - 1;
      while (next < begin && next < lines.size()) after += lines[next++];
      if (next != begin) return std::nullopt;
    } else if (line.starts_with("\\")) {
      if (body.empty()) return std::nullopt;
      body.back().second.pop_back();
    } else {
      body.emplace_back(line[0], line.substr(1));
    }
  }
  if (!flush()) return std::nullopt;
  while (next < lines.size()) after += lines[next++];
  return after;
}

TEST_F(DiffReaderTest, HunksTurnTheOldTextIntoTheNew) {
  std::mt19937 random(20261130);
  const auto below = [&random](size_t limit) { return random() % limit; };
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> lines;
    for (size_t i = below(160); i > 0; --i) lines.push_back(std::string(1 + below(2), static_cast<char>('a' + below(4))));
    std::vector<std::string> changed = lines;
    for (size_t edits = 1 + below(4); edits > 0; --edits) {
      const size_t at = below(changed.size() + 1);
      if (below(2) == 0 || at == changed.size())
        changed.insert(changed.begin() + static_cast<long>(at), 1 + below(3), std::string(1, static_cast<char>('a' + below(6))));
      else
        changed.erase(changed.begin() + static_cast<long>(at));
    }
    const auto text = [&](const std::vector<std::string>& of) {
      std::string joined;
      for (const std::string& line : of) joined += line + "\n";
      if (!joined.empty() && below(4) == 0) joined.pop_back();
      return joined;
    };
    const std::string before = text(lines), after = text(changed);
    if (before == after) continue;
    const auto diff = Diff(OneFile(before), OneFile(after));
    ASSERT_TRUE(diff) << diff.error().message;
    ASSERT_EQ(diff->files.size(), 1u);
    const std::string patch(diff->files[0].patch.ForMatching());
    ASSERT_EQ(Applied(before, patch), after) << "round " << round << "\n" << before << "---\n" << patch;
  }
}

TEST_F(DiffReaderTest, HunkNamesTheFunctionAboveTheMiddle) {
  std::string before = "def far_above():\n";
  for (int i = 0; i < 60; ++i) before += "    line" + std::to_string(i) + "\n";
  std::string after = before;
  after.replace(after.find("line50"), 6, "LINE50");
  const auto diff = Diff(OneFile(before), OneFile(after));
  EXPECT_TRUE(diff->files[0].patch.ForMatching().starts_with("@@ -49,7 +49,7 @@ def far_above():\n"))
      << diff->files[0].patch.ForMatching();
}

TEST_F(DiffReaderTest, NewRemovedEmptyAndUnterminatedFiles) {
  const Tree none = TreeOf("");
  EXPECT_EQ(Diff(none, OneFile("a\nb"))->files[0].patch,
            UntrustedText("@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"));
  EXPECT_EQ(Diff(OneFile("a\n"), none)->files[0].patch, UntrustedText("@@ -1 +0,0 @@\n-a\n"));
  const auto empty = Diff(none, OneFile(""));
  EXPECT_EQ(empty->files[0].status, "added");
  EXPECT_TRUE(empty->files[0].patch.Empty());
  const auto huge = Diff(none, OneFile(std::string(900'000, '\n')));
  EXPECT_EQ(huge->files[0].additions, 900'000);
  EXPECT_TRUE(huge->files[0].patch.Empty());
}

TEST_F(DiffReaderTest, RenameIsFoundWhenHalfIsAlike) {
  const std::string text = "one line\ntwo line\nthree line\nfour line\n", edited = "one line\ntwo line\nthree line\nother\n";
  const auto renamed = Diff(TreeOf(Entry("100644", "old", WriteBlob(text))), TreeOf(Entry("100644", "new", WriteBlob(edited))));
  ASSERT_EQ(renamed->files.size(), 1u);
  EXPECT_EQ(renamed->files[0].status, "renamed");
  EXPECT_EQ(renamed->files[0].previous_path, UntrustedText("old"));
  EXPECT_EQ(renamed->files[0].additions, 1);
  const auto other = Diff(TreeOf(Entry("100644", "old", WriteBlob(text))), TreeOf(Entry("100644", "new", WriteBlob("x\ny\n"))));
  EXPECT_EQ(other->files.size(), 2u);
}

TEST_F(DiffReaderTest, LinkModeAndSubmodule) {
  const git_oid id = WriteBlob("target"), commit = WriteBlob("stands for a commit");
  EXPECT_EQ(Diff(TreeOf(Entry("100644", "f", id)), TreeOf(Entry("100755", "f", id)))->files.size(), 0u);
  EXPECT_EQ(Diff(TreeOf(Entry("100644", "f", id)), TreeOf(Entry("120000", "f", id)))->files.size(), 2u);
  const auto pinned = Diff(TreeOf(""), TreeOf(Entry("160000", "sub", commit)));
  EXPECT_EQ(pinned->files[0].patch, UntrustedText("@@ -0,0 +1 @@\n+Subproject commit " + ShaText(commit) + "\n"));
}

TEST_F(DiffReaderTest, OddNamesAreOnlyNames) {
  const git_oid id = WriteBlob("x\n");
  const auto diff = Diff(TreeOf(""), TreeOf(Entry("100644", "..", id) + Entry("100644", ".git", id) +
                                            Entry("100644", "a\nb\x1b", id)));
  ASSERT_TRUE(diff) << diff.error().message;
  ASSERT_EQ(diff->files.size(), 3u);
  EXPECT_EQ(diff->files[0].path, UntrustedText(".."));
  EXPECT_EQ(diff->files[1].path, UntrustedText(".git"));
  EXPECT_EQ(diff->files[2].path, UntrustedText("a\nb\x1b"));
}

TEST_F(DiffReaderTest, TreeBombsEndWithASentence) {
  git_oid id = WriteBlob("x\n");
  std::string mode = "100644";
  for (int level = 0; level < 10; ++level) {  // 10^10 files
    std::string entries;
    for (char c = '0'; c <= '9'; ++c) entries += Entry(mode, std::string(1, c), id);
    id = WriteObject(entries, GIT_OBJECT_TREE);
    mode = "40000";
  }
  const auto wide = Diff(TreeOf(""), Made<Tree>([&](git_tree** out) { return git_tree_lookup(out, repository_.get(), &id); }));
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().message, "more than 100000 files differ");
  id = WriteBlob("x\n");
  mode = "100644";
  for (int level = 0; level < 100; ++level) {
    id = WriteObject(Entry(mode, "d", id), GIT_OBJECT_TREE);
    mode = "40000";
  }
  const auto deep = Diff(TreeOf(""), Made<Tree>([&](git_tree** out) { return git_tree_lookup(out, repository_.get(), &id); }));
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().message, "folders are nested deeper than 64");
}

TEST_F(DiffReaderTest, MissingBlobCostsOneFileItsPatch) {
  git_oid absent{};
  absent.id[0] = 1;
  const auto diff = Diff(TreeOf(""), TreeOf(Entry("100644", "a", absent) + Entry("100644", "b", WriteBlob("b\n"))));
  ASSERT_EQ(diff->files.size(), 2u);
  EXPECT_TRUE(diff->files[0].patch.Empty());
  EXPECT_EQ(diff->files[1].patch, UntrustedText("@@ -0,0 +1 @@\n+b\n"));
}

TEST_F(DiffReaderTest, FilesBeyondTheLimitAreCounted) {
  const git_oid id = WriteBlob("x\n");
  std::string entries;
  for (int i = 10'000; i < 13'005; ++i) entries += Entry("100644", std::to_string(i), id);
  const auto diff = Diff(TreeOf(""), TreeOf(entries));
  EXPECT_EQ(diff->files.size(), 3000u);
  EXPECT_EQ(diff->files_left_out, 5u);
}

TEST_F(DiffReaderTest, OnlyRegularFilesAreListedAndRead) {
  const git_oid id = WriteBlob("x\n"), folder = WriteObject(Entry("100644", "in", id), GIT_OBJECT_TREE);
  const Tree tree = TreeOf(Entry("100755", "b", id) + Entry("120000", "link", id) + Entry("40000", "sub", folder));
  const std::string raw = "tree " + ShaText(*git_tree_id(tree.get())) + "\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nm\n";
  const git_oid sha = WriteObject(raw, GIT_OBJECT_COMMIT);
  const auto commit = Made<Commit>([&](git_commit** out) { return git_commit_lookup(out, repository_.get(), &sha); });
  EXPECT_EQ(*ListFilesIn(repository_.get(), commit.get(), ""), std::vector<UntrustedText>{UntrustedText("b")});
  EXPECT_EQ(*ListFilesIn(repository_.get(), commit.get(), "sub"), std::vector<UntrustedText>{UntrustedText("in")});
  EXPECT_EQ(ListFilesIn(repository_.get(), commit.get(), "b").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(*ReadFileAt(repository_.get(), commit.get(), "sub/in"), UntrustedText("x\n"));
  EXPECT_EQ(ReadFileAt(repository_.get(), commit.get(), "link").error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace xpu_align
