#include "edge/git/wanted_refs.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

TEST(Wanted, TrunkNightlyReleasesAndTheHeadsThatWereAskedFor) {
  const std::vector<AdvertisedRef> refs{{"HEAD", "1"},
                                        {"refs/heads/feature", "2"},
                                        {"refs/heads/main", "1"},
                                        {"refs/heads/nightly", "3"},
                                        {"refs/heads/release/2.14", "4"},
                                        {"refs/pull/7/head", "5"},
                                        {"refs/pull/7/merge", "6"},
                                        {"refs/pull/70/head", "7"},
                                        {"refs/tags/v2.14.0", "4"}};
  const std::vector<int64_t> pulls{7, 999};
  EXPECT_EQ(Wanted(refs, "main", pulls).names,
            (std::vector<std::string>{"refs/heads/main", "refs/heads/nightly", "refs/heads/release/2.14", "refs/pull/7/head"}));
}

TEST(Wanted, OfGhstackOnlyTheBasesOfWhatWasAskedFor) {
  const std::vector<AdvertisedRef> refs{{"refs/heads/gh/ann/1/base", "a"}, {"refs/heads/gh/ann/1/head", "b"},
                                        {"refs/heads/gh/ann/2/base", "c"}, {"refs/heads/gh/ann/2/head", "d"},
                                        {"refs/heads/gh/bob/9/head", "e"}, {"refs/pull/21/head", "b"},
                                        {"refs/pull/22/head", "d"},        {"refs/pull/23/head", "e"}};
  const std::vector<int64_t> pulls{22, 23};
  const WantedRefs wanted = Wanted(refs, "main", pulls);
  EXPECT_EQ(wanted.names, (std::vector<std::string>{"refs/heads/gh/ann/2/base", "refs/pull/22/head", "refs/pull/23/head"}));
  // 23 is of ghstack, too, but the server has no base for it.
  EXPECT_EQ(wanted.ghstack_bases, (std::map<int64_t, std::string>{{22, "refs/heads/gh/ann/2/base"}}));
}

TEST(Wanted, NamesWithOddBytesArePassedOver) {
  const std::string escape = "refs/heads/release/\x1b[31m", long_name = "refs/heads/release/" + std::string(300, 'x');
  std::vector<AdvertisedRef> refs{{escape, "1"}, {long_name, "1"}};
  for (const char* name : {"refs/heads/release/../../config", "refs/heads/release/.git", "refs/heads/release/a//b",
                           "refs/heads/release/x.lock", "refs/heads/release/a b", "refs/heads/release/*",
                           "refs/heads/release/", "refs/heads/release/\xff", "refs/heads/release/a:b", "refs/heads/release/."})
    refs.push_back({name, "1"});
  EXPECT_EQ(Wanted(refs, "main", {}).names, std::vector<std::string>{});
}

TEST(Wanted, AMillionReferencesGiveNoMoreThanWasAskedFor) {
  std::vector<std::string> names;
  for (int i = 0; i < 500'000; ++i) {
    names.push_back("refs/pull/" + std::to_string(i) + "/head");
    names.push_back("refs/heads/release/" + std::to_string(i));
  }
  std::vector<AdvertisedRef> refs;
  for (const std::string& name : names) refs.push_back({name, "1"});
  const std::vector<int64_t> pulls{1, 499'999};
  const WantedRefs wanted = Wanted(refs, "main", pulls);
  EXPECT_EQ(wanted.names.size(), 102u);  // 100 release branches
}

}  // namespace
}  // namespace xpu_align
