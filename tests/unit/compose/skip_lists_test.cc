#include "compose/skip_lists.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

std::string Shown(const std::vector<SkippedTest>& tests) {
  std::string text;
  for (const SkippedTest& test : tests) {
    text += std::to_string(test.line) + " " + std::string(test.file.ForMatching()) + " " + std::string(test.test.ForMatching());
    for (const int64_t tracker : test.trackers) text += " #" + std::to_string(tracker);
    text += "\n";
  }
  return text;
}

std::string Read(const char* list) { return Shown(SkippedTestsIn(UntrustedText(list), "intel/torch-xpu-ops")); }

TEST(SkippedTestsIn, TuplesListsAndFilesWithoutTests) {
  EXPECT_EQ(Read(R"(TEST_DIR = "../../../../test"

skip_dict = {
    "test_whole_xpu.py": None,
    f"{TEST_DIR}/nn/test_part.py": (
        "test_one_xpu",
        'test_two_xpu',
    ),
    "../../../../test/test_single.py": ("test_three_xpu",),
    "test_file_xpu.py": [
        "test_file_xpu.py::",
    ],
}
)"),
            "6 nn/test_part.py test_one_xpu\n7 nn/test_part.py test_two_xpu\n9 test/test_single.py test_three_xpu\n"
            "11 test_file_xpu.py test_file_xpu.py::\n");
}

TEST(SkippedTestsIn, CommentsNameTrackersOfTheSameRepository) {
  EXPECT_EQ(Read(R"(skip_dict = {
    "test_a.py": (
        # Wrong result, see
        # https://github.com/intel/torch-xpu-ops/issues/31
        "test_one",
        "test_two",
        "test_three",  # https://github.com/intel/torch-xpu-ops/issues/32
        # not ours: https://github.com/pytorch/pytorch/issues/33
        "test_four",

        "test_five",
        # issue #34 and (#35)
        "test_six",
    ),
}
)"),
            "5 test_a.py test_one #31\n6 test_a.py test_two #31\n7 test_a.py test_three #31 #32\n9 test_a.py test_four\n"
            "11 test_a.py test_five\n13 test_a.py test_six #34 #35\n");
}

TEST(SkippedTestsIn, OtherTextIsPassedOver) {
  EXPECT_EQ(Read(""), "");
  EXPECT_EQ(Read("\"\"\"Tests that fail.\"\"\"\nNAMES = [\"test_a\"]\nprint(\"x\")\n"), "");
  EXPECT_EQ(Read("skip_dict = {1: (\"test_a\",), \"f.py\": 3}\n"), "");
  EXPECT_EQ(Read("skip_dict = {\"f.py\": (\"test_a\",\n"), Read("skip_dict = {\"f.py\": (\"test_a\",\n"));
}

TEST(SkippedTestsIn, StringsInTwoPartsAreOneTest) {
  EXPECT_EQ(Read("skip_dict = {\n  \"f.py\": (\n    \"test_a\"\n    \"_b\",\n  ),\n}\n"), "3 f.py test_a_b\n");
}

TEST(IsSkipList, ByName) {
  for (const char* name : {"skip_list_common.py", "skip_list_win_arc.py", "windows_skip_dict.py"})
    EXPECT_TRUE(IsSkipList(UntrustedText(name))) << name;
  for (const char* name : {"run_test_with_skip.py", "skip_list.txt", "test_skip_list_x.pyc", "skip.yaml"})
    EXPECT_FALSE(IsSkipList(UntrustedText(name))) << name;
}

}  // namespace
}  // namespace xpu_align
