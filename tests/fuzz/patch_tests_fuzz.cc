// Any patch of a test file: tests that are cut out of it parse, lie inside it and are called by their own names; the
// imports that it shows are import statements; a slice that is complete parses together with them.
#include "compose/patch_tests.h"
#include "compose/repairs.h"
#include "compose/test_slice.h"
#include "fuzz/properties.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  static const RuleSet& rules = RulesOf("xpu");
  const std::string patch(TextOf(data, size));
  const int lines = static_cast<int>(SplitLines(patch).size());
  const PatchTests found = TestsOfPatch(patch);
  for (const PatchTest& test : found.tests) {
    CHECK(PythonTree::Parse(test.code).WellFormed());
    CHECK(test.name.starts_with("test_") && test.code.contains("def " + test.name + "("));
    CHECK(1 <= test.first_line && test.first_line <= test.last_line && test.last_line <= lines);
    for (const std::string& line : TestRunner(test)) CHECK(IsOneLine(line));
  }
  for (const auto& [local, statement] : found.imports) {
    CHECK(statement.starts_with("import") || statement.starts_with("from"));
    CHECK(PythonTree::Parse(statement + "\n").WellFormed());
  }
  Details details{.id = CandidateId::OfPullRequest(8)};
  details.files.push_back({.path = UntrustedText("test/test_flip.py"), .status = "modified", .patch = UntrustedText(patch)});
  const auto slice = SliceTest(details, rules.target);
  CHECK(slice.has_value() == !found.tests.empty());
  if (!slice) return 0;
  std::string whole;
  for (const std::string& import : slice->imports) whole += import + "\n";
  CHECK(PythonTree::Parse(whole + slice->test.code).WellFormed());
  CHECK(slice->span.part == "patch:test/test_flip.py" && slice->span.last_line <= lines);
  return 0;
}
