#include "compose/script_choice.h"

#include "compose/markdown_blocks.h"
#include "compose/python_tree.h"
#include "compose/repairs.h"
#include "unit/compose/compose_fixtures.h"

namespace xpu_align {
namespace {

TEST(MarkdownBlocksTest, FindsWhatGitHubRendersAsCodeWithItsLines) {
  const std::string text =
      "# Repro\n"            // 1
      "some `inline` code\n"  // 2
      "\n"                   // 3
      "````  Python title=x\n"  // 4
      "a = 1\n"              // 5
      "```\n"                // 6
      "b = 2\n"              // 7
      "`````\n"              // 8
      "<details><summary>log</summary>\n"  // 9
      "\n"                   // 10
      "~~~\n"                // 11
      "c = 3\n"              // 12
      "~~~\n"                // 13
      "\n"                   // 14
      "</details>\n"         // 15
      "\n"                   // 16
      "- item\n"             // 17
      "  ```py\n"            // 18
      "  d = 4\n"            // 19
      "  ```\n"              // 20
      "\n"                   // 21
      "text\n"               // 22
      "\n"                   // 23
      "    e = 5\n";         // 24
  const std::vector<MarkdownBlock> blocks = MarkdownBlocksOf(text);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0].language, "python");
  EXPECT_EQ(blocks[0].code, "a = 1\n```\nb = 2\n");
  EXPECT_EQ(blocks[0].first_line, 5);
  EXPECT_EQ(blocks[0].last_line, 7);
  EXPECT_EQ(blocks[0].heading, "Repro");
  EXPECT_EQ(blocks[0].lead, "some inline code");
  EXPECT_EQ(blocks[1].code, "c = 3\n");
  EXPECT_EQ(blocks[1].first_line, 12);
  EXPECT_EQ(blocks[2].code, "d = 4\n");
  EXPECT_EQ(blocks[2].language, "py");
  EXPECT_EQ(blocks[2].first_line, 19);
  EXPECT_EQ(blocks[3].code, "e = 5\n");
  EXPECT_EQ(blocks[3].first_line, 24);
}

TEST(RepairsTest, EachKindOfDamageIsRepairedAndNamed) {
  const struct {
    const char* broken;
    const char* code;
    const char* rule;
    int line;
  } cases[] = {
      {"x = \u2018a\u2019\n", "x = 'a'\n", "typographic-quotes", 1},
      {"x = 1\n~\n~\ny = 2\n", "x = 1\n\n\ny = 2\n", "tilde-line", 2},
      {"x = (1,\n     2)```\nmore prose here\n", "x = (1,\n     2)\n", "fence-at-line-end", 2},
      {"x = 1\n\n### Error logs\n\nIt is not there.\n", "x = 1\n\n", "template-heading", 3},
      {"x = [1,\n  2] // the second\n", "x = [1,\n  2]\n", "slash-comment", 2},
      {">>> x = 1\n>>> for i in y:\n...     print(i)\n...\n3\n", "x = 1\nfor i in y:\n    print(i)\n\n\n", "session-prompt", 1},
      {"    x = 1\n    if x:\n        y = 2\n", "x = 1\nif x:\n    y = 2\n", "dedent", 1},
  };
  for (const auto& one : cases) {
    const auto repaired = ParseableForm(one.broken);
    ASSERT_TRUE(repaired) << one.rule;
    EXPECT_EQ(repaired->code, one.code) << one.rule;
    ASSERT_EQ(repaired->repairs.size(), 1u) << one.rule;
    EXPECT_EQ(repaired->repairs[0].rule, one.rule);
    EXPECT_EQ(repaired->repairs[0].line, one.line) << one.rule;
  }
}

TEST(RepairsTest, WhatParsesIsNotTouchedAndWhatIsNoPythonIsRefused) {
  for (const char* good : {"x = 7 // 2\n", "s = \"\u2018\"\n", "# Versions\nx = 1\n"}) {
    const auto form = ParseableForm(good);
    ASSERT_TRUE(form) << good;
    EXPECT_EQ(form->code, good);
    EXPECT_TRUE(form->repairs.empty()) << good;
  }
  for (const char* bad : {"print 'old'\n", "RuntimeError: it broke\nat once\n", "def f(:\n", "", "   \n", "int main() { return 0; }\n"})
    EXPECT_FALSE(ParseableForm(bad)) << bad;
}

TEST(PythonTreeTest, DeepAndBinaryTextIsNoPython) {
  EXPECT_FALSE(PythonTree::Parse(std::string(5000, '(') + std::string(5000, ')')).WellFormed());
  EXPECT_FALSE(PythonTree::Parse(std::string("x = 1\0\n", 7)).WellFormed());
}

struct ChoiceCase {
  const char* name;
  std::string body;
  const char* code;  // null: nothing is chosen
};

TEST(ScriptChoiceTest, TheReproducerIsChosen) {
  const std::string torch_script = "import torch\nx = torch.ones(2)\n";
  const ChoiceCase cases[] = {
      {"one block", Fence(torch_script), torch_script.c_str()},
      {"output is no script", Fence("Traceback (most recent call last):\n  x\n") + Fence(torch_script) + Fence("tensor([1.])\n"),
       torch_script.c_str()},
      {"a language that is not Python", Fence("import torch\n", "cpp") + Fence("pip install torch\n", "bash"), nullptr},
      {"no language and no torch", Fence("x = 1\n", ""), nullptr},
      {"no language but torch", Fence(torch_script, ""), torch_script.c_str()},
      {"the one under the heading",
       "## Environment\n\n" + Fence("import torch\nprint(torch.__version__)\nprint(torch.__config__.show())\n") +
           "## To reproduce\n\n" + Fence(torch_script),
       torch_script.c_str()},
      {"later uses earlier", Fence("import torch\ndef f(x):\n    return x\n") + "Then call it\n\n" + Fence("f(torch.ones(2))\n"),
       "import torch\ndef f(x):\n    return x\nf(torch.ones(2))\n"},
      {"alternatives stay apart", "Code:\n\n" + Fence(torch_script) + "or\n\n" + Fence("import torch\ny = torch.zeros(3)\n"),
       torch_script.c_str()},
      {"working control, then failing",
       "This works:\n\n" + Fence("import torch\ntorch.ones(1)\n") + "However this gives an error:\n\n" +
           Fence("import torch\ntorch.ones(2)\n"),
       "import torch\ntorch.ones(2)\n"},
      {"no code", "It crashes.", nullptr},
      {"CRLF", "```python\r\nimport torch\r\nx = torch.ones(2)\r\n```\r\n", torch_script.c_str()},
  };
  for (const ChoiceCase& one : cases) {
    const auto script = ChooseScript(Issue(one.body));
    ASSERT_EQ(script.has_value(), one.code != nullptr) << one.name;
    if (script) {
      EXPECT_EQ(script->code, one.code) << one.name;
      EXPECT_TRUE(script->parses) << one.name;
    }
  }
}

TEST(ScriptChoiceTest, CommentsOfTheAuthorAndOfMembersCountAfterTheBody) {
  Details details = Issue("It fails, script below.");
  const auto say = [&details](const char* author, const char* association, const std::string& code) {
    details.comments.push_back({UntrustedText(author), association, "", UntrustedText("minimal script\n\n" + Fence(code))});
  };
  say("passer-by", "NONE", "import torch\ntorch.ones(1)\n");
  EXPECT_FALSE(ChooseScript(details));
  say("reporter", "NONE", "import torch\ntorch.ones(2)\n");
  const auto script = ChooseScript(details);
  ASSERT_TRUE(script);
  EXPECT_EQ(script->code, "import torch\ntorch.ones(2)\n");
  EXPECT_EQ(script->spans[0].part, "comment:1");
  EXPECT_EQ(script->spans[0].first_line, 4);
  EXPECT_EQ(script->spans[0].last_line, 5);
}

TEST(ScriptChoiceTest, AScriptThatNothingRepairsIsKeptAsSuch) {
  const auto script = ChooseScript(Issue(Fence("import torch\ndef f(:\n    pass\n")));
  ASSERT_TRUE(script);
  EXPECT_FALSE(script->parses);
}

}  // namespace
}  // namespace xpu_align
