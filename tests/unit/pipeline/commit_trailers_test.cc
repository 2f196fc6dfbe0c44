#include "pipeline/commit_trailers.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

std::string Shown(const std::string& message) {
  std::string text;
  for (const Trailer& trailer : TrailersIn(UntrustedText(message)))
    text += trailer.key + "=" + std::string(trailer.value.ForMatching()) + "\n";
  return text;
}

TEST(TrailersIn, WhatToolsWrite) {
  EXPECT_EQ(Shown("Fix foo (#12)\n\nText.\n\nghstack-source-id: 0123abc\nghstack-comment-id: 77\n"
                  "Pull Request resolved: https://github.com/pytorch/pytorch/pull/12\nApproved by: https://github.com/ann, bob\n"
                  "Differential Revision: D1\nReviewed-by: Ann <ann@example.com>\nCo-authored-by: Bob <b@example.com> \n"
                  "This reverts commit 0123456789012345678901234567890123456789.\nReverts: 0123456\n"),
            "ghstack-source-id=0123abc\nghstack-comment-id=77\n"
            "pull-request-resolved=https://github.com/pytorch/pytorch/pull/12\napproved-by=https://github.com/ann, bob\n"
            "differential-revision=D1\nreviewed-by=Ann\nco-authored-by=Bob\n"
            "reverts=0123456789012345678901234567890123456789\nreverts=0123456\n");
}

TEST(TrailersIn, ProseTitlesAndUnknownKeysAreNone) {
  EXPECT_EQ(Shown("Reviewed-by: somebody\n\nThe text says Reviewed-by: ann in its middle.\nTest Plan: CI\n"
                  "Reviewed-by:\nthis reverts commits of last week\n"),
            "");
  EXPECT_EQ(Shown(""), "");
}

TEST(TrailersIn, AreBounded) {
  std::string message = "t\n\n";
  for (int i = 0; i < 100; ++i) message += "Reviewed-by: a\n";
  EXPECT_EQ(TrailersIn(UntrustedText(message)).size(), 50u);
}

}  // namespace
}  // namespace xpu_align
