#include "edge/git/changed_middle.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace xpu_align {
namespace {

constexpr int kKeptLines = 16;
constexpr size_t kMaxFunctionBytes = 80;

size_t EqualAtFront(std::string_view a, std::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t at = 0;
  for (uint64_t x = 0, y = 0; at + sizeof x <= limit; at += sizeof x) {
    std::memcpy(&x, a.data() + at, sizeof x);
    std::memcpy(&y, b.data() + at, sizeof y);
    if (x != y) break;
  }
  while (at < limit && a[at] == b[at]) ++at;
  return at;
}

size_t EqualAtEnd(std::string_view a, std::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t count = 0;
  for (uint64_t x = 0, y = 0; count + sizeof x <= limit; count += sizeof x) {
    std::memcpy(&x, a.data() + a.size() - count - sizeof x, sizeof x);
    std::memcpy(&y, b.data() + b.size() - count - sizeof y, sizeof y);
    if (x != y) break;
  }
  while (count < limit && a[a.size() - 1 - count] == b[b.size() - 1 - count]) ++count;
  return count;
}

// Where the line begins that lies `lines` above the one that holds `at`; 0 when there are not so many.
size_t LinesAbove(std::string_view text, size_t at, int lines) {
  for (;; --lines) {
    const void* newline = at > 0 ? ::memrchr(text.data(), '\n', at) : nullptr;
    if (newline == nullptr) return 0;
    at = static_cast<size_t>(static_cast<const char*>(newline) - text.data());  // the end of the line above
    if (lines == 0) return at + 1;
  }
}

size_t LinesBelow(std::string_view text, size_t at, int lines) {
  for (; at < text.size() && lines >= 0; --lines) {
    const size_t newline = text.find('\n', at);
    if (newline == std::string_view::npos) return text.size();
    at = newline + 1;
  }
  return at;
}

size_t CountLines(std::string_view text) {
  size_t lines = 0;
  for (size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos; ++at) ++lines;
  return lines;
}

}  // namespace

ChangedMiddle MiddleOf(std::string_view before, std::string_view after) {
  const size_t front = EqualAtFront(before, after);
  const size_t begin = LinesAbove(before, front, kKeptLines);
  const size_t equal_end = EqualAtEnd(before.substr(front), after.substr(front));
  // The first line of the equal end may begin in what differs, so it counts as no kept line.
  const size_t end = before.size() - LinesBelow(before, before.size() - equal_end, kKeptLines);
  ChangedMiddle middle;
  middle.head = before.substr(0, begin);
  middle.head_lines = CountLines(middle.head);
  middle.before = before.substr(begin, before.size() - end - begin);
  middle.after = after.substr(begin, after.size() - end - begin);
  return middle;
}

std::string_view LastFunctionLine(std::string_view text) {
  while (!text.empty()) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    const size_t newline = text.rfind('\n');
    const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    std::string_view line = text.substr(begin);
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; };
    if (!line.empty() && letter(line[0])) {
      while (!line.empty() && std::string_view(" \t\r\n\v\f").find(line.back()) != std::string_view::npos)
        line.remove_suffix(1);
      return line.substr(0, kMaxFunctionBytes);
    }
    text = text.substr(0, begin);
  }
  return {};
}

}  // namespace xpu_align
