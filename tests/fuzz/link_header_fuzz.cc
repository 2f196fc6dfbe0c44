// Any header lines: names are lower case without blanks at their edges; the next page's address stands in angle brackets
// in the header and holds none.
#include "compose/repairs.h"
#include "edge/github/api.h"
#include "edge/http/header_lines.h"
#include "fuzz/properties.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string_view text = TextOf(data, size);
  HttpResponse response;
  for (const std::string& line : SplitLines(text)) TakeHeaderLine(line + "\r\n", &response);
  for (const auto& [name, value] : response.headers) {
    CHECK(!name.empty() && name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ:\r\n") == std::string::npos);
    for (const std::string& part : {name, value})
      CHECK(part.empty() || (!std::string_view(" \t\r\n").contains(part.front()) && !std::string_view(" \t\r\n").contains(part.back())));
  }
  for (const std::string& header : {std::string(text), std::string(response.Header("link"))}) {
    const std::string next = NextLink(header);
    CHECK(next.find_first_of("<>") == std::string::npos);
    if (!next.empty()) CHECK(header.contains("<" + next + ">") && header.contains("rel=\"next\""));
  }
  return 0;
}
