// PythonLayout: what Python 3 asks of line breaks and indentation and the grammar of tree-sitter does not: a line
// ends its statement unless a bracket or string is open, and the statements of a block begin in one column. It is shown a tree's
// leaves in the order of the text. Called by PythonTree only.
#pragma once
#include <tree_sitter/api.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace xpu_align {

class PythonLayout {
 public:
  explicit PythonLayout(const std::string& code) : code_(code) {}

  // `ancestors`: of the leaf, outermost first.
  void Visit(TSNode leaf, const std::vector<TSNode>& ancestors);
  bool Good() const { return good_; }

 private:
  bool MayBeginLine(TSNode leaf, const std::vector<TSNode>& ancestors, size_t indent);

  const std::string& code_;
  std::unordered_map<const void*, size_t> indents_;  // of blocks
  size_t end_of_last_ = 0;
  int open_ = 0;  // brackets and strings
  bool good_ = true;
};

}  // namespace xpu_align
