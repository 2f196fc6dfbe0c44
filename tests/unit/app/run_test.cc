#include "app/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / "run_test";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  int Code(const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    const int code = xpu_align::Run(arguments, {{"HOME", folder_.string()}, {"SOURCE_DATE_EPOCH", "1796018400"}}, out, err);
    err_ = err.str();
    return code;
  }

  fs::path folder_;
  std::string err_;
};

TEST_F(RunTest, StageInAFolderWithoutAScanStopsAndWritesNothing) {
  const fs::path empty = folder_ / "empty";
  fs::create_directory(empty);
  for (const char* command : {"filter", "compose", "execute", "judge", "settle", "report"}) {
    EXPECT_EQ(Code({command, empty.string()}), 74) << command;
    EXPECT_NE(err_.find("run collect first"), std::string::npos) << command << ": " << err_;
    EXPECT_TRUE(fs::is_empty(empty)) << command;
  }
}

TEST_F(RunTest, FolderThatIsGoneIsOneSentence) {
  const fs::path before = fs::current_path(), gone = folder_ / "gone";
  fs::create_directory(gone);
  fs::current_path(gone);
  fs::remove(gone);
  const int code = Code({"run", "--since", "2026-11-28"});
  fs::current_path(before);
  EXPECT_EQ(code, 74);
  EXPECT_NE(err_.find("the current folder can not be read"), std::string::npos) << err_;
}

}  // namespace
}  // namespace xpu_align
