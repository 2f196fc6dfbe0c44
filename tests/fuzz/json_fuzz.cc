// Any bytes: ParseJson refuses, or gives a value whose canonical text is stable (a lone surrogate becomes
// U+FFFD at the first writing, nothing changes after that).
#include <cstdint>

#include "json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const auto value = ParseJson({reinterpret_cast<const char*>(data), size});
  if (!value) return 0;
  const std::string text = WriteJson(*value);
  const auto again = ParseJson(text);
  CHECK(again.has_value());
  CHECK(WriteJson(*again) == text);
  CHECK(ParseJson(WriteJsonLine(*value)) == *again);
  return 0;
}
