#include "compose/edit_list.h"

#include <algorithm>

namespace xpu_align {

bool EditList::Touches(size_t begin, size_t end) const {
  const auto overlaps = [begin, end](const Edit& edit) {
    if (begin == end && edit.begin == edit.end) return begin == edit.begin;
    return begin < edit.end && edit.begin < end;
  };
  // Edits do not overlap, so only neighbours can: two before, because an insertion may follow an edit.
  auto place = edits_.lower_bound({begin, 0});
  for (int back = 0; back < 2 && place != edits_.begin(); ++back) --place;
  for (; place != edits_.end() && place->first.first <= end; ++place)
    if (overlaps(place->second)) return true;
  return false;
}

std::vector<Edit> EditList::Sorted() const {
  std::vector<Edit> out;
  for (const auto& [span, edit] : edits_) out.push_back(edit);
  return out;
}

void EditList::Replace(std::string_view rule, PyNode node, std::string after) {
  // The header of a script says how its lines count, so a line that goes is continued.
  for (auto lines = std::ranges::count(node.Text(), '\n') - std::ranges::count(after, '\n'); lines > 0; --lines)
    after += " \\\n";
  Replace(rule, node.Begin(), node.End(), std::move(after));
}

bool EditList::Replace(std::string_view rule, size_t begin, size_t end, std::string after) {
  if (Touches(begin, end)) return false;
  const std::string& code = tree_.Code();
  if (code.compare(begin, end - begin, after) == 0) return true;
  Edit edit{.rule = std::string(rule), .begin = begin, .end = end, .after = std::move(after)};
  edit.line = tree_.LineOf(begin);
  edit.before = UntrustedText(code.substr(begin, end - begin));
  edits_.emplace(std::pair(begin, end), std::move(edit));
  return true;
}

std::string EditList::Applied() const {
  const std::string& code = tree_.Code();
  std::string out;
  size_t at = 0;
  for (const auto& [span, edit] : edits_) {
    out.append(code, at, edit.begin - at);
    out += edit.after;
    at = edit.end;
  }
  return out.append(code, at);
}

}  // namespace xpu_align
