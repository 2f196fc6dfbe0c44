#include "filter/script_key.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

std::string KeyOf(const std::string& body, const std::string& comment = "") {
  Details details{.id = CandidateId::OfIssue(1), .body = UntrustedText(body)};
  if (!comment.empty()) details.comments.push_back({.body = UntrustedText(comment)});
  return ScriptKeyOf(details);
}

const std::string kScript = "import torch\nx = torch.ones(2)\nprint(x.ring())\n";

TEST(ScriptKeyTest, SurroundingsSpacesAndCommentsDoNotCount) {
  const std::string key = KeyOf("```python\n" + kScript + "```\n");
  EXPECT_EQ(key.size(), 64u);
  EXPECT_EQ(KeyOf("Hi\n~~~\n" + kScript + "~~~\nthanks"), key);
  EXPECT_EQ(KeyOf("````py\n# a comment\nimport torch  \r\n\nx = torch.ones(2)\r\nprint(x.ring())\r\n````"), key);
  EXPECT_EQ(KeyOf("see below", "```\n" + kScript + "```"), key);
}

TEST(ScriptKeyTest, OtherCodeAndIndentationDo) {
  const std::string key = KeyOf("```python\n" + kScript + "```\n");
  EXPECT_NE(KeyOf("```\nimport torch\nx = torch.ones(3)\nprint(x.ring())\n```"), key);
  EXPECT_NE(KeyOf("```\nimport torch\nx = torch.ones(2)\n  print(x.ring())\n```"), key);
}

TEST(ScriptKeyTest, WhatIsNoScriptHasNoKey) {
  EXPECT_EQ(KeyOf(kScript), "");                                       // no fence
  EXPECT_EQ(KeyOf("```\nimport torch\ntorch.ones(2)\n```"), "");        // says nothing
  EXPECT_EQ(KeyOf("```\nCollecting environment\n1\n2\n3\n```"), "");    // a log
  EXPECT_EQ(KeyOf("```python\n" + kScript), "");                       // never closed
  EXPECT_EQ(KeyOf(""), "");
}

TEST(ScriptKeyTest, TheLongestScriptCounts) {
  const std::string longer = kScript + "print(x.sum())\n";
  EXPECT_EQ(KeyOf("```\n" + kScript + "```\n```\n" + longer + "```"), KeyOf("```\n" + longer + "```"));
}

}  // namespace
}  // namespace xpu_align
