// UTF-8 decoding for untrusted bytes: never throws, never reads past the end, replaces what is
// invalid. Used by UntrustedText and the JSON writer.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xpu_align {

constexpr char32_t kReplacementCharacter = 0xFFFD;

// Takes one code point off the front of `*bytes` (not empty). Invalid, overlong and surrogate
// sequences give U+FFFD and consume one byte.
char32_t TakeCodePoint(std::string_view* bytes);

void AppendUtf8(char32_t code_point, std::string* out);

// `bytes` with every invalid sequence replaced by U+FFFD.
std::string ValidUtf8(std::string_view bytes);

// C0, C1 and DEL, without tab and newline.
bool IsControl(char32_t c);
// Unicode Cf and line separators: zero width, bidi embedding and isolate marks, BOM, tags. They change
// how text reads without being seen.
bool IsInvisibleFormat(char32_t c);

}  // namespace xpu_align
