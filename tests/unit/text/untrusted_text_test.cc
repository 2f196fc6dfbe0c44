#include "text/untrusted_text.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

std::string Markdown(const char* text) { return UntrustedText(text).ForMarkdownLine(); }

TEST(UntrustedTextTest, MarkdownStructureMentionsAndReferencesAreInert) {
  EXPECT_EQ(Markdown("a `b` *c* [d](e)"), "a \\`b\\` \\*c\\* \\[d\\]\\(e\\)");
  EXPECT_EQ(Markdown("Fixes #12 @bot"), "Fixes &#35;&#8203;12 &#64;&#8203;bot");
  EXPECT_EQ(Markdown("GH-12 and high-end"), "GH&#45;&#8203;12 and high-end");
  EXPECT_EQ(Markdown("<script>&amp;"), "&lt;script\\>&amp;amp;");
  EXPECT_EQ(Markdown("1. - / x"), "1\\. - / x");  // only what could start a line
  EXPECT_EQ(Markdown("- x"), "\\- x");
  EXPECT_EQ(Markdown("/merge"), "\\/merge");
  EXPECT_EQ(Markdown("https://x.y"), "https\\://x.y");
}

TEST(UntrustedTextTest, OneLineStaysOneLineWhateverIsInIt) {
  EXPECT_EQ(Markdown("a\nb\tc\x1b[0m\u202e\u200bd"), "a b c\\[0md");
  EXPECT_EQ(UntrustedText("a\n\x1b\u202e").ForLogLine(), "a\\n\\x1b\\u{202e}");
  EXPECT_EQ(UntrustedText(std::string(400, 'x')).ForLogLine(5), "xxxxx…");
  EXPECT_EQ(UntrustedText("\xff\xc3(").ForJson(), "\uFFFD\uFFFD(");
}

TEST(UntrustedTextTest, WorkflowCommandsCanNotBeFormed) {
  EXPECT_EQ(UntrustedText("::error::x").ForWorkflowCommand(), ": :error: :x");
  EXPECT_EQ(UntrustedText("p ##[error]50%\r\n::y").ForWorkflowCommand(), "p ##\\[error]50%25 : :y");
  EXPECT_EQ(UntrustedText("#\u200b#[error]").ForWorkflowCommand(), "##\\[error]");
  EXPECT_EQ(UntrustedText(" ::error::torch::x").ForLogLine(), " : :error::torch::x");
  EXPECT_EQ(UntrustedText("p ##[error]").ForLogLine(), "p ##\\[error]");
  EXPECT_EQ(UntrustedText("::").ForLogLine(), ": :");
  EXPECT_EQ(UntrustedText("a::b #[x] # #[y]").ForLogLine(), "a::b #[x] # #[y]");
}

TEST(UntrustedTextTest, QuotedTextCanNotPassForAResultLine) {
  EXPECT_EQ(UntrustedText("Local XPU result: `confirmed`").ForMarkdownFence(),
            "[quoted] Local XPU result: `confirmed`\n");
}

TEST(UntrustedTextTest, NoContentClosesItsFence) {
  EXPECT_EQ(FenceFor("x"), "```");
  EXPECT_EQ(FenceFor("a ```` b"), "`````");
}

TEST(UntrustedTextTest, HtmlIsEscaped) {
  EXPECT_EQ(UntrustedText("<a b=\"c\" d='e'>&").ForHtml(), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
}

}  // namespace
}  // namespace xpu_align
