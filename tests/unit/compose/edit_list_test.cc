#include "compose/edit_list.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

TEST(EditListTest, EditsDoNotOverlapAndTheFirstWins) {
  const PythonTree tree = PythonTree::Parse("abc = def_\nxyz = 1\n");
  EditList edits(tree);
  EXPECT_TRUE(edits.Replace("one", 6, 10, "D"));
  EXPECT_FALSE(edits.Replace("inside", 7, 9, "no"));
  EXPECT_FALSE(edits.Replace("across", 4, 7, "no"));
  EXPECT_FALSE(edits.Replace("around", 0, 19, "no"));
  EXPECT_FALSE(edits.Replace("insertion inside", 8, 8, "no"));
  EXPECT_TRUE(edits.Replace("before", 6, 6, "<"));
  EXPECT_TRUE(edits.Replace("after", 10, 10, ">"));
  EXPECT_FALSE(edits.Replace("after again", 10, 10, "no"));
  EXPECT_TRUE(edits.Replace("second line", 11, 14, "u"));
  EXPECT_TRUE(edits.Replace("no change", 0, 3, "abc"));
  EXPECT_EQ(edits.Applied(), "abc = <D>\nu = 1\n");
  ASSERT_EQ(edits.Sorted().size(), 4u);
  EXPECT_EQ(edits.Sorted()[0].rule, "before");
  EXPECT_EQ(edits.Sorted()[3].line, 2);
}

}  // namespace
}  // namespace xpu_align
