#include "text/untrusted_text.h"

#include <algorithm>
#include <cstdio>

#include "text/utf8.h"

namespace xpu_align {
namespace {

constexpr std::string_view kResultLine = "Local XPU result:";  // the audit counts lines that start so

std::string Escape(char32_t c) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, c < 0x100 ? "\\x%02x" : "\\u{%x}", static_cast<unsigned>(c));
  return buffer;
}

// One line of visible text, cut at `max_chars` code points with an ellipsis.
std::string VisibleLine(std::string_view bytes, size_t max_chars) {
  std::string out;
  size_t count = 0;
  while (!bytes.empty()) {
    char32_t c = TakeCodePoint(&bytes);
    if (IsControl(c) || IsInvisibleFormat(c)) continue;
    if (c == '\n' || c == '\t') c = ' ';
    if (count++ == max_chars) return out + "…";
    AppendUtf8(c, &out);
  }
  return out;
}

bool IsWordByte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

std::string UntrustedText::ForJson() const { return ValidUtf8(text_); }

std::string UntrustedText::ForMarkdownLine(size_t max_chars) const {
  constexpr std::string_view kStructure = "\\`*_{}[]<>()#+!|~$^=:";
  std::string out;
  const std::string line = VisibleLine(text_, max_chars);
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '@') {
      out += "&#64;&#8203;";  // no mention: GitHub looks for them after it has decoded entities
    } else if (c == '#') {
      out += "&#35;&#8203;";  // no reference to an issue
    } else if (kStructure.contains(c)) {
      out += '\\', out += c;
    } else if ((c == '-' || c == '.' || c == '/') && out.find_first_not_of("0123456789 ") == std::string::npos) {
      out += '\\', out += c;  // would start a list or a command at the head of a line
    } else {
      out += c;
    }
    // GH-12 is a reference, too; autolinked URLs lose their scheme's colon above.
    if ((c == 'H' || c == 'h') && i > 0 && (line[i - 1] == 'G' || line[i - 1] == 'g') && i + 1 < line.size() &&
        line[i + 1] == '-' && (i == 1 || !IsWordByte(line[i - 2]))) {
      out += "&#45;&#8203;";
      ++i;
    }
  }
  return out;
}

std::string UntrustedText::ForMarkdownFence(size_t max_line) const {
  std::string out;
  std::string_view rest = text_;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    std::string clean;
    while (!line.empty()) {
      const char32_t c = TakeCodePoint(&line);
      if (IsControl(c) || IsInvisibleFormat(c)) continue;
      if (clean.size() >= max_line) {
        clean += " [line cut]";
        break;
      }
      AppendUtf8(c, &clean);
    }
    if (const size_t at = clean.find(kResultLine); at != std::string::npos) clean.replace(at, 5, "[quoted] Local");
    out += clean;
    out += '\n';
  }
  return out;
}

std::string UntrustedText::ForHtml() const {
  std::string out;
  std::string_view rest = text_;
  while (!rest.empty()) {
    const char32_t c = TakeCodePoint(&rest);
    if (IsControl(c) || IsInvisibleFormat(c)) continue;
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: AppendUtf8(c, &out);
    }
  }
  return out;
}

std::string UntrustedText::ForLogLine(size_t max_chars) const {
  std::string out;
  std::string_view rest = text_;
  size_t count = 0;
  while (!rest.empty()) {
    const char32_t c = TakeCodePoint(&rest);
    if (count++ == max_chars) return out + "…";
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (IsControl(c) || IsInvisibleFormat(c)) {
      out += Escape(c);
    } else if (c == '[' && out.ends_with("##")) {
      out += "\\[";  // a runner obeys ##[...] anywhere in a line
    } else if (c == ':' && out.ends_with(":") && out.find_first_not_of(' ') == out.size() - 1) {
      out += " :";  // and ::...:: at its beginning
    } else {
      AppendUtf8(c, &out);
    }
  }
  return out;
}

std::string UntrustedText::ForWorkflowCommand(size_t max_chars) const {
  std::string out;
  const std::string line = VisibleLine(text_, max_chars);
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '%') {
      out += "%25";
    } else if (line.compare(i, 2, "::") == 0) {
      out += ": :";
      ++i;
    } else if (line.compare(i, 3, "##[") == 0) {
      out += "##\\[";
      i += 2;
    } else {
      out += line[i];
    }
  }
  return out;
}

std::string FenceFor(std::string_view content) {
  size_t longest = 2;
  for (size_t i = 0, run = 0; i < content.size(); ++i) {
    run = content[i] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

}  // namespace xpu_align
