// Any output of a script: normalising gives UTF-8, never more lines, the same bytes when it is done again, and nothing
// that depends on where a run was cut into lines; the tail is the end of it and within its limits.
#include "fuzz/properties.h"
#include "pipeline/normalise.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string output(TextOf(data, size));
  const std::string once = NormaliseOutput(output);
  CHECK(IsValidUtf8(once));
  CHECK(once.empty() || once.ends_with('\n'));
  CHECK(Lines(once) <= Lines(output) + 1);
  CHECK(NormaliseOutput(once) == once);
  CHECK(NormaliseOutput(output + "\n" + output) == NormaliseOutput(output + "\n") + once);
  const std::string tail = DecisiveTail(once);
  CHECK(once.ends_with(tail) && Lines(tail) <= 40 && tail.size() <= 8 << 10);
  if (Lines(once) <= 40 && once.size() <= 8 << 10) CHECK(tail == once);

  HarnessReport report{.exit_sync_error = output};
  report.exception = RaisedException{.type = "RuntimeError", .message = UntrustedText(output)};
  const HarnessReport normalised = NormaliseReport(report);
  CHECK(normalised.exit_sync_error == normalised.exception->message.ForMatching());
  CHECK(ToJson(NormaliseReport(normalised)) == ToJson(normalised));
  return 0;
}
