// Which of the references that a server advertises a night needs: trunk, nightly, release branches, the heads of some
// pull requests, and the base branches of those that ghstack made. Pure; never a pattern, so that a name with odd bytes
// is passed over here and reaches no file. Used by fetch.cc.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xpu_align {

struct AdvertisedRef {
  std::string_view name;
  std::string_view id;  // comparable, any form
};

struct WantedRefs {
  std::vector<std::string> names;                 // sorted, each once
  std::map<int64_t, std::string> ghstack_bases;   // pull request -> refs/heads/gh/<user>/<n>/base
};

// ghstack's head branch gh/<user>/<n>/head is at the same commit as the head of its pull request.
WantedRefs Wanted(std::span<const AdvertisedRef> advertised, const std::string& trunk_branch,
                  std::span<const int64_t> pull_requests);

}  // namespace xpu_align
