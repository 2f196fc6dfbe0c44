#include "distill/cpp_tokens.h"

#include <algorithm>

namespace xpu_align::distill {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

class CppLexer {
 public:
  explicit CppLexer(CppTokens* out) : out_(*out), text_(out->text_) {}

  void Run() {
    out_.tokens_.reserve(text_.size() / 5);
    while (at_ < text_.size()) Step();
  }

 private:
  // One #if that is open.
  struct Branch {
    int32_t outer_guard = -1;
    std::vector<int32_t> open_brackets;  // as they were at #if: each branch starts from there
    std::string condition;
    size_t tokens_before = 0;  // of the branch
  };

  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void Step() {
    const char c = Peek();
    if (c == '\n') {
      line_start_ = true;
      ++at_;
    } else if (IsSpace(c) || (c == '\\' && (Peek(1) == '\n' || Peek(1) == '\r'))) {
      ++at_;
    } else if (c == '/' && Peek(1) == '/') {
      SkipLineComment();
    } else if (c == '/' && Peek(1) == '*') {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else if (c == '#' && line_start_) {
      TakeDirective();
    } else {
      line_start_ = false;
      TakeToken();
    }
  }

  void SkipLineComment() {
    while (at_ < text_.size() && text_[at_] != '\n') at_ += text_[at_] == '\\' && Peek(1) == '\n' ? 2 : 1;
    at_ = std::min(at_, text_.size());
  }

  void TakeDirective() {
    const size_t begin = at_;
    bool in_block_comment = false;
    for (; at_ < text_.size(); ++at_) {
      if (in_block_comment) {
        if (Peek() == '*' && Peek(1) == '/') in_block_comment = false, ++at_;
      } else if (Peek() == '/' && Peek(1) == '*') {
        in_block_comment = true, ++at_;
      } else if (Peek() == '\n') {
        const size_t before = at_ > begin && text_[at_ - 1] == '\r' ? at_ - 1 : at_;
        if (before == begin || text_[before - 1] != '\\') break;
      }
    }
    std::string_view body = Trimmed(text_.substr(begin + 1, at_ - begin - 1));
    const size_t name_end = static_cast<size_t>(std::ranges::find_if_not(body, IsNameByte) - body.begin());
    const std::string_view name = body.substr(0, name_end);
    std::string_view rest = Trimmed(body.substr(name_end));
    while (rest.ends_with('\\')) rest = Trimmed(rest.substr(0, rest.size() - 1));  // continued by an empty line
    Condition(name, rest);
    out_.directives_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(at_), name, rest, guard_});
  }

  void Condition(std::string_view name, std::string_view rest) {
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      Branch branch{.outer_guard = guard_, .open_brackets = open_, .condition = OnOneLine(rest)};
      if (name == "ifndef") branch.condition = "!defined(" + branch.condition + ")";
      branch.tokens_before = out_.tokens_.size();
      guard_ = AddGuard(branch.condition);
      branches_.push_back(std::move(branch));
    } else if (name == "define" && !branches_.empty() && out_.tokens_.size() == branches_.back().tokens_before &&
               branches_.back().condition == "!defined(" + std::string(rest) + ")") {
      guard_ =
          branches_.back().outer_guard;  // #ifndef X, #define X: the guard of a header is no condition of its content
    } else if ((name == "else" || name == "elif") && !branches_.empty()) {
      Branch& branch = branches_.back();
      open_ = branch.open_brackets;
      guard_ = AddGuard(name == "elif" ? OnOneLine(rest) : "!(" + branch.condition + ")");
      if (name == "elif") branch.condition += ") && !(" + OnOneLine(rest);
    } else if (name == "endif" && !branches_.empty()) {
      guard_ = branches_.back().outer_guard;
      branches_.pop_back();
    }
  }

  int32_t AddGuard(std::string condition) {
    out_.guards_.push_back(std::move(condition));
    return static_cast<int32_t>(out_.guards_.size()) - 1;
  }

  void TakeToken() {
    const size_t begin = at_;
    const char c = Peek();
    TokenKind kind = TokenKind::kSign;
    if (c == '"' || c == '\'') {
      kind = c == '"' ? TokenKind::kString : TokenKind::kCharacter;
      TakeQuoted(c);
    } else if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
      kind = TokenKind::kNumber;
      while (IsNameByte(Peek()) || Peek() == '.' || (Peek() == '\'' && IsNameByte(Peek(1))) ||
             ((Peek() == '+' || Peek() == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
              text_[begin + 1] != 'x'))
        ++at_;
    } else if (IsNameByte(c)) {
      kind = TokenKind::kName;
      while (IsNameByte(Peek())) ++at_;
      if (const std::string_view prefix = text_.substr(begin, at_ - begin);
          (Peek() == '"' || Peek() == '\'') && (prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8" ||
                                                prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "u8R")) {
        kind = Peek() == '"' ? TokenKind::kString : TokenKind::kCharacter;
        prefix.ends_with('R') && Peek() == '"' ? TakeRaw() : TakeQuoted(Peek());
      }
    } else {
      const char next = Peek(1);
      const bool pair = (c == ':' && next == ':') || (c == '-' && next == '>') || (c == '=' && next == '=') ||
                        (c == '!' && next == '=') || (c == '<' && next == '<') || (c == '&' && next == '&');
      at_ += pair ? 2 : 1;
    }
    out_.tokens_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(at_), kind, -1, guard_});
    if (kind == TokenKind::kSign) Pair(c);
  }

  void TakeQuoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\')
        ++at_;
      else if (text_[at_] == '\n')
        return;  // never closed
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  void TakeRaw() {
    const size_t open = text_.find('(', at_);
    if (open == std::string_view::npos || open - at_ > 17) return TakeQuoted('"');
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  void Pair(char c) {
    const auto index = static_cast<int32_t>(out_.tokens_.size()) - 1;
    if (c == '(' || c == '[' || c == '{') {
      open_.push_back(index);
    } else if (c == ')' || c == ']' || c == '}') {
      const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
      // An unclosed inner bracket never swallows the outer one.
      size_t depth = open_.size();
      while (depth > 0 && SignAt(open_[depth - 1]) != wanted) {
        if (wanted != '{' && SignAt(open_[depth - 1]) == '{') return;
        --depth;
      }
      if (depth == 0) return;
      out_.tokens_[static_cast<size_t>(open_[depth - 1])].pair = index;
      out_.tokens_.back().pair = open_[depth - 1];
      open_.resize(depth - 1);
    }
  }
  char SignAt(int32_t index) const { return text_[out_.tokens_[static_cast<size_t>(index)].begin]; }

  CppTokens& out_;
  std::string_view text_;
  size_t at_ = 0;
  bool line_start_ = true;
  int32_t guard_ = -1;
  std::vector<int32_t> open_;
  std::vector<Branch> branches_;
};

CppTokens::CppTokens(std::string_view text) : text_(text) { CppLexer(this).Run(); }

std::string_view CppTokens::StringContent(size_t i) const {
  std::string_view text = Text(i);
  const size_t open = text.find('"');
  if (open == std::string_view::npos) return {};
  const bool raw = open > 0 && text[open - 1] == 'R';
  text.remove_prefix(open + 1);
  if (text.ends_with('"')) text.remove_suffix(1);
  if (raw) {
    text.remove_prefix(std::min(text.find('(') + 1, text.size()));
    text = text.substr(0, text.rfind(')'));
  }
  return text;
}

std::string CppTokens::Snippet(size_t first, size_t last) const {
  std::string out;
  for (size_t i = first; i < last && i < tokens_.size(); ++i) {
    if (i > first && tokens_[i].begin > tokens_[i - 1].end) out += ' ';
    out += Text(i);
  }
  return out;
}

std::vector<std::pair<size_t, size_t>> CppTokens::Arguments(size_t open) const {
  std::vector<std::pair<size_t, size_t>> arguments;
  if (open >= tokens_.size() || tokens_[open].pair < 0) return arguments;
  const auto close = static_cast<size_t>(tokens_[open].pair);
  size_t begin = open + 1;
  for (size_t i = begin; i <= close; ++i) {
    if (i == close || Is(i, ",")) {
      if (i > begin || i != close || !arguments.empty()) arguments.emplace_back(begin, i);
      begin = i + 1;
    } else if (tokens_[i].pair > static_cast<int32_t>(i)) {
      i = static_cast<size_t>(tokens_[i].pair);
    }
  }
  return arguments;
}

std::string OnOneLine(std::string_view code) {
  const CppTokens tokens(code);
  return tokens.Snippet(0, tokens.Size());
}

}  // namespace xpu_align::distill
