#include "compose/edit_list.h"

#include <algorithm>

namespace xpu_align {

bool EditList::Touches(size_t begin, size_t end) const {
  return std::ranges::any_of(edits_, [begin, end](const Edit& edit) {
    if (begin == end && edit.begin == edit.end) return begin == edit.begin;
    return begin < edit.end && edit.begin < end;
  });
}

void EditList::Replace(std::string_view rule, PyNode node, std::string after) {
  Replace(rule, node.Begin(), node.End(), std::move(after));
}

bool EditList::Replace(std::string_view rule, size_t begin, size_t end, std::string after) {
  if (Touches(begin, end)) return false;
  const std::string& code = tree_.Code();
  if (code.compare(begin, end - begin, after) == 0) return true;
  Edit edit{.rule = std::string(rule), .begin = begin, .end = end, .after = std::move(after)};
  edit.line = 1 + static_cast<int>(std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  edit.before = UntrustedText(code.substr(begin, end - begin));
  const auto place = std::ranges::upper_bound(edits_, edit, [](const Edit& a, const Edit& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  edits_.insert(place, std::move(edit));
  return true;
}

std::string EditList::Applied() const {
  const std::string& code = tree_.Code();
  std::string out;
  size_t at = 0;
  for (const Edit& edit : edits_) {
    out.append(code, at, edit.begin - at);
    out += edit.after;
    at = edit.end;
  }
  return out.append(code, at);
}

}  // namespace xpu_align
