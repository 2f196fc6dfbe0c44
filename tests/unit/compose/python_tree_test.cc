#include "compose/python_tree.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

bool WellFormed(const char* code) { return PythonTree::Parse(code).WellFormed(); }

TEST(PythonTreeTest, ALineEndsItsStatement) {
  for (const char* broken : {"x =\n1\n", "from\n__future__ import annotations\n", "import\ntorch\n", "f\n(x)\n.y\n",
                             "if x\n: pass\n", "x = 1 +\n2\n", "assert\nx\n", "def\nf(): pass\n"})
    EXPECT_FALSE(WellFormed(broken)) << broken;
  for (const char* good : {"x = (\n1)\n", "x = \\\n1\n", "f(x,\n  y=[\n1])\n", "x = '''a\nb'''\n", "x = f'''{a}\n{b}'''\n",
                           "x = 1; \ny = 2\n", "f(x)  # c\n\n# d\ny\n", "x = {  # c\n  1: 2,\n}\n", "f(\n# c\n)\n"})
    EXPECT_TRUE(WellFormed(good)) << good;
}

TEST(PythonTreeTest, AClauseBeginsALine) {
  for (const char* good :
       {"if x:\n  y\nelif z:\n  y\nelse:\n  y\n", "try:\n  x\nexcept E:\n  y\nelse:\n  z\nfinally:\n  w\n",
        "@a\n@b(1)\n\n# c\ndef f(): pass\n", "class A:\n  @a\n  async def f(self): pass\n", "for x in y: z\nelse: w\n",
        "match x:\n  case 1: y\n  case _:\n    z\n", "with a as b, \\\n    c: d\n"})
    EXPECT_TRUE(WellFormed(good)) << good;
}

TEST(PythonTreeTest, StatementsOfABlockBeginInOneColumn) {
  for (const char* broken : {"x\n  y\n", "if x:\n  y\n    z\n", "def f():\n  x\n\n    y\nz\n", "import torch\n import os\n"})
    EXPECT_FALSE(WellFormed(broken)) << broken;
  for (const char* good : {"if x:\n      # c\n  y\n # d\n  z\n", "if x: y\nz\n", "if x:\n\ty\n\n\tz\n", "def f():\n  '''doc\nx'''\n  y\n"})
    EXPECT_TRUE(WellFormed(good)) << good;
}

}  // namespace
}  // namespace xpu_align
