#include "report/markdown.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

TEST(MarkdownTest, CodeSpanHoldsAnyTextInOneCell) {
  EXPECT_EQ(CodeSpan("torch.foo"), "`torch.foo`");
  EXPECT_EQ(CodeSpan("a`b|c\nd"), "`a'b/c\\nd`");
  EXPECT_EQ(CodeSpan(""), "`unknown`");
  EXPECT_EQ(CodeSpan("  "), "`unknown`");
}

TEST(MarkdownTest, OnlyAddressesOfGitHubAreLinks) {
  EXPECT_EQ(WebLink("https://github.com/pytorch/pytorch/issues/1"), "https://github.com/pytorch/pytorch/issues/1");
  EXPECT_EQ(WebLink("https://github.com.evil.test/x"), "https\\://github.com.evil.test/x");
  EXPECT_EQ(WebLink("https://github.com/a b"), "https\\://github.com/a b");
  EXPECT_EQ(WebLink("javascript:alert(1)"), "javascript\\:alert\\(1\\)");
}

TEST(MarkdownTest, FenceIsLongerThanAnyRunInside) {
  EXPECT_EQ(Fence(UntrustedText("a\n````\nb"), {.info = "text"}), "`````text\na\n````\nb\n`````\n");
}

TEST(MarkdownTest, FenceIndentsEveryLine) {
  EXPECT_EQ(Fence(UntrustedText("a\n\nb\n"), {.indent = "  "}), "  ```\n  a\n  \n  b\n  ```\n");
}

TEST(MarkdownTest, FenceKeepsTheEndThatDecidesAndSaysWhatItCut) {
  std::string lines;
  for (char c = 'a'; c <= 'z'; ++c) lines += std::string(9, c) + "\n";  // 10 bytes each
  // 206 bytes are kept free for the frame: 250 leave room for four lines.
  EXPECT_EQ(Fence(UntrustedText(lines), {.max_bytes = 250}),
            "```\naaaaaaaaa\nbbbbbbbbb\nccccccccc\nddddddddd\n[22 lines cut]\n```\n");
  EXPECT_EQ(Fence(UntrustedText(lines), {.max_bytes = 250, .keep = Keep::kTail}),
            "```\n[22 lines cut]\nwwwwwwwww\nxxxxxxxxx\nyyyyyyyyy\nzzzzzzzzz\n```\n");
}

TEST(MarkdownTest, FenceNeverExceedsItsLimit) {
  for (const std::string& text : {std::string(5000, '\n'), std::string(5000, '`'), std::string(999, 'x') + "\n" + "y"})
    for (const size_t limit : {4000u, 6000u, 8000u})
      EXPECT_LE(Fence(UntrustedText(text), {.info = "python", .max_bytes = limit, .indent = " "}).size(), limit);
}

TEST(MarkdownTest, LastLinesAreThoseThatAreNotBlank) {
  EXPECT_EQ(LastLines(UntrustedText("a\n\nb\n \nc\n\n"), 2), UntrustedText("b\nc\n"));
  EXPECT_EQ(LastLines(UntrustedText("a"), 15), UntrustedText("a\n"));
  EXPECT_EQ(LastLines(UntrustedText(""), 15), UntrustedText(""));
}

TEST(MarkdownTest, CountsReadAsWords) {
  EXPECT_EQ(Counted(0, "day"), "0 days");
  EXPECT_EQ(Counted(1, "day"), "1 day");
  EXPECT_EQ(Counted(2, "day"), "2 days");
}

}  // namespace
}  // namespace xpu_align
