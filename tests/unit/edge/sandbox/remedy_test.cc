#include "edge/sandbox/remedy.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace xpu_align::sandbox {
namespace {

constexpr const char* kRefused = "unshare: Operation not permitted";

// Docker's default filter over Ubuntu's default sysctl: lifting the sysctl alone would not help.
TEST(RemedyTest, OneSettingIsNamedAndItIsTheOuterOne) {
  const std::map<std::string, MachineFacts> cases{
      {"run outside", {.in_chroot = true, .filtered = true}},
      {"--security-opt seccomp=unconfined", {.filtered = true, .restricted_by_apparmor = true}},
      {"sysctl kernel.unprivileged_userns_clone=1", {.clone_switched_off = true, .restricted_by_apparmor = true}},
      {"sysctl kernel.apparmor_restrict_unprivileged_userns=0", {.restricted_by_apparmor = true}},
      {"security module", {}}};
  for (const auto& [setting, facts] : cases) {
    const std::string remedy = RemedyFor(kRefused, facts);
    for (const auto& [other, unused] : cases)
      EXPECT_EQ(remedy.find(other) != std::string::npos, other == setting) << remedy;
  }
}

TEST(RemedyTest, StepDecidesBeforeTheMachine) {
  const MachineFacts filtered{.filtered = true};
  EXPECT_NE(RemedyFor("unshare: No space left on device", filtered).find("user.max_user_namespaces"),
            std::string::npos);
  EXPECT_NE(RemedyFor("mount proc: Operation not permitted", filtered).find("systempaths=unconfined"),
            std::string::npos);
  EXPECT_NE(RemedyFor("mount_setattr /usr: Function not implemented", filtered).find("Linux 5.12"), std::string::npos);
  EXPECT_NE(RemedyFor("mount tmpfs /: Permission denied", filtered).find("apparmor=unconfined"), std::string::npos);
  EXPECT_EQ(RemedyFor("pivot_root: Invalid argument", filtered), "");
}

}  // namespace
}  // namespace xpu_align::sandbox
