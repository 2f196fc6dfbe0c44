// UntrustedText: a string that came from GitHub, from a repository or out of a sandbox. It has no
// implicit conversion; each exit below names where the text goes and makes it harmless there.
#pragma once
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace xpu_align {

class UntrustedText {
 public:
  UntrustedText() = default;
  explicit UntrustedText(std::string text) : text_(std::move(text)) {}

  bool Empty() const { return text_.empty(); }
  size_t SizeInBytes() const { return text_.size(); }
  auto operator<=>(const UntrustedText&) const = default;

  // For rules and parsers, whose result must be UntrustedText, a span or a decision again.
  std::string_view ForMatching() const { return text_; }
  // For a JSON string value; the writer escapes, invalid UTF-8 becomes U+FFFD.
  std::string ForJson() const;
  // One line of Markdown prose: structure characters escaped, mentions, #N and closing keywords
  // neutralised, HTML inert, control and format characters dropped. At most `max_chars` code points.
  std::string ForMarkdownLine(size_t max_chars = 300) const;
  // Lines inside a Markdown fence: control characters dropped, no line is longer than `max_line`
  // bytes, and the audit's result-line phrase is broken by a visible mark. See FenceFor.
  std::string ForMarkdownFence(size_t max_line = 1000) const;
  // Text or attribute value of HTML.
  std::string ForHtml() const;
  // One line of a log or terminal: control, bidi and format characters shown as escapes, workflow commands broken.
  std::string ForLogLine(size_t max_chars = 200) const;
  // A value or message of a GitHub Actions workflow command (::error::...): one line, `%`, CR and LF
  // encoded, `##[` broken.  Source: actions/toolkit command.ts, actions/runner ActionCommand.cs.
  std::string ForWorkflowCommand(size_t max_chars = 1000) const;

 private:
  std::string text_;
};

// The shortest run of backticks (at least three) that no line of `content` can close.
std::string FenceFor(std::string_view content);

}  // namespace xpu_align
