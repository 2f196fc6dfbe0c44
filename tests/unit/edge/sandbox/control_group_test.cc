#include "edge/sandbox/control_group.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace xpu_align::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVersion1 =
    "30 25 0:26 / /sys/fs/cgroup ro,nosuid - tmpfs tmpfs ro,mode=755\n"
    "31 30 0:27 / /sys/fs/cgroup/unified rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
    "32 30 0:28 / /sys/fs/cgroup/memory rw,nosuid shared:5 - cgroup cgroup rw,memory\n"
    "33 30 0:29 / /sys/fs/cgroup/pids rw,nosuid - cgroup cgroup rw,pids\n";
constexpr const char* kVersion2 = "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

TEST(GroupPlacesTest, Version1HasAFolderForEachController) {
  const std::vector<GroupPlace> expected{{"/sys/fs/cgroup/memory/user/7", "memory.limit_in_bytes", ""},
                                         {"/sys/fs/cgroup/pids", "", "pids.max"}};
  EXPECT_EQ(GroupPlaces(kVersion1, "8:pids:/\n4:memory:/user/7\n0::/x\n"), expected);
}

TEST(GroupPlacesTest, Version1MountedTogetherIsOneFolder) {
  const std::vector<GroupPlace> expected{{"/cg/both/a", "memory.limit_in_bytes", "pids.max"}};
  EXPECT_EQ(GroupPlaces("32 30 0:28 / /cg/both rw - cgroup cgroup rw,memory,pids\n", "4:memory,pids:/a\n"), expected);
}

TEST(GroupPlacesTest, Version2IsOneFolder) {
  const std::vector<GroupPlace> expected{{"/sys/fs/cgroup/user.slice/run-1.scope", "memory.max", "pids.max"}};
  EXPECT_EQ(GroupPlaces(kVersion2, "0::/user.slice/run-1.scope\n"), expected);
  const std::vector<GroupPlace> top{{"/sys/fs/cgroup", "memory.max", "pids.max"}};
  EXPECT_EQ(GroupPlaces(kVersion2, "0::/\n"), top);
}

TEST(GroupPlacesTest, ContainerShowsItsOwnGroupAsTheRootOfTheMount) {
  const std::string mount = "30 25 0:26 /docker/ab /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw\n";
  const std::vector<GroupPlace> expected{{"/sys/fs/cgroup/inner", "memory.max", "pids.max"}};
  EXPECT_EQ(GroupPlaces(mount, "0::/docker/ab/inner\n"), expected);
  EXPECT_TRUE(GroupPlaces(mount, "0::/docker/abc\n").empty());
  EXPECT_TRUE(GroupPlaces(kVersion2, "0::/../outside\n").empty());
}

TEST(GroupPlacesTest, NothingKnownIsNoPlace) {
  EXPECT_TRUE(GroupPlaces("", "").empty());
  EXPECT_TRUE(GroupPlaces("x\n1 2 3 - cgroup2\n", "0::/\n").empty());
  EXPECT_TRUE(GroupPlaces(kVersion1, "8:pids:/\n").empty());
}

TEST(ControlGroupTest, PlaceThatIsNoHierarchyGivesNoneAndStaysEmpty) {
  const fs::path top = fs::temp_directory_path() / ("control_group_test." + std::to_string(::getpid()));
  fs::create_directories(top);
  EXPECT_FALSE(ControlGroup::Make({{top, "memory.max", "pids.max"}}, 10).made());
  EXPECT_TRUE(fs::is_empty(top));
  EXPECT_FALSE(ControlGroup::Make({{top / "absent", "memory.max", "pids.max"}}, 10).made());
  EXPECT_FALSE(ControlGroup::Make({}, 10).made());
  fs::remove_all(top);
}

}  // namespace
}  // namespace xpu_align::sandbox
