// Any diff of a test file, with and without the file's new text: a test has a name that begins like one, a class that is a
// name, and was added or modified; none is said twice; a diff of another file has no tests.
#include <set>

#include "fuzz/properties.h"
#include "pipeline/changed_tests.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

void CheckTests(const ChangedFile& file, const std::optional<UntrustedText>& new_text) {
  static const Pattern name = Pattern::Constant(R"(^test\w*$)");
  static const Pattern class_name = Pattern::Constant(R"(^\w*$)");
  std::set<std::pair<UntrustedText, UntrustedText>> seen;
  for (const ChangedTest& test : TestsIn(file, new_text)) {
    CHECK(name.FoundIn(test.name.ForMatching()) && class_name.FoundIn(test.class_name.ForMatching()));
    CHECK(test.change == "added" || test.change == "modified");
    CHECK(test.path == file.path);
    CHECK(seen.insert({test.class_name, test.name}).second);
  }
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string patch(TextOf(data, size));
  ChangedFile file{.path = UntrustedText("test/test_ring.py"), .status = "modified", .patch = UntrustedText(patch)};
  CheckTests(file, std::nullopt);
  CheckTests(file, UntrustedText(patch));
  CheckTests(file, UntrustedText(""));
  file.path = UntrustedText("torch/ring.py");
  CHECK(TestsIn(file, std::nullopt).empty());
  return 0;
}
