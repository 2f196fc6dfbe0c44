// SourceText: the bytes of one blob with lines, hashes and the odd cases decided once: a byte order mark is no text,
// CR before LF belongs to no line, bytes that are no UTF-8 stay as they are and are escaped in values. Used by
// everything that cites.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "distill/fact.h"

namespace xpu_align::distill {

class SourceText {
 public:
  explicit SourceText(std::string bytes);

  // Without the byte order mark; offsets below are into this.
  std::string_view Text() const { return std::string_view(bytes_).substr(begin_); }
  // The blob.
  const std::string& Bytes() const { return bytes_; }
  int LineCount() const { return static_cast<int>(starts_.size()); }
  int LineOf(size_t offset) const;
  LineRange LinesOf(size_t begin, size_t end) const;  // end: one past the last byte
  size_t StartOf(int line) const { return starts_[static_cast<size_t>(line) - 1]; }
  // Lines joined by LF, without CR; empty when the range is not inside the text.
  std::string Lines(LineRange range) const;
  std::string QuoteHash(LineRange range) const;

  bool HasByteOrderMark() const { return begin_ != 0; }
  std::string_view Eol() const;  // lf, crlf, mixed
  bool IsUtf8() const { return utf8_; }
  bool IsBinary() const;  // NUL in the first 8,000 bytes
  // "DO NOT EDIT" or "@generated" in the first 20 lines.
  bool SaysGenerated() const;
  // A piece of this text as a value: as it is, or with bytes over 0x7f as \xNN when the file is no UTF-8.
  std::string Value(std::string_view piece) const;

 private:
  std::string bytes_;
  size_t begin_ = 0;
  std::vector<size_t> starts_;
  bool utf8_ = true;
};

// "sha256:" and the hash of the tokens of a piece of code: white space and comments are gone, adjacent string literals
// are one, quote style, trailing commas and backslashes at line ends do not count.
std::string TokenHash(std::string_view code, std::string_view path);

}  // namespace xpu_align::distill
