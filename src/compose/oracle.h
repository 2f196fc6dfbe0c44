// Oracle: what the failure of a script must look like, taken from the report and from the script itself,
// best evidence first. Kind none means that the report states no failure. Called by composer.
#pragma once
#include <optional>
#include <string>

#include "compose/names.h"
#include "model/composition.h"
#include "model/details.h"

namespace xpu_align {

// Two module-level expressions of the script that must agree.
struct ComparisonPair {
  std::string reference, actual;
};

struct FoundOracle {
  Oracle oracle;
  std::optional<ComparisonPair> pair;  // to be compared by the epilogue
  bool asserts = false;  // the script checks itself: assert, assert_close, self.assertX, raise AssertionError
};

FoundOracle OracleOf(const Details& details, const PythonTree& script, const Names& names);

}  // namespace xpu_align
