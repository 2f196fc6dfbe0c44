#include "compose/python_tree.h"

#include <algorithm>

#include "compose/python_layout.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace xpu_align {
namespace {

constexpr size_t kMaxBytes = 400'000;  // larger than any script that a person wrote
constexpr size_t kMaxDepth = 500;         // the interpreter gives up earlier

struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

// tree-sitter accepts what Python 3 refuses: statements of Python 2, and a first line that is indented.
bool IsPython2(PyNode node) {
  return node.Is("print_statement") || node.Is("exec_statement") || node.Is("chevron");
}

bool StartsIndented(const std::string& code) {
  size_t at = 0;
  while (at < code.size()) {
    const size_t end = std::min(code.find('\n', at), code.size());
    const size_t text = code.find_first_not_of(" \t\f", at);
    if (text < end && code[text] != '#') return text > at;
    at = end + 1;
  }
  return false;
}

}  // namespace

bool PyNode::operator==(const PyNode& other) const {
  return static_cast<bool>(*this) == static_cast<bool>(other) && (!*this || ts_node_eq(node_, other.node_));
}

std::string_view PyNode::Text() const {
  if (!*this) return {};
  return std::string_view(source_->code).substr(Begin(), End() - Begin());
}

PyNode PyNode::Parent() const {
  if (!*this) return {};
  const auto parent = source_->parents.find(node_.id);
  return parent == source_->parents.end() ? PyNode() : PyNode(parent->second, source_);
}

PyNode PyNode::Field(std::string_view name) const {
  if (!*this) return {};
  return PyNode(ts_node_child_by_field_name(node_, name.data(), static_cast<uint32_t>(name.size())), source_);
}

std::vector<PyNode> PyNode::Children() const {
  std::vector<PyNode> out;
  if (!*this) return out;
  TSTreeCursor cursor = ts_tree_cursor_new(node_);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const PyNode child(ts_tree_cursor_current_node(&cursor), source_);
    if (ts_node_is_named(child.node_) && !child.Is("comment") && !child.Is("line_continuation")) out.push_back(child);
  }
  ts_tree_cursor_delete(&cursor);
  return out;
}

PyNode PyNode::Enclosing(std::string_view type) const {
  PyNode node = Parent();
  while (node && !node.Is(type)) node = node.Parent();
  return node;
}

PythonTree PythonTree::Parse(std::string code) {
  PythonTree tree;
  const bool small = code.size() <= kMaxBytes && code.find('\0') == std::string::npos;
  tree.source_ = std::make_unique<PySource>();
  if (small) tree.source_->code = std::move(code);
  const std::string& text = tree.source_->code;
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) tree.line_ends_.push_back(at);
  const std::unique_ptr<TSParser, ParserDeleter> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), tree_sitter_python());
  tree.tree_.reset(ts_parser_parse_string(parser.get(), nullptr, text.data(), static_cast<uint32_t>(text.size())));
  const TSNode root = ts_tree_root_node(tree.tree_.get());
  tree.well_formed_ = small && !ts_node_has_error(root) && !StartsIndented(text);
  std::vector<TSNode> ancestors;
  PythonLayout layout(text);
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  while (true) {
    const TSNode current = ts_tree_cursor_current_node(&cursor);
    const PyNode node(current, tree.source_.get());
    if (!ancestors.empty()) tree.source_->parents.emplace(current.id, ancestors.back());
    if (ts_node_is_named(current)) tree.nodes_.push_back(node);
    if (IsPython2(node) || ancestors.size() > kMaxDepth) tree.well_formed_ = false;
    if (ancestors.size() <= kMaxDepth && ts_tree_cursor_goto_first_child(&cursor)) {
      ancestors.push_back(current);
      continue;
    }
    layout.Visit(current, ancestors);
    bool moved = ts_tree_cursor_goto_next_sibling(&cursor);
    while (!moved && ts_tree_cursor_goto_parent(&cursor)) {
      ancestors.pop_back();
      moved = ts_tree_cursor_goto_next_sibling(&cursor);
    }
    if (!moved) break;
  }
  ts_tree_cursor_delete(&cursor);
  tree.well_formed_ &= layout.Good();
  return tree;
}

int PythonTree::LineOf(size_t offset) const {
  return static_cast<int>(std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin()) + 1;
}

std::string PythonTree::WithoutComments() const {
  std::string out = source_->code;
  for (const PyNode& node : nodes_) {
    const bool doc_string = node.Is("string") && node.Parent().Is("expression_statement");
    if (!node.Is("comment") && !doc_string) continue;
    for (size_t i = node.Begin(); i < node.End(); ++i)
      if (out[i] != '\n') out[i] = ' ';
  }
  return out;
}

std::string DottedName(PyNode node) {
  std::string name;
  for (; node.Is("attribute"); node = node.Field("object")) {
    const std::string part = "." + std::string(node.Field("attribute").Text());
    name = part + name;
  }
  return node.Is("identifier") ? std::string(node.Text()) + name : std::string();
}

const std::string* StringValue(PyNode node, std::string* storage) {
  if (!node.Is("string")) return nullptr;
  storage->clear();
  for (const PyNode& child : node.Children()) {
    if (child.Is("interpolation")) return nullptr;
    if (child.Is("string_start") && child.Text().find_first_of("bBfF") != std::string_view::npos) return nullptr;
    if (child.Is("string_content")) *storage = child.Text();
  }
  return storage;
}

}  // namespace xpu_align
