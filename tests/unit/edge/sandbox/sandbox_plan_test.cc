#include "edge/sandbox/sandbox_plan.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace xpu_align::sandbox {
namespace {

namespace fs = std::filesystem;

class SandboxPlanTest : public testing::Test {
 protected:
  SandboxPlanTest() : top_(fs::temp_directory_path() / ("sandbox_plan_test." + std::to_string(::getpid()))) {
    fs::create_directories(top_);
  }
  ~SandboxPlanTest() override { fs::remove_all(top_); }

  void Touch(const fs::path& path, const std::string& text = "") {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  static bool Shows(const SandboxPlan& plan, const std::string& path) {
    for (const ReadOnlyTree& tree : plan.trees)
      if (path == tree.target || path.starts_with(tree.target + "/")) return true;
    return false;
  }

  fs::path top_;
};

TEST_F(SandboxPlanTest, VirtualEnvironmentShowsItselfAndItsBaseButNotItsNeighbours) {
  Touch(top_ / "base/bin/python3.12");
  Touch(top_ / "base/lib/python3.12/os.py");
  Touch(top_ / "home/venv/pyvenv.cfg", "home = " + (top_ / "base/bin").string() + "\nversion = 3.12\n");
  Touch(top_ / "home/venv/lib/python3.12/site-packages/torch.py");
  fs::create_directories(top_ / "home/venv/bin");
  fs::create_symlink(top_ / "base/bin/python3.12", top_ / "home/venv/bin/python");
  Touch(top_ / "home/venv/secret");
  Touch(top_ / "home/.ssh/id");
  const auto plan = PlanFor({.python = top_ / "home/venv/bin/python"}, {});
  ASSERT_TRUE(plan) << plan.error().message;
  for (const char* shown :
       {"home/venv/bin/python", "home/venv/pyvenv.cfg", "home/venv/lib/python3.12/site-packages/torch.py",
        "base/bin/python3.12", "base/lib/python3.12/os.py"})
    EXPECT_TRUE(Shows(*plan, top_ / shown)) << shown;
  for (const char* hidden : {"home/venv/secret", "home/.ssh/id", "home", ""})
    EXPECT_FALSE(Shows(*plan, top_ / hidden)) << hidden;
  for (const char* hidden : {"/etc/shadow", "/etc/passwd", "/root", "/home", "/var", "/tmp", "/proc", "/sys", "/run"})
    EXPECT_FALSE(Shows(*plan, hidden)) << hidden;
}

TEST_F(SandboxPlanTest, RootDirectoryShowsItsOwnTopLevelOnly) {
  Touch(top_ / "usr/bin/python3");
  Touch(top_ / "etc/passwd");
  Touch(top_ / "tmp/left");
  Touch(top_ / "root/secret");
  Touch(top_ / ".done");
  fs::create_symlink("usr/bin", top_ / "bin");
  const auto plan = PlanFor({.python_root = top_}, {});
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->trees.size(), 2u);
  EXPECT_EQ(plan->trees[0].source, top_ / "etc");
  EXPECT_EQ(plan->trees[0].target, "/etc");
  EXPECT_EQ(plan->trees[1].target, "/usr");
  EXPECT_EQ(plan->links, (std::map<std::string, std::string>{{"/bin", "usr/bin"}}));
}

TEST_F(SandboxPlanTest, SysIsShownOnlyBesideDeviceNodes) {
  EXPECT_FALSE(Shows(*PlanFor({.python = "/usr/bin/python3"}, {"/dev/no-such-device*"}), "/sys"));
  const auto plan = PlanFor({.python = "/usr/bin/python3"}, {"/dev/nul?", "/etc/*"});
  EXPECT_EQ(plan->device_nodes, std::vector<std::string>{"/dev/null"});  // files that are no devices are left out
  EXPECT_TRUE(Shows(*plan, "/sys"));
}

TEST_F(SandboxPlanTest, MissingInterpreterIsNamed) {
  EXPECT_EQ(PlanFor({.python = "/nowhere/python"}, {}).error().kind, ErrorKind::kConfig);
  EXPECT_EQ(PlanFor({.python_root = top_ / "none"}, {}).error().kind, ErrorKind::kConfig);
  EXPECT_TRUE(PlanFor({.python_root = top_}, {}).error().message.contains(top_.string() + "/usr/bin/python3"));
}

TEST_F(SandboxPlanTest, JsonKeepsEverything) {
  SandboxPlan plan = *PlanFor({.python = "/usr/bin/python3"}, {"/dev/null"});
  plan.memory_limit = MemoryLimit::kAddressSpace;
  plan.user = 1234;
  EXPECT_EQ(ToJson(SandboxPlanFromJson(ToJson(plan))), ToJson(plan));
}

}  // namespace
}  // namespace xpu_align::sandbox
