#include "edge/http/header_lines.h"

#include <algorithm>

namespace xpu_align {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

void TakeHeaderLine(std::string_view line, HttpResponse* response) {
  if (line.starts_with("HTTP/")) {
    response->headers.clear();
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  std::string name(Trim(line.substr(0, colon)));
  if (name.empty()) return;
  std::ranges::transform(name, name.begin(), Lower);
  response->headers[name] = std::string(Trim(line.substr(colon + 1)));
}

}  // namespace xpu_align
