#include "filter/diff_effect.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

DiffEffect Effect(const char* path, const char* lines) {
  return EffectOf(
      {.path = UntrustedText(path), .status = "modified", .patch = UntrustedText(std::string("@@ -1,4 +1,4 @@\n") + lines)});
}

struct Case {
  const char* what;
  const char* path;
  const char* lines;
};

constexpr Case kHarmless[] = {
    {"comment changed", "a.cpp", "-  // old\n+  // new words\n x();\n"},
    {"trailing comment", "a.cu", "-  x();  // old\n+  x();\n"},
    {"white space in C", "a.h", "-if(a){\n+if (a) {\n"},
    {"blank lines", "a.py", " x\n+\n+\n y\n"},
    {"Python comment", "a.py", "-x = 1  # noqa\n+x = 1\n"},
    {"annotations", "a.py", "-def f(a, b=1):\n+def f(a: dict[str, int], b: int = 1) -> None:\n"},
    {"lines of C split", "a.cpp", "-  auto a = f({x, y}); g(a);\n+  auto a = f(\n+      {x, y});\n+  g(a);\n"},
    {"example in a docstring", "a.py", "-    >>> f(1)\n+    >>> f(1, 2)\n+    >>> f(3)\n     3\n"},
    {"typing import", "a.py", "+from typing import Any\n x\n"},
    {"no newline mark", "a.py", "-x\n\\ No newline at end of file\n+x\n"}};

constexpr Case kFunctional[] = {
    {"value changed", "a.cpp", "-x(1);\n+x(2);\n"},
    {"moved over context", "a.cpp", "-lock();\n read();\n+lock();\n"},
    {"Python indentation", "a.py", "-    return x\n+        return x\n"},
    {"white space in a string", "a.cpp", "-f(\"a b\");\n+f(\"ab\");\n"},
    {"words joined", "a.cpp", "-int x;\n+intx;\n"},
    {"include in a template", "a.py", "-#include <old.h>\n+#include <new.h>\n"},
    {"hash in a string", "a.py", "-x = '# a'\n+x = '# b'\n"},
    {"slashes in a string", "a.cpp", "-f(\"//a\");\n+f(\"//b\");\n"},
    {"default changed", "a.py", "-def f(a: int = 1):\n+def f(a: int = 2):\n"},
    {"lines of C split and changed", "a.cpp", "-  a = f(x); g(a);\n+  a = f(x);\n+  g(-a);\n"},
    {"words of two lines", "a.cpp", "-return x;\n+return\n+xy;\n"},
    {"statements of Python joined", "a.py", "-f(a)\n-g(a)\n+f(a) + g(a)\n"},
    {"lines of a macro", "a.h", "-#define A x\n-y\n+#define A x y\n"},
    {"preprocessor", "a.h", "-#if A\n+#if B\n"}};

TEST(DiffEffectTest, WhiteSpaceCommentsAndAnnotationsHaveNoEffect) {
  for (const Case& c : kHarmless) EXPECT_EQ(Effect(c.path, c.lines), DiffEffect::kNone) << c.what;
}

TEST(DiffEffectTest, EverythingElseHas) {
  for (const Case& c : kFunctional) EXPECT_EQ(Effect(c.path, c.lines), DiffEffect::kSome) << c.what;
}

TEST(DiffEffectTest, WithoutPatchOrInAnotherLanguageItIsUnknown) {
  EXPECT_EQ(EffectOf({.path = UntrustedText("a.cpp")}), DiffEffect::kUnknown);
  EXPECT_EQ(Effect("a.yaml", "-# a\n+# b\n"), DiffEffect::kUnknown);
  EXPECT_EQ(Effect("a", "-x\n+x\n"), DiffEffect::kUnknown);
}

TEST(DiffEffectTest, HostilePatchesAreRead) {
  for (const std::string& patch : {std::string("-\"\\"), std::string("+'"), std::string("-def f(((:"), std::string(1, '\0')})
    EXPECT_NE(EffectOf({.path = UntrustedText("a.py"), .patch = UntrustedText(patch)}), DiffEffect::kUnknown);
}

TEST(DiffEffectTest, TheWordsOfMessagesAreNoBehaviour) {
  constexpr Case kWords[] = {
      {"reworded", "a.py", "-  raise E(\"cannot trace this\")\n+  raise E(\"cannot trace this call of a builtin\")\n"},
      {"a call is named", "a.py", "-  e(\"cannot trace this\")\n+  e(\"It can not trace this one; call list() on it first\")\n"},
      {"split over lines", "a.cpp", "-TORCH_CHECK(a, \"one two three four\");\n+TORCH_CHECK(a, \"one two three \"\n+  \"four five six\");\n"}};
  constexpr Case kMore[] = {
      {"condition, too", "a.cpp", "-TORCH_CHECK(i <= n, \"index out of range\");\n+TORCH_CHECK(i < n, \"index is out of range\");\n"},
      {"one word", "a.py", "-x = \"cuda\"\n+x = \"xpu\"\n"},
      {"code in a string", "a.py", "-w(\"free(a) b c\")\n+w(\"free(a) b d\")\n"},
      {"a line of code", "a.py", "-w(\"else return a()\")\n+w(\"else return b()\")\n"},
      {"format fields", "a.py", "-w(f\"a b {c}\")\n+w(f\"a b {d}\")\n"}};
  for (const Case& c : kWords) EXPECT_EQ(Effect(c.path, c.lines), DiffEffect::kWords) << c.what;
  for (const Case& c : kMore) EXPECT_EQ(Effect(c.path, c.lines), DiffEffect::kSome) << c.what;
}

TEST(AddsOnlyTest, SchemasOfNewOperators) {
  const auto adds_only = [](const char* patch) {
    return AddsOnly({.path = UntrustedText("aten/src/ATen/native/native_functions.yaml"), .status = "modified", .patch = UntrustedText(patch)});
  };
  EXPECT_TRUE(adds_only("@@ -1 +1,3 @@\n+- func: ring(Tensor self) -> Tensor\n+  variants: function\n \n"));
  EXPECT_TRUE(adds_only("@@ -1 +1,3 @@\n a\n+- func: ring(Tensor self) -> Tensor\n@@ -9 +11 @@\n b\n+- func: wheel() -> Tensor\n"));
  EXPECT_FALSE(adds_only("@@ -1 +1,3 @@\n   dispatch:\n+    CUDA: ring_cuda\n"));
  EXPECT_FALSE(adds_only("@@ -1 +1,3 @@\n a\n+- func: ring(Tensor self) -> Tensor\n@@ -9 +11 @@\n b\n+  autogen: x\n"));
  EXPECT_FALSE(adds_only("@@ -1 +1 @@\n-- func: ring(Tensor a) -> Tensor\n+- func: ring(Tensor b) -> Tensor\n"));
}

TEST(AddsOnlyTest, NewFilesAndImports) {
  const auto adds_only = [](const char* status, const char* patch) {
    return AddsOnly({.path = UntrustedText("a.py"), .status = status, .patch = UntrustedText(patch)});
  };
  EXPECT_TRUE(adds_only("added", "@@ -0,0 +1 @@\n+x = 1\n"));
  EXPECT_TRUE(adds_only("modified", "@@ -1 +1,2 @@\n a\n+from a import b\n+\n"));
  EXPECT_TRUE(adds_only("modified", "@@ -1 +1,2 @@\n a = [\n+    \"name\",\n"));
  EXPECT_FALSE(adds_only("modified", "@@ -1 +1,2 @@\n a\n+x = b()\n"));
  EXPECT_FALSE(adds_only("modified", "@@ -1 +1 @@\n-import a\n+import b\n"));
  EXPECT_FALSE(adds_only("modified", "@@ -1 +1,2 @@\n a\n+TORCH_CHECK(x);\n"));
  EXPECT_FALSE(adds_only("modified", ""));
}

}  // namespace
}  // namespace xpu_align
