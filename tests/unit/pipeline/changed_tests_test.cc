#include "pipeline/changed_tests.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

std::vector<std::string> Found(const char* path, const char* patch, const char* new_text = nullptr) {
  const ChangedFile file{.path = UntrustedText(path), .status = "modified", .patch = UntrustedText(patch)};
  std::vector<std::string> found;
  for (const ChangedTest& test : TestsIn(file, new_text ? std::optional(UntrustedText(new_text)) : std::nullopt))
    found.push_back(test.change + " " + std::string(test.class_name.ForMatching()) + "." +
                    std::string(test.name.ForMatching()));
  return found;
}
using Names = std::vector<std::string>;

TEST(ChangedTests, AddedTestOfTheClassThatTheHunkNames) {
  EXPECT_EQ(Found("test/test_foo.py",
                  "@@ -10,2 +10,5 @@ class TestFoo(TestCase):\n     def test_old(self):\n         pass\n+\n"
                  "+    def test_new(self):\n+        self.f()\n"),
            Names{"added TestFoo.test_new"});
}

TEST(ChangedTests, ChangedBodyIsAModifiedTest) {
  EXPECT_EQ(Found("test/test_foo.py",
                  "@@ -10,3 +10,3 @@ class TestFoo(TestCase):\n     def test_old(self):\n-        a()\n+        b()\n"),
            Names{"modified TestFoo.test_old"});
}

TEST(ChangedTests, ChangedSignatureIsModifiedNotAdded) {
  EXPECT_EQ(
      Found("test/test_foo.py",
            "@@ -10,2 +10,2 @@ class TestFoo(TestCase):\n-    def test_old(self):\n+    def test_old(self, device):\n"
            "         pass\n"),
      Names{"modified TestFoo.test_old"});
}

constexpr const char* kFile =
    "class TestA(TestCase):\n"         // 1
    "    @parametrize(\"x\", [1])\n"   // 2
    "    def test_one(\n"              // 3
    "        self, x\n"                // 4
    "    ):\n"                         // 5
    "        a()\n"                    // 6
    "\n"                               // 7
    "        b()\n"                    // 8
    "    def not_a_test(self):\n"      // 9
    "        c()\n"                    // 10
    "\n"                               // 11
    "def test_free():\n"               // 12
    "    d()\n"                        // 13
    "\n"                               // 14
    "class TestB(TestCase):\n"         // 15
    "    async def test_two(self):\n"  // 16
    "        e()\n";                   // 17

TEST(ChangedTests, TextOfTheFileFindsTestsWhoseDefinitionIsOutsideTheHunk) {
  EXPECT_EQ(Found("test/test_foo.py", "@@ -8,1 +8,1 @@\n-        old()\n+        b()\n", kFile),
            Names{"modified TestA.test_one"});
  EXPECT_EQ(Found("test/test_foo.py", "@@ -17,1 +17,1 @@\n-        old()\n+        e()\n", kFile),
            Names{"modified TestB.test_two"});
  EXPECT_EQ(Found("test/test_foo.py", "@@ -12,2 +12,2 @@\n+def test_free():\n+    d()\n", kFile),
            Names{"added .test_free"});
}

TEST(ChangedTests, DecoratorBelongsToItsTest) {
  EXPECT_EQ(Found("test/test_foo.py", "@@ -2,1 +2,1 @@\n-    @skip\n+    @parametrize(\"x\", [1])\n", kFile),
            Names{"modified TestA.test_one"});
  EXPECT_EQ(Found("test/test_foo.py",
                  "@@ -16,3 +16,2 @@\n-    @skipIfXpu\n     async def test_two(self):\n         e()\n", kFile),
            Names{"modified TestB.test_two"});
  EXPECT_EQ(Found("test/test_foo.py",
                  "@@ -5,5 +5,4 @@ class TestC(TestCase):\n     def test_a(self):\n         pass\n\n-    @skipIfXpu\n"
                  "     def test_b(self):\n         pass\n"),
            Names{"modified TestC.test_b"});
}

TEST(ChangedTests, NearMisses) {
  EXPECT_EQ(Found("test/test_foo.py", "@@ -10,1 +10,1 @@\n-        old()\n+        c()\n", kFile), Names{});
  EXPECT_EQ(Found("torch/foo.py", "@@ -1,0 +1,2 @@\n+def test_new():\n+    pass\n"), Names{});
  EXPECT_EQ(Found("test/data.txt", "@@ -1,0 +1,2 @@\n+def test_new():\n+    pass\n"), Names{});
  EXPECT_EQ(Found("test/test_foo.py", ""), Names{});
  EXPECT_EQ(Found("test/test_foo.py", "@@ garbage\n+def\n@@ -1 +99999999999999999999 @@\n+x\n"), Names{});
  EXPECT_EQ(Found("test/test_foo.py", "+def test_headless():\n"), Names{"added .test_headless"});
}

TEST(ChangedTests, TestFilesByName) {
  for (const char* path : {"test/inductor/test_x.py", "test/distributed/foo.py", "tools/test/test_y.py", "a/b_test.py"})
    EXPECT_TRUE(IsTestFile(UntrustedText(path))) << path;
  for (const char* path : {"torch/testing/x.py", "test/x.cpp", "test/cpp/api/x_test.cpp", "latest/x.py"})
    EXPECT_FALSE(IsTestFile(UntrustedText(path))) << path;
}

TEST(ChangedTests, TwoDefinitionsOfOneNameAreOneTest) {
  EXPECT_EQ(Found("test/test_foo.py",
                  "@@ -1,0 +1,4 @@\n+class TestA:\n+    def test_one(self):\n+        a()\n+    def test_one(self):\n+        b()\n"),
            Names{"added TestA.test_one"});
  EXPECT_EQ(Found("test/test_foo.py",
                  "@@ -1,2 +1,4 @@ class TestA:\n     def test_one(self):\n+        a()\n+    def test_one(self):\n+        b()\n"),
            Names{"modified TestA.test_one"});
}

}  // namespace
}  // namespace xpu_align
