// PythonSyntax: a Python text and its syntax tree (tree-sitter-python), with what the extractor asks of a node. Broken
// code gives the nodes that could be read; nothing is executed. Used by the Python extractors: compose has its own,
// which also judges whether the interpreter would take the text.
#pragma once
#include <tree_sitter/api.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "distill/fact_maker.h"

namespace xpu_align::distill {

class PythonSyntax {
 public:
  // `text` must outlive this.
  explicit PythonSyntax(std::string_view text);

  TSNode Root() const { return ts_tree_root_node(tree_.get()); }
  std::string_view Text(TSNode node) const;
  std::string_view Type(TSNode node) const;
  bool Is(TSNode node, std::string_view type) const { return Type(node) == type; }
  TSNode Field(TSNode node, std::string_view name) const;
  // Named, without comments.
  std::vector<TSNode> Children(TSNode node) const;
  // On one line, comments gone.
  std::string Snippet(TSNode node) const;
  // a.b.c; "" for what is no dotted name.
  std::string DottedName(TSNode node) const;
  // Literal text and {} for what is computed, also of concatenated and formatted strings.
  void AddMessage(TSNode node, MessageText* message, int depth = 0) const;
  // The text of a string without computed parts; "" for anything else.
  std::string Literal(TSNode node) const;
  // Positional arguments of a call.
  std::vector<TSNode> Arguments(TSNode call) const;
  // The value of a keyword argument; a null node when it is not given.
  TSNode Keyword(TSNode call, std::string_view name) const;

 private:
  struct FreeTree {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };
  std::string_view text_;
  std::unique_ptr<TSTree, FreeTree> tree_;
};

inline size_t Begin(TSNode node) { return ts_node_start_byte(node); }
inline size_t End(TSNode node) { return ts_node_end_byte(node); }
inline bool Exists(TSNode node) { return !ts_node_is_null(node); }

// The last part of a.b.c.
inline std::string_view LastPart(std::string_view dotted) {
  const size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

// Of a method: decorated as abstract; only raises; does nothing.
enum class PythonBody { kAbstract, kThrows, kEmpty, kOther };
// `parent` may be the node that holds the decorators.
PythonBody BodyOfMethod(const PythonSyntax& syntax, TSNode function, TSNode parent);

void ExtractPythonFacts(const ScopeReaders& readers, FactMaker* facts);
std::vector<ClassText> PythonClasses(const SourceText& source);

}  // namespace xpu_align::distill
