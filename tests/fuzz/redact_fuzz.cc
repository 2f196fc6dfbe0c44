// Any log: what was redacted holds nothing more to redact, has the same lines, and the count is empty when, and only when, nothing
// was taken; a home folder put into it goes.
#include "fuzz/properties.h"
#include "report/redact.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string text(TextOf(data, size));
  Redactor first, second, third;
  const UntrustedText once = first.Redact(UntrustedText(text));
  CHECK(Lines(once.ForMatching()) == Lines(text));
  CHECK(first.Summary().empty() == (once.ForMatching() == text));
  const UntrustedText twice = second.Redact(once);
  CHECK(second.Summary().empty() && twice == once);
  CHECK(!third.Redact(UntrustedText(text + "\n/home/ringo/x")).ForMatching().contains("ringo"));
  return 0;
}
