#include "report/markdown.h"

#include <algorithm>

#include "text/pattern.h"

namespace xpu_align {
namespace {

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
  }
  return lines;
}

// The lines of `lines` that fit into `room` bytes, counted from the end that is kept.
std::vector<std::string_view> Fitting(std::vector<std::string_view> lines, size_t indent, size_t room, Keep keep) {
  if (keep == Keep::kTail) std::ranges::reverse(lines);
  size_t used = 0, count = 0;
  while (count < lines.size() && used + indent + lines[count].size() + 1 <= room)
    used += indent + lines[count++].size() + 1;
  lines.resize(count);
  if (keep == Keep::kTail) std::ranges::reverse(lines);
  return lines;
}

}  // namespace

std::string Prose(const UntrustedText& text, size_t max_chars) { return text.ForMarkdownLine(max_chars); }

std::string Prose(std::string_view text, size_t max_chars) {
  return UntrustedText(std::string(text)).ForMarkdownLine(max_chars);
}

std::string CodeSpan(std::string_view text) {
  std::string line = UntrustedText(std::string(text)).ForLogLine(200);
  std::ranges::replace(line, '`', '\'');
  std::ranges::replace(line, '|', '/');  // a table cell must stay one cell
  if (line.find_first_not_of(' ') == std::string::npos) line = "unknown";
  return "`" + line + "`";
}

std::string WebLink(std::string_view url) {
  static const Pattern github = Pattern::Constant(R"(^https://github\.com/[A-Za-z0-9._/-]{1,200}$)");
  return github.FoundIn(url) ? std::string(url) : Prose(url);
}

std::string Fence(const UntrustedText& text, const FenceStyle& style) {
  const std::string content = text.ForMarkdownFence();
  const std::string fence = FenceFor(content);
  const std::vector<std::string_view> all = Lines(content);
  constexpr size_t kFrame = 200;  // the two fence lines and the note
  const size_t frame = kFrame + 2 * (fence.size() + style.indent.size()) + style.info.size();
  const size_t room = style.max_bytes > frame ? style.max_bytes - frame : 0;
  const std::vector<std::string_view> kept = Fitting(all, style.indent.size(), room, style.keep);
  std::string out;
  const auto add = [&](std::string_view line) { out.append(style.indent).append(line) += '\n'; };
  const std::string note = "[" + Counted(all.size() - kept.size(), "line") + " cut]";
  add(fence + std::string(style.info));
  if (kept.size() < all.size() && style.keep == Keep::kTail) add(note);
  for (const std::string_view line : kept) add(line);
  if (kept.size() < all.size() && style.keep == Keep::kHead) add(note);
  add(fence);
  return out;
}

UntrustedText LastLines(const UntrustedText& text, size_t count) {
  std::vector<std::string_view> lines = Lines(text.ForMatching());
  std::erase_if(lines, [](std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; });
  std::string out;
  for (size_t i = lines.size() - std::min(count, lines.size()); i < lines.size(); ++i) out.append(lines[i]) += '\n';
  return UntrustedText(std::move(out));
}

std::string Table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  const auto line = [](const std::vector<std::string>& cells) { return "| " + Joined(cells, " | ") + " |\n"; };
  std::string out = line(header) + line(std::vector<std::string>(header.size(), "---"));
  for (const auto& row : rows) out += line(row);
  return out;
}

std::string Joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::string Counted(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace xpu_align
