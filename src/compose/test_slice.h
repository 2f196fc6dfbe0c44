// Test slice: a test function that a patch adds, made to run alone: gates removed, parameters given a
// value, the imports it needs, a small TestCase. Refused, naming it, when it needs a name that is not known.
// Called by composer.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compose/edit_list.h"
#include "compose/patch_tests.h"
#include "model/details.h"
#include "model/target_profile.h"

namespace xpu_align {

struct TestSlice {
  PatchTest test;
  SourceSpan span;
  std::vector<std::string> imports;  // lines for the prelude
  std::string missing;  // the first name that is neither builtin, imported nor in the table; empty: complete
};

// The first complete one, else the first; empty when no patch adds a test function.
std::optional<TestSlice> SliceTest(const Details& details, const TargetProfile& target);

// The edits that make the function independent of its test file. Notes say what was chosen.
void EditTest(const PythonTree& tree, const TargetProfile& target, EditList* edits, std::vector<std::string>* notes);

// Lines that run the test so that its failure is the failure of the script.
std::vector<std::string> TestRunner(const PatchTest& test);

}  // namespace xpu_align
