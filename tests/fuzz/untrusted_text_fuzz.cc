// Any bytes through each exit of UntrustedText: what the exit promises holds.
#include <cstdint>
#include <string>

#include "text/untrusted_text.h"
#include "text/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const UntrustedText text{bytes};
  for (const std::string& line : {text.ForMarkdownLine(), text.ForLogLine(), text.ForWorkflowCommand()})
    CHECK(line.find('\n') == std::string::npos && line.find('\r') == std::string::npos && line.find('\0') == std::string::npos);
  CHECK(text.ForMarkdownLine().find('<') == std::string::npos);
  CHECK(text.ForMarkdownLine().find('@') == std::string::npos);
  CHECK(text.ForWorkflowCommand().find("::") == std::string::npos);
  CHECK(text.ForWorkflowCommand().find("##[") == std::string::npos);
  CHECK(text.ForHtml().find_first_of("<>\"'") == std::string::npos);
  const std::string fence = FenceFor(bytes);
  CHECK(text.ForMarkdownFence().find(fence) == std::string::npos);
  return 0;
}
