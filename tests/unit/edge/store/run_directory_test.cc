#include "edge/store/run_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "edge/store/durable_file.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

class RunDirectoryTest : public testing::Test {
 protected:
  RunDirectoryTest() : root_(fs::temp_directory_path() / ("run_directory_test." + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    store_ = *OpenRunDirectory(root_);
  }
  ~RunDirectoryTest() override { fs::remove_all(root_); }

  static LedgerRow Row(const char* id, const char* title) {
    return {.id = *CandidateId::Parse(id), .title = UntrustedText(title)};
  }
  std::string LedgerBytes() { return ReadFile(root_ / paths::kLedger).value_or("none"); }

  fs::path root_;
  std::unique_ptr<RunStore> store_;
};

TEST_F(RunDirectoryTest, APipeInPlaceOfTheLedgerIsRefusedAndNotWaitedFor) {
  fs::create_directories((root_ / paths::kLedger).parent_path());
  ASSERT_EQ(::mkfifo((root_ / paths::kLedger).c_str(), 0600), 0);
  const auto rows = store_->LoadLedger();
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().kind, ErrorKind::kFileSystem);
}

TEST_F(RunDirectoryTest, LastRowOfAnIdWinsAndRestIsSorted) {
  ASSERT_TRUE(store_->Append(Row("pr-10", "a"), Durability::kStageEnd));
  ASSERT_TRUE(store_->Append(Row("pr-9", "b"), Durability::kStageEnd));
  ASSERT_TRUE(store_->Append(Row("pr-10", "c"), Durability::kNow));
  ASSERT_TRUE(store_->CompactLedger());
  const auto rows = *store_->LoadLedger();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].id.Text(), "pr-9");
  EXPECT_EQ(rows[1].title, UntrustedText("c"));
  EXPECT_EQ(std::ranges::count(LedgerBytes(), '\n'), 2);
}

TEST_F(RunDirectoryTest, TornLastLineIsRecoveredAtEveryByte) {
  ASSERT_TRUE(store_->Append(Row("issue-1", "whole"), Durability::kNow));
  const std::string whole = LedgerBytes();
  const std::string torn = WriteJsonLine(ToJson(Row("issue-2", "torn")));
  for (size_t cut = 0; cut <= torn.size(); ++cut) {
    ASSERT_TRUE(ReplaceFile(root_ / paths::kLedger, whole + torn.substr(0, cut)));
    auto reopened = *OpenRunDirectory(root_);
    ASSERT_EQ(reopened->LoadLedger()->size(), 1u) << cut;
    ASSERT_TRUE(reopened->Append(Row("issue-3", "next"), Durability::kNow));
    ASSERT_EQ(reopened->LoadLedger()->size(), 2u) << cut;
  }
}

TEST_F(RunDirectoryTest, DamagedWholeLineIsNamed) {
  ASSERT_TRUE(ReplaceFile(root_ / paths::kLedger, WriteJsonLine(ToJson(Row("issue-1", "x"))) + "\n{\"id\":\n"));
  const auto rows = store_->LoadLedger();
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().kind, ErrorKind::kProtocol);
  EXPECT_TRUE(rows.error().message.contains("line 2")) << rows.error().message;
}

TEST_F(RunDirectoryTest, NothingOutsideCanBeReached) {
  for (const char* path : {"../x", "a/../../x", "/etc/passwd", ""}) {
    EXPECT_FALSE(store_->Read(path)) << path;
    EXPECT_FALSE(store_->Write(path, "x")) << path;
  }
}

TEST_F(RunDirectoryTest, WriteReplacesAndListShowsRegularFilesOnly) {
  ASSERT_TRUE(store_->Write("scripts/repro_issue-1.py", "1"));
  ASSERT_TRUE(store_->Write("scripts/repro_issue-1.py", "2"));
  fs::create_symlink("/etc/passwd", root_ / "scripts/link");
  EXPECT_EQ(*store_->Read("scripts/repro_issue-1.py"), "2");
  EXPECT_EQ(store_->List("scripts"), std::vector<std::string>{"repro_issue-1.py"});
  EXPECT_EQ(store_->Read("scripts/none").error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace xpu_align
