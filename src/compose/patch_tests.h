// Test functions that a patch adds as a whole, cut out of its hunks, and the imports that the hunks show.
// Called by test_slice.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xpu_align {

enum class TestStyle { kMethod, kFunction };

struct PatchTest {
  std::string name;
  TestStyle style = TestStyle::kFunction;
  std::string code;  // with its decorators, moved to the left margin
  int first_line = 0, last_line = 0;  // of the patch text
};

struct PatchTests {
  std::vector<PatchTest> tests;
  std::map<std::string, std::string> imports;  // local name -> import statement that gives it
};

PatchTests TestsOfPatch(std::string_view patch);

}  // namespace xpu_align
