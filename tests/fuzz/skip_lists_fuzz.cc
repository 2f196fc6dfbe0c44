// Any text as a skip list and as a commit message: a skipped test has a file, a name and a line of the text, trackers are
// issue numbers; a trailer is one line with a key of ours; both are bounded.
#include "compose/skip_lists.h"
#include "fuzz/properties.h"
#include "pipeline/commit_trailers.h"
#include "text/pattern.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string text(TextOf(data, size));
  const auto tests = SkippedTestsIn(UntrustedText(text), "intel/torch-xpu-ops");
  CHECK(tests.size() <= 20'000);
  for (const SkippedTest& test : tests) {
    CHECK(!test.file.Empty() && !test.test.Empty());
    CHECK(test.line >= 1 && test.line <= Lines(text) + 1);
    for (const int64_t tracker : test.trackers) CHECK(tracker > 0 && tracker < 10'000'000'000);
  }
  static const Pattern key = Pattern::Constant("^[a-z-]+$");
  const auto trailers = TrailersIn(UntrustedText(text));
  CHECK(trailers.size() <= 50);
  for (const Trailer& trailer : trailers) {
    CHECK(key.FoundIn(trailer.key) && !trailer.value.Empty());
    CHECK(trailer.value.ForMatching().find('\n') == std::string_view::npos);
  }
  return 0;
}
