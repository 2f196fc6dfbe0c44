#include "distill/source_text.h"

#include <algorithm>

#include "digest/sha256.h"
#include "text/utf8.h"

namespace xpu_align::distill {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kBinaryWindow = 8000;
constexpr int kHeadLines = 20;

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Reads the tokens of code without knowing its grammar.
class TokenReader {
 public:
  TokenReader(std::string_view code, bool python) : code_(code), python_(python) {}

  std::string Normalised() {
    while (at_ < code_.size()) Step();
    FlushString();
    DropTrailingComma();
    return std::move(out_);
  }

 private:
  void Step() {
    const char c = code_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '\\' && AtLineEnd(at_ + 1)) {
      ++at_;
    } else if (!python_ && code_.substr(at_, 2) == "//") {
      at_ = std::min(code_.find('\n', at_), code_.size());
    } else if (!python_ && code_.substr(at_, 2) == "/*") {
      const size_t end = code_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? code_.size() : end + 2;
    } else if (python_ && c == '#') {
      at_ = std::min(code_.find('\n', at_), code_.size());
    } else if (c == '"' || c == '\'') {
      TakeString();
    } else if (IsWordByte(c)) {
      const size_t begin = at_;
      while (at_ < code_.size() && IsWordByte(code_[at_])) ++at_;
      Put(code_.substr(begin, at_ - begin));
    } else {
      if (c == ')' || c == ']' || c == '}') FlushString(), DropTrailingComma();
      Put(code_.substr(at_++, 1));
    }
  }

  bool AtLineEnd(size_t at) const { return at >= code_.size() || code_[at] == '\n' || code_[at] == '\r'; }

  void TakeString() {
    const char quote = code_[at_];
    const bool triple = python_ && code_.substr(at_, 3) == std::string(3, quote);
    const size_t width = triple ? 3 : 1;
    at_ += width;
    const size_t begin = at_;
    while (at_ < code_.size() && !(triple ? code_.substr(at_, 3) == std::string(3, quote) : code_[at_] == quote)) {
      if (!triple && code_[at_] == '\n') break;  // torn: the range begins inside a string
      at_ += code_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, code_.size());
    if (!in_string_) string_.clear();
    in_string_ = true;
    string_ += code_.substr(begin, at_ - begin);
    at_ = std::min(at_ + width, code_.size());
  }

  void Put(std::string_view token) {
    FlushString();
    out_ += token;
    out_ += '\x1f';
  }
  void FlushString() {
    if (!in_string_) return;
    in_string_ = false;
    out_ += '"' + string_ + "\"\x1f";
  }
  void DropTrailingComma() {
    if (out_.ends_with(",\x1f")) out_.resize(out_.size() - 2);
  }

  std::string_view code_;
  bool python_;
  size_t at_ = 0;
  std::string out_, string_;
  bool in_string_ = false;
};

bool ValidUtf8Bytes(std::string_view bytes) {
  for (std::string_view rest = bytes; !rest.empty();) {
    const auto* other = std::ranges::find_if(rest, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    rest.remove_prefix(static_cast<size_t>(other - rest.begin()));
    if (rest.empty()) break;
    const size_t before = rest.size();
    if (TakeCodePoint(&rest) == kReplacementCharacter && before - rest.size() == 1) return false;
  }
  return true;
}

}  // namespace

SourceText::SourceText(std::string bytes) : bytes_(std::move(bytes)) {
  begin_ = bytes_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::string_view text = Text();
  for (size_t at = 0; at < text.size();) {
    starts_.push_back(at);
    const size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  utf8_ = ValidUtf8Bytes(text);
}

int SourceText::LineOf(size_t offset) const {
  return static_cast<int>(std::ranges::upper_bound(starts_, offset) - starts_.begin());
}

LineRange SourceText::LinesOf(size_t begin, size_t end) const {
  return {LineOf(begin), LineOf(end > begin ? end - 1 : begin)};
}

std::string SourceText::Lines(LineRange range) const {
  if (range.first < 1 || range.last < range.first || range.last > LineCount()) return {};
  std::string out;
  const std::string_view text = Text();
  for (int line = range.first; line <= range.last; ++line) {
    const size_t begin = StartOf(line), end = line == LineCount() ? text.size() : StartOf(line + 1);
    std::string_view one = text.substr(begin, end - begin);
    if (one.ends_with('\n')) one.remove_suffix(1);
    if (one.ends_with('\r')) one.remove_suffix(1);
    if (line > range.first) out += '\n';
    out += one;
  }
  return out;
}

std::string SourceText::QuoteHash(LineRange range) const { return "sha256:" + Sha256Hex(Lines(range)); }

std::string_view SourceText::Eol() const {
  size_t with = 0, without = 0;
  const std::string_view text = Text();
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    ++(at > 0 && text[at - 1] == '\r' ? with : without);
  return with == 0 ? "lf" : without == 0 ? "crlf" : "mixed";
}

bool SourceText::IsBinary() const { return std::string_view(bytes_).substr(0, kBinaryWindow).contains('\0'); }

bool SourceText::SaysGenerated() const {
  const std::string head = Lines({1, std::min(kHeadLines, LineCount())});
  return head.contains("DO NOT EDIT") || head.contains("Do not edit") || head.contains("@generated");
}

std::string SourceText::Value(std::string_view piece) const {
  if (utf8_) return std::string(piece);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const char c : piece) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

std::string TokenHash(std::string_view code, std::string_view path) {
  return "sha256:" + Sha256Hex(TokenReader(code, path.ends_with(".py") || path.ends_with(".pyi")).Normalised());
}

}  // namespace xpu_align::distill
