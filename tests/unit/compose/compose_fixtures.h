// What the tests of compose share: embedded profiles, the embedded precheck rules, details made of a few
// strings, a composer for a named target.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "compose/composer.h"
#include "json/json.h"
#include "rules/embedded.h"

namespace xpu_align {

inline TargetProfile ProfileNamed(const std::string& name) {
  const auto json = ParseJson(rules::Embedded("rules/targets/" + name + ".json"));
  EXPECT_TRUE(json) << name;
  auto profile = TargetProfileFromJson(*json);
  EXPECT_TRUE(profile) << name << ": " << profile.error().message;
  return *profile;
}

inline Json PrecheckJson() { return *ParseJson(rules::Embedded("rules/precheck.json")); }

inline Composer ComposerFor(const std::string& target) {
  return std::move(*Composer::Make(ProfileNamed(target), ProfileNamed("cpu"), PrecheckJson()));
}

inline Details Issue(const std::string& body, const std::string& title = "sum gives a wrong result") {
  Details details{.id = CandidateId::OfIssue(7), .title = UntrustedText(title)};
  details.url = "https://github.com/pytorch/pytorch/issues/7";
  details.author = UntrustedText("reporter");
  details.body = UntrustedText(body);
  return details;
}

inline Details PullRequestWithTest(const std::string& patch) {
  Details details{.id = CandidateId::OfPullRequest(8), .title = UntrustedText("Fix flip of empty input")};
  details.url = "https://github.com/pytorch/pytorch/pull/8";
  details.files.push_back({.path = UntrustedText("test/test_flip.py"), .status = "modified"});
  details.files.back().patch = UntrustedText(patch);
  return details;
}

inline std::string Fence(const std::string& code, const std::string& language = "python") {
  return "```" + language + "\n" + code + "```\n";
}

}  // namespace xpu_align
