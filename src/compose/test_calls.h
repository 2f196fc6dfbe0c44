// Scripts that are written as tests: `unittest.main()` hides a failure behind an exit status, and a test
// that nothing calls never runs. Both become plain calls whose failure ends the script. Called by composer.
#pragma once
#include <string>
#include <vector>

#include "compose/edit_list.h"
#include "compose/names.h"

namespace xpu_align {

// Replaces calls of unittest.main and run_tests.
void EditTestMain(const PythonTree& tree, const Names& names, EditList* edits);

// Lines that run the tests which the script defines and never runs; empty when there are none.
std::vector<std::string> CallsOfUnrunTests(const PythonTree& tree, const Names& names);

}  // namespace xpu_align
