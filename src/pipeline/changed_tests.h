// The test functions that a diff adds or changes, read from its hunks and, where it is at hand, from the new
// text of the file. Pure; Python only. Used by the collect stage.
#pragma once
#include <optional>
#include <vector>

#include "model/details.h"

namespace xpu_align {

// test/**.py, test_*.py, *_test.py.
bool IsTestFile(const UntrustedText& path);

// Without `new_text`, a change whose `def` line is outside the hunk is not found. A definition that comes
// and goes in one patch is modified, not added. In the order of the file, each test once.
std::vector<ChangedTest> TestsIn(const ChangedFile& file, const std::optional<UntrustedText>& new_text);

}  // namespace xpu_align
