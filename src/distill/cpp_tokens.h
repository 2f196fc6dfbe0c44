// CppTokens: C++ text as tokens with their brackets paired, and its directives apart. A tolerant lexer: it knows
// comments, literals, continued lines and branches of #if, expands no macro, evaluates no condition, and never fails.
// Used by the C++ extractors.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xpu_align::distill {

enum class TokenKind : uint8_t { kName, kNumber, kString, kCharacter, kSign };

struct CppToken {
  uint32_t begin = 0, end = 0;  // bytes of the text
  TokenKind kind = TokenKind::kSign;
  int32_t pair = -1;   // index of the bracket that closes or opens this one
  int32_t guard = -1;  // innermost condition of #if around it
};

struct CppDirective {
  uint32_t begin = 0, end = 0;  // continued lines included
  std::string_view name;        // define, include, ...
  std::string_view rest;        // behind the name, as it is
  int32_t guard = -1;
};

class CppTokens {
 public:
  // `text` must outlive this.
  explicit CppTokens(std::string_view text);

  const std::vector<CppToken>& Tokens() const { return tokens_; }
  const std::vector<CppDirective>& Directives() const { return directives_; }
  const CppToken& operator[](size_t i) const { return tokens_[i]; }
  size_t Size() const { return tokens_.size(); }

  std::string_view Text(size_t i) const { return text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin); }
  bool Is(size_t i, std::string_view text) const { return i < tokens_.size() && Text(i) == text; }
  bool IsName(size_t i) const { return i < tokens_.size() && tokens_[i].kind == TokenKind::kName; }
  bool IsString(size_t i) const { return i < tokens_.size() && tokens_[i].kind == TokenKind::kString; }
  // Between the quotes of a string, escapes as they are written.
  std::string_view StringContent(size_t i) const;
  // Tokens [first, last) on one line, comments gone, one space where there was any.
  std::string Snippet(size_t first, size_t last) const;
  // The condition of a guard, as it is written, "!" in front for an #else.
  std::string GuardText(int32_t guard) const { return guard < 0 ? std::string() : guards_[static_cast<size_t>(guard)]; }
  // Tokens of the arguments between the brackets at `open` and its pair: [first, last) of each, split at commas.
  std::vector<std::pair<size_t, size_t>> Arguments(size_t open) const;

 private:
  friend class CppLexer;
  std::string_view text_;
  std::vector<CppToken> tokens_;
  std::vector<CppDirective> directives_;
  std::vector<std::string> guards_;
};

// As Snippet, for text that was not tokenised: a macro's body.
std::string OnOneLine(std::string_view code);

}  // namespace xpu_align::distill
