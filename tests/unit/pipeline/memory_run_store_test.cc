#include "support/memory_run_store.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

LedgerRow Row(const char* id, const char* title) {
  return {.id = *CandidateId::Parse(id), .title = UntrustedText(title)};
}

// The same cases as for the real store in tests/unit/edge/store/run_directory_test.cc.
TEST(MemoryRunStoreTest, LastRowOfAnIdWinsAndRestIsSorted) {
  MemoryRunStore store;
  ASSERT_TRUE(store.Append(Row("pr-10", "a"), Durability::kStageEnd));
  ASSERT_TRUE(store.Append(Row("pr-9", "b"), Durability::kStageEnd));
  ASSERT_TRUE(store.Append(Row("pr-10", "c"), Durability::kNow));
  EXPECT_EQ(store.appended().size(), 3u);
  ASSERT_TRUE(store.CompactLedger());
  const auto rows = *store.LoadLedger();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].id.Text(), "pr-9");
  EXPECT_EQ(rows[1].title, UntrustedText("c"));
  EXPECT_EQ(store.appended().size(), 2u);
}

TEST(MemoryRunStoreTest, NothingOutsideCanBeReached) {
  MemoryRunStore store;
  for (const char* path : {"../x", "a/../../x", "/etc/passwd", ""}) {
    EXPECT_FALSE(store.Read(path)) << path;
    EXPECT_FALSE(store.Write(path, "x")) << path;
  }
}

TEST(MemoryRunStoreTest, ListNamesTheFilesOfOneFolder) {
  MemoryRunStore store;
  ASSERT_TRUE(store.Write("scripts/b.py", "1"));
  ASSERT_TRUE(store.Write("scripts/a.py", "1"));
  ASSERT_TRUE(store.Write("scripts/a.py", "2"));
  ASSERT_TRUE(store.Write("scripts/deep/c.py", "3"));
  EXPECT_EQ(store.List("scripts"), (std::vector<std::string>{"a.py", "b.py"}));
  EXPECT_EQ(*store.Read("scripts/a.py"), "2");
  EXPECT_EQ(store.Read("scripts/none").error().kind, ErrorKind::kNotFound);
}

TEST(MemoryRunStoreTest, RowThatContradictsItselfIsRefused) {
  MemoryRunStore store;
  LedgerRow row = Row("issue-1", "x");
  row.bucket = Bucket::kConfirmed;  // not done
  EXPECT_EQ(store.Append(row, Durability::kNow).error().kind, ErrorKind::kProtocol);
  EXPECT_TRUE(store.appended().empty());
}

}  // namespace
}  // namespace xpu_align
