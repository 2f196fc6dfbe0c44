#include "text/utf8.h"

#include <algorithm>

namespace xpu_align {

char32_t TakeCodePoint(std::string_view* bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>((*bytes)[i]); };
  const unsigned char lead = byte(0);
  size_t length = 1;
  char32_t value = lead;
  char32_t least = 0;
  if (lead >= 0xF0 && lead < 0xF5) {
    length = 4, value = lead & 0x07u, least = 0x10000;
  } else if (lead >= 0xE0 && lead < 0xF0) {
    length = 3, value = lead & 0x0Fu, least = 0x800;
  } else if (lead >= 0xC2 && lead < 0xE0) {
    length = 2, value = lead & 0x1Fu, least = 0x80;
  } else if (lead >= 0x80) {
    bytes->remove_prefix(1);
    return kReplacementCharacter;
  }
  bool valid = length <= bytes->size();
  for (size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xC0u) == 0x80u;
    value = (value << 6) | (byte(i) & 0x3Fu);
  }
  if (!valid || value < least || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
    bytes->remove_prefix(1);
    return kReplacementCharacter;
  }
  bytes->remove_prefix(length);
  return value;
}

void AppendUtf8(char32_t c, std::string* out) {
  const auto put = [out](char32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6)), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18)), put(0x80 | ((c >> 12) & 0x3F)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  }
}

std::string ValidUtf8(std::string_view bytes) {
  // Nearly all text is ASCII, which is valid as it stands.
  const size_t ascii = static_cast<size_t>(std::ranges::find_if(bytes, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }) - bytes.begin());
  std::string out(bytes.substr(0, ascii));
  bytes.remove_prefix(ascii);
  while (!bytes.empty()) AppendUtf8(TakeCodePoint(&bytes), &out);
  return out;
}

bool IsControl(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0);
}

bool IsInvisibleFormat(char32_t c) {
  return c == 0xAD || (c >= 0x600 && c <= 0x605) || c == 0x61C || c == 0x6DD || c == 0x70F || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

}  // namespace xpu_align
