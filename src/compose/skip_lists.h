// Reads the skip lists of a test repository: Python files whose dictionaries name, for each test file, the tests that
// fail on the device. Pure; never executes anything, and passes over what it does not understand. Called by collect
// through src/app.
#pragma once
#include <string>
#include <vector>

#include "text/untrusted_text.h"

namespace xpu_align {

struct SkippedTest {
  UntrustedText file;             // as the list names it, without what an f-string fills in and without "../"
  UntrustedText test;             // a name, or a pattern as pytest -k takes it
  int line = 0;                   // of the list, 1-based
  std::vector<int64_t> trackers;  // issues of the same repository that the comment beside it names
};

// `repository` is OWNER/NAME. A file without tests (None) is not skipped and gives nothing. At most 20,000.
std::vector<SkippedTest> SkippedTestsIn(const UntrustedText& list, std::string_view repository);

// skip_list_*.py, *_skip_dict.py: the last part of a path.
bool IsSkipList(const UntrustedText& name);

}  // namespace xpu_align
