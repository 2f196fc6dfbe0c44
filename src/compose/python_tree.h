// PythonTree: Python text and its syntax tree (tree-sitter-python). Node positions are byte offsets and
// 1-based lines of that text. Never executes anything; text that is too large or too deep counts as
// broken. Used by every file of compose that looks at code.
#pragma once
#include <tree_sitter/api.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace xpu_align {

// A text and who is whose parent in its tree (the library would search from the root each time).
struct PySource {
  std::string code;
  std::unordered_map<const void*, TSNode> parents;
};

// A node, or none. Valid while its PythonTree lives. Children are named nodes only; comments and
// continued lines are left out.
class PyNode {
 public:
  PyNode() = default;
  PyNode(TSNode node, const PySource* source) : node_(node), source_(source) {}

  explicit operator bool() const { return source_ != nullptr && !ts_node_is_null(node_); }
  bool operator==(const PyNode& other) const;
  std::string_view Type() const { return *this ? std::string_view(ts_node_type(node_)) : std::string_view(); }
  bool Is(std::string_view type) const { return Type() == type; }
  std::string_view Text() const;
  size_t Begin() const { return ts_node_start_byte(node_); }
  size_t End() const { return ts_node_end_byte(node_); }
  int Line() const { return static_cast<int>(ts_node_start_point(node_).row) + 1; }
  int LastLine() const { return static_cast<int>(ts_node_end_point(node_).row) + 1; }
  PyNode Parent() const;
  PyNode Field(std::string_view name) const;
  std::vector<PyNode> Children() const;
  // The nearest ancestor of that type.
  PyNode Enclosing(std::string_view type) const;

 private:
  TSNode node_ = {};
  const PySource* source_ = nullptr;
};

class PythonTree {
 public:
  static PythonTree Parse(std::string code);

  const std::string& Code() const { return source_->code; }
  PyNode Root() const { return PyNode(ts_tree_root_node(tree_.get()), source_.get()); }
  // Python 3 would accept the text as a file, as far as a context-free grammar can tell.
  bool WellFormed() const { return well_formed_; }
  // 1-based line of a byte offset.
  int LineOf(size_t offset) const;
  // All named nodes in the order of the text, comments included.
  const std::vector<PyNode>& Nodes() const { return nodes_; }
  // The code with comments and doc strings blanked; same length, so that offsets stay.
  std::string WithoutComments() const;

 private:
  PythonTree() = default;
  struct Deleter {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };
  std::unique_ptr<PySource> source_;
  std::unique_ptr<TSTree, Deleter> tree_;
  std::vector<PyNode> nodes_;
  std::vector<size_t> line_ends_;
  bool well_formed_ = false;
};

// The dotted name that an identifier or attribute node spells, "" when it is not one: a.b.c.
std::string DottedName(PyNode node);
// The text between the quotes of a string without interpolation; null for every other node.
const std::string* StringValue(PyNode node, std::string* storage);

}  // namespace xpu_align
