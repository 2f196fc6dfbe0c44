#include "edge/git/wanted_refs.h"

#include <algorithm>
#include <set>

namespace xpu_align {
namespace {

constexpr size_t kMaxReleases = 100;
constexpr std::string_view kRelease = "refs/heads/release/", kGhstack = "refs/heads/gh/";
constexpr std::string_view kHead = "/head", kBase = "/base";

// What a branch is called by people; everything else is left alone.
bool IsPlain(std::string_view name) {
  const auto plain = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._/").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return name.size() <= 200 && std::ranges::all_of(name, plain) && name.find("..") == std::string_view::npos &&
         name.find("//") == std::string_view::npos && name.find("/.") == std::string_view::npos &&
         name.find(".lock") == std::string_view::npos && !name.ends_with('/') && !name.ends_with('.');
}

}  // namespace

WantedRefs Wanted(std::span<const AdvertisedRef> advertised, const std::string& trunk_branch,
                  std::span<const int64_t> pull_requests) {
  std::set<std::string, std::less<>> names{"refs/heads/" + trunk_branch, "refs/heads/nightly"};
  std::map<std::string, int64_t, std::less<>> heads;
  for (const int64_t number : pull_requests) heads.emplace("refs/pull/" + std::to_string(number) + "/head", number);

  WantedRefs wanted;
  std::map<std::string_view, std::vector<int64_t>> by_id;  // two pull requests may have one head
  std::set<std::string_view> bases;
  size_t releases = 0;
  for (const AdvertisedRef& ref : advertised) {
    if (names.contains(ref.name)) wanted.names.emplace_back(ref.name);
    if (const auto head = heads.find(ref.name); head != heads.end()) {
      wanted.names.emplace_back(ref.name);
      by_id[ref.id].push_back(head->second);
    }
    if (ref.name.starts_with(kRelease) && IsPlain(ref.name) && releases++ < kMaxReleases)
      wanted.names.emplace_back(ref.name);
    if (ref.name.starts_with(kGhstack) && ref.name.ends_with(kBase) && IsPlain(ref.name)) bases.insert(ref.name);
  }
  for (const AdvertisedRef& ref : advertised) {
    if (!ref.name.starts_with(kGhstack) || !ref.name.ends_with(kHead)) continue;
    const auto found = by_id.find(ref.id);
    if (found == by_id.end()) continue;
    const std::string base = std::string(ref.name.substr(0, ref.name.size() - kHead.size())) + std::string(kBase);
    if (!bases.contains(base)) continue;
    wanted.names.push_back(base);
    for (const int64_t number : found->second) wanted.ghstack_bases.emplace(number, base);
  }
  std::ranges::sort(wanted.names);
  wanted.names.erase(std::ranges::unique(wanted.names).begin(), wanted.names.end());
  return wanted;
}

}  // namespace xpu_align
