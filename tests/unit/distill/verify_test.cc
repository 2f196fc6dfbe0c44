#include <gtest/gtest.h>

#include "distill/markdown_text.h"
#include "distill/verify_steps.h"

namespace xpu_align::distill {
namespace {

TEST(StandsInTest, FormattingIsNoDifference) {
  struct Case {
    const char *text, *quote, *path;
    bool stands;
  };
  for (const Case& one : std::vector<Case>{
           {"first second", "CHECK(a,\n  \"first \"  // why\n  \"second\");", "a.cc", true},
           {"first second", "raise E(\n  f\"first \"\n  + 'second')", "a.py", true},
           {"a > 0 && b", "CHECK(a > 0 && /* both */\n      b, \"x\")", "a.cc", true},
           {"f(x)", "#define WRAP(x) \\\n  f(x) /* why */ \\\n", "a.h", true},
           {"A, B", "enum E {\n  A,\n#ifdef X\n#endif\n  B\n};", "a.h", true},
           {"these inputs \\\n    ", "raise E(f\"these inputs \\\n    {x}\")", "a.py", true},
           {"never", "CHECK(a, \"always\");", "a.cc", false},
           {"why", "CHECK(a /* why */, \"always\");", "b.cc", true},  // the words are there, though in a comment
           {"first third", "CHECK(a, \"first \" \"second\");", "a.cc", false}})
    EXPECT_EQ(StandsIn(one.text, one.quote, one.path), one.stands) << one.text << " in " << one.quote;
}

TEST(CodeSpanTest, NothingLeavesIt) {
  for (const char* text : {"", "`", "``", "a`b", " x ", "`` ` ```", "a\nb", "\x1b[31m", "\xe2\x80\xae", "x|y"}) {
    EXPECT_EQ(WithoutCodeSpans(CodeSpan(text)), "") << text;
    EXPECT_EQ(WithoutCodeSpans("a" + CodeCell(text) + "b"), "ab") << text;
    EXPECT_FALSE(CodeSpan(text).contains('\n'));
    EXPECT_FALSE(CodeSpan(text).contains('\x1b'));
  }
  EXPECT_EQ(CodeSpan("abcdef", 3), "`abc...`");
}

}  // namespace
}  // namespace xpu_align::distill
