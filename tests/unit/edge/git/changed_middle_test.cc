#include "edge/git/changed_middle.h"

#include <gtest/gtest.h>

#include <string>

namespace xpu_align {
namespace {

std::string Lines(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(MiddleOf, KeepsSixteenEqualLinesOnEachSide) {
  const std::string before = Lines(1, 100), after = Lines(1, 49) + "fifty\n" + Lines(51, 100);
  const ChangedMiddle middle = MiddleOf(before, after);
  EXPECT_EQ(middle.head, Lines(1, 33));
  EXPECT_EQ(middle.head_lines, 33u);
  EXPECT_EQ(middle.before, Lines(34, 66));
  EXPECT_EQ(middle.after, Lines(34, 49) + "fifty\n" + Lines(51, 66));
}

TEST(MiddleOf, SmallTextsAreKeptWhole) {
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {"", "a\n"}, {"a\n", ""}, {"a\n", "b\n"}, {"a", "a\n"}, {"a\nb", "a\nc"}, {"a\na\n", "a\na\na\n"}, {"x\n", "yx\n"}}) {
    const ChangedMiddle middle = MiddleOf(before, after);
    EXPECT_EQ(middle.head, "");
    EXPECT_EQ(middle.before, before);
    EXPECT_EQ(middle.after, after);
  }
}

TEST(MiddleOf, RepeatedLinesDoNotOverlap) {
  const std::string before = Lines(1, 40) + Lines(1, 40), after = before + Lines(1, 40);
  const ChangedMiddle middle = MiddleOf(before, after);
  EXPECT_EQ(std::string(middle.head) + std::string(middle.before), before);
  EXPECT_EQ(std::string(middle.head) + std::string(middle.after), after);
}

TEST(LastFunctionLine, IsTheLastThatBeginsWithALetter) {
  EXPECT_EQ(LastFunctionLine("def f():\n    pass\n\n"), "def f():");
  EXPECT_EQ(LastFunctionLine("class A:\ndef g(): \t\n  x\n"), "def g():");
  EXPECT_EQ(LastFunctionLine("  x\n# note\n1\n"), "");
  EXPECT_EQ(LastFunctionLine(""), "");
  EXPECT_EQ(LastFunctionLine(std::string(200, 'a') + "\n"), std::string(80, 'a'));
}

}  // namespace
}  // namespace xpu_align
