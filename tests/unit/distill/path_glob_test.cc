#include "distill/path_glob.h"

#include <gtest/gtest.h>

namespace xpu_align::distill {
namespace {

TEST(PathGlobTest, Matches) {
  struct Case {
    const char *pattern, *path;
    bool matches;
  };
  for (const Case& one : std::vector<Case>{{"a/b.h", "a/b.h", true},
                                           {"a/b.h", "a/b.hpp", false},
                                           {"a/*.h", "a/b.h", true},
                                           {"a/*.h", "a/b/c.h", false},
                                           {"a/**", "a/b/c.h", true},
                                           {"a/**", "a", false},
                                           {"a/**/c.h", "a/c.h", true},
                                           {"a/**/c.h", "a/b/d/c.h", true},
                                           {"**/c.h", "c.h", true},
                                           {"a/{b,c}.{h,cc}", "a/c.h", true},
                                           {"a/{b,c}.{h,cc}", "a/d.h", false},
                                           {"a/?.h", "a/bb.h", false},
                                           {"a/X*", "a/XPU.h", true},
                                           {"a/*b*c", "a/abbc", true},
                                           {"a/*b*c", "a/acb", false}}) {
    const auto glob = PathGlob::Parse(one.pattern);
    ASSERT_TRUE(glob) << one.pattern;
    EXPECT_EQ(glob->Matches(one.path), one.matches) << one.pattern << " " << one.path;
    if (one.matches)  // every folder on the way may hold a match
      for (std::string path = one.path; path.contains('/');) {
        path.resize(path.rfind('/'));
        EXPECT_TRUE(glob->MayMatchBelow(path)) << one.pattern << " below " << path;
      }
  }
}

TEST(PathGlobTest, FoldersThatCanNotMatchAreNotRead) {
  EXPECT_FALSE(PathGlob::Parse("torch/csrc/*.h")->MayMatchBelow("torch/lib"));
  EXPECT_FALSE(PathGlob::Parse("torch/csrc/*.h")->MayMatchBelow("torch/csrc/api"));
  EXPECT_TRUE(PathGlob::Parse("torch/{csrc,lib}/*.h")->MayMatchBelow("torch/lib"));
}

TEST(PathGlobTest, Refused) {
  for (const char* pattern :
       {"", "/a", "../a", "a/../b", "a//b", "a/./b", "a\\b", "a/{b", "a}b", "{a,{b}}", "a/x**", "C:/a", "a\nb"})
    EXPECT_FALSE(PathGlob::Parse(pattern)) << pattern;
}

TEST(PathGlobTest, Specificity) {
  EXPECT_EQ(PathGlob::Parse("a/b/*")->LiteralPrefix(), 4u);
  EXPECT_TRUE(PathGlob::Parse("a/b.h")->IsLiteral());
  EXPECT_TRUE(PathGlob::Parse("**/x")->IsUnbounded());
  EXPECT_FALSE(PathGlob::Parse("a/**")->IsUnbounded());
}

}  // namespace
}  // namespace xpu_align::distill
