// Golden files: tests/golden/<name> holds what a renderer must give. UPDATE_GOLDEN=1 rewrites them on a
// developer's machine and is refused where CI is set, so that a run in CI can only compare.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace xpu_align {

inline void ExpectGolden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(SOURCE_ROOT) + "/tests/golden/" + name;
  if (std::getenv("UPDATE_GOLDEN")) {
    ASSERT_EQ(std::getenv("CI"), nullptr) << "UPDATE_GOLDEN is refused in CI";
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; make it with UPDATE_GOLDEN=1 and read it";
  EXPECT_EQ(actual, std::string(std::istreambuf_iterator<char>(file), {})) << path;
}

}  // namespace xpu_align
