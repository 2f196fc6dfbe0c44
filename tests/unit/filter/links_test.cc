#include "filter/links.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

// "closes issue-1, mentions pr-2"
std::string Links(const std::string& text) {
  std::string out;
  for (const Link& link : LinksInText(UntrustedText(text), "pytorch/pytorch"))
    out += (out.empty() ? "" : ", ") + link.kind + " " + link.target;
  return out;
}

const std::string kSha(40, 'b');

TEST(LinksInTextTest, ClosingKeywords) {
  EXPECT_EQ(Links("Fixes #12"), "closes issue-12");
  EXPECT_EQ(Links("This closes: #12."), "closes issue-12");
  EXPECT_EQ(Links("fixed pytorch/pytorch#12, resolves https://github.com/pytorch/pytorch/issues/13"),
            "closes issue-12, closes issue-13");
  EXPECT_EQ(Links("Fixes #1, #2 and #3; see #4"), "closes issue-1, closes issue-2, closes issue-3, mentions issue-4");
  EXPECT_EQ(Links("Fix issue #12"), "closes issue-12");
}

TEST(LinksInTextTest, WhatIsNotClosing) {
  EXPECT_EQ(Links("does not fix #12"), "mentions issue-12");
  EXPECT_EQ(Links("partially fixes #12"), "mentions issue-12");
  EXPECT_EQ(Links("prefix #12"), "mentions issue-12");
  EXPECT_EQ(Links("Fixes #ISSUE_NUMBER"), "");
  EXPECT_EQ(Links("same as #12 and https://github.com/pytorch/pytorch/pull/13"), "mentions issue-12, mentions pr-13");
}

TEST(LinksInTextTest, OtherRepositoriesAndLookAlikes) {
  EXPECT_EQ(Links("Fixes intel/torch-xpu-ops#12"), "");
  EXPECT_EQ(Links("Fixes https://github.com/intel/torch-xpu-ops/issues/12"), "");
  EXPECT_EQ(Links("see https://example.com/x#12, color&#39; ##7 a#5 #0"), "");
  EXPECT_EQ(Links("Fixes PyTorch/PyTorch#12"), "closes issue-12");
}

TEST(LinksInTextTest, FencesAndQuotesSayNothing) {
  EXPECT_EQ(Links("```\nFixes #1\n```\nFixes #2\n~~~\n```\nFixes #3\n~~~\n> Fixes #4"), "closes issue-2");
}

TEST(LinksInTextTest, TrunkCommitNamesItsPullRequest) {
  EXPECT_EQ(Links("Fix ring\n\nFixes #5\nPull Request resolved: https://github.com/pytorch/pytorch/pull/6\nApproved by: x"),
            "closes issue-5, resolved-by pr-6");
}

TEST(LinksInTextTest, RevertsRelandsAndCherryPicks) {
  EXPECT_EQ(Links("Revert \"Fix ring (#5)\""), "reverts issue-5");
  EXPECT_EQ(Links("Revert \"Fix ring (#5)\" (#6)"), "reverts issue-5, resolved-by issue-6");
  EXPECT_EQ(Links("[Reland] Fix ring (#5)"), "relands issue-5");
  EXPECT_EQ(Links("Reapply \"Fix ring (#5)\""), "relands issue-5");
  EXPECT_EQ(Links("This reverts commit " + kSha + "."), "reverts " + kSha);
  EXPECT_EQ(Links("Reverts pytorch/pytorch#5"), "reverts issue-5");
  EXPECT_EQ(Links("(cherry picked from commit " + kSha + ")"), "cherry-picks " + kSha);
  EXPECT_EQ(Links("Cherry-picks #5"), "cherry-picks issue-5");
}

TEST(LinksInTextTest, GhstackListIsTheStack) {
  EXPECT_EQ(Links("Stack from [ghstack](https://example.org) (oldest at bottom):\n* #9\n* __->__ #8\n* #7\n\nFixes #3\n* #2"),
            "stack pr-9, stack pr-8, stack pr-7, closes issue-3, mentions issue-2");
}

TEST(LinksInTextTest, ATargetKeepsItsStrongestKind) {
  EXPECT_EQ(Links("About #5.\nFixes #5\nsee #5"), "closes issue-5");
}

TEST(LinksInTextTest, HostileTextIsRead) {
  EXPECT_EQ(Links(std::string(100000, '#')), "");
  std::string numbers;
  for (int i = 1; i <= 100000; ++i) numbers += " #" + std::to_string(i);
  EXPECT_EQ(LinksInText(UntrustedText(numbers), "pytorch/pytorch").size(), 100000u);
  EXPECT_EQ(Links("Fixes #9999999999999999999999"), "");
  EXPECT_EQ(Links("\xff\xfe Fixes #5"), "closes issue-5");
}

TEST(LinksInTextTest, OtherWordsThatSayTheSameMatter) {
  EXPECT_EQ(Links("Addresses #5 and #6"), "closes issue-5, closes issue-6");
  EXPECT_EQ(Links("partially addresses #5"), "mentions issue-5");
  EXPECT_EQ(Links("Duplicate of #5"), "duplicates issue-5");
  EXPECT_EQ(Links("closing as a dup of https://github.com/pytorch/pytorch/issues/5"), "duplicates issue-5");
  EXPECT_EQ(Links("not a duplicate of #5"), "mentions issue-5");
}

}  // namespace
}  // namespace xpu_align
