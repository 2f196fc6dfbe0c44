#include "edge/recording/secret_scan.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

const std::string kToken = "tok-3nNotReal";

TEST(SecretScan, FindsTheTokenInEveryForm) {
  const SecretScan scan(kToken);
  // Written by hand: echo -n ... | xxd -p, | base64, with zero, one and two bytes in front.
  for (const std::string& form : {
           kToken,
           std::string("746f6b2d336e4e6f745265616c"),
           std::string("746F6B2D336E4E6F745265616C"),
           std::string("%74%6f%6b%2d%33%6e%4e%6f%74%52%65%61%6c"),
           std::string("%74%6F%6B%2D%33%6E%4E%6F%74%52%65%61%6C"),
           std::string("dG9rLTNuTm90UmVhbA=="),          // the token
           std::string("YTp0b2stM25Ob3RSZWFs"),          // a:token
           std::string("eDp5OnRvay0zbk5vdFJlYWw="),      // x:y:token
           std::string(R"(\u0074ok-3nNot\u0052eal)"),    // as JSON may write it
       }) {
    const auto found = scan.FindIn("before " + form + " after");
    ASSERT_TRUE(found) << form;
    EXPECT_FALSE(found->contains(kToken)) << "a message must not show the token";
  }
}

TEST(SecretScan, FindsTokensOfGithubWithoutKnowingThem) {
  const SecretScan scan("");
  // In two parts, so that no scanner of this repository takes them for real ones.
  for (const char* prefix : {"ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_"})
    EXPECT_TRUE(scan.FindIn("x=" + std::string(prefix) + "0123456789abcdefghijABCDEFGHIJ012345")) << prefix;
  EXPECT_TRUE(scan.FindIn(R"({"body": "\u0067hp_0123456789abcdefghijABCDEFGHIJ012345"})"));
}

TEST(SecretScan, NearMissesAreClean) {
  const SecretScan scan(kToken);
  for (const char* text : {"", "tok-3nNotRea", "ghp_short", "the prefix ghp_ of a token", "github_pat_",
                           "sigh_0123456789abcdefghijABCDEFGHIJ012345", "aHR0cHM6Ly9leGFtcGxlLmludmFsaWQ="})
    EXPECT_FALSE(scan.FindIn(text)) << text;
}

TEST(SecretScan, AShortTokenIsNotLookedFor) { EXPECT_FALSE(SecretScan("t").FindIn("a text with t in it")); }

}  // namespace
}  // namespace xpu_align
