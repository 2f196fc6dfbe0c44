// EditList: replacements in a code text that do not overlap; everything outside them stays byte for byte.
// The first edit of a place wins. Used by the parts of adaptation.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compose/python_tree.h"
#include "model/composition.h"

namespace xpu_align {

class EditList {
 public:
  explicit EditList(const PythonTree& tree) : tree_(tree) {}

  // Keeps the number of lines.
  void Replace(std::string_view rule, PyNode node, std::string after);
  // False, and nothing happens, when an earlier edit touches the range. Insertions have begin == end.
  bool Replace(std::string_view rule, size_t begin, size_t end, std::string after);
  bool Touches(size_t begin, size_t end) const;

  bool Empty() const { return edits_.empty(); }
  std::vector<Edit> Sorted() const;
  // The code with all edits made.
  std::string Applied() const;

 private:
  const PythonTree& tree_;
  std::map<std::pair<size_t, size_t>, Edit> edits_;  // by begin and end
};

}  // namespace xpu_align
