#include "distill/python_syntax.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace xpu_align::distill {
namespace {

constexpr int kMaxMessageDepth = 100;  // of pieces in pieces

struct FreeParser {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

}  // namespace

PythonSyntax::PythonSyntax(std::string_view text) : text_(text) {
  const std::unique_ptr<TSParser, FreeParser> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), tree_sitter_python());
  tree_.reset(ts_parser_parse_string(parser.get(), nullptr, text.data(), static_cast<uint32_t>(text.size())));
}

std::string_view PythonSyntax::Text(TSNode node) const {
  return Exists(node) ? text_.substr(Begin(node), End(node) - Begin(node)) : std::string_view();
}

std::string_view PythonSyntax::Type(TSNode node) const {
  return Exists(node) ? std::string_view(ts_node_type(node)) : std::string_view();
}

TSNode PythonSyntax::Field(TSNode node, std::string_view name) const {
  return Exists(node) ? ts_node_child_by_field_name(node, name.data(), static_cast<uint32_t>(name.size())) : node;
}

std::vector<TSNode> PythonSyntax::Children(TSNode node) const {
  std::vector<TSNode> children;
  if (!Exists(node)) return children;
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const TSNode child = ts_tree_cursor_current_node(&cursor);
    if (ts_node_is_named(child) && !Is(child, "comment") && !Is(child, "line_continuation")) children.push_back(child);
  }
  ts_tree_cursor_delete(&cursor);
  return children;
}

std::string PythonSyntax::Snippet(TSNode node) const {
  const std::string_view text = Text(node);
  std::string out;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == '\\' && i + 1 < text.size())
        out += c, out += text[++i];
      else
        out += c == '\n' ? ' ' : c;
      if (c == quote) quote = '\0';
    } else if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' ||
               (c == '\\' && i + 1 < text.size() && (text[i + 1] == '\n' || text[i + 1] == '\r'))) {
      if (!out.empty() && !out.ends_with(' ')) out += ' ';
    } else {
      if (c == '"' || c == '\'') quote = c;
      out += c;
    }
  }
  return out;
}

std::string PythonSyntax::DottedName(TSNode node) const {
  std::string name;
  for (; Is(node, "attribute"); node = Field(node, "object"))
    name = "." + std::string(Text(Field(node, "attribute"))) + name;
  return Is(node, "identifier") ? std::string(Text(node)) + name : std::string();
}

void PythonSyntax::AddMessage(TSNode node, MessageText* message, int depth) const {
  if (depth > kMaxMessageDepth) return message->Computed();
  if (Is(node, "string")) {
    for (const TSNode child : Children(node)) {
      if (Is(child, "interpolation")) message->Computed();
      if (Is(child, "string_content")) message->Literal(Text(child));
    }
  } else if (Is(node, "concatenated_string") || Is(node, "parenthesized_expression")) {
    for (const TSNode child : Children(node)) AddMessage(child, message, depth + 1);
  } else if (Is(node, "binary_operator")) {
    AddMessage(Field(node, "left"), message, depth + 1);
    // "..." % values: the literal has its own marks.
    if (Text(Field(node, "operator")) == "%") return message->Computed();
    AddMessage(Field(node, "right"), message, depth + 1);
  } else if (Is(node, "call") && Is(Field(node, "function"), "attribute") &&
             Text(Field(Field(node, "function"), "attribute")) == "format") {
    AddMessage(Field(Field(node, "function"), "object"), message, depth + 1);
    message->Computed();
  } else {
    message->Computed();
  }
}

std::string PythonSyntax::Literal(TSNode node) const {
  if (!Is(node, "string") && !Is(node, "concatenated_string")) return {};
  MessageText message;
  AddMessage(node, &message);
  return message.Kind() == Confidence::kLiteral ? message.Text() : std::string();
}

std::vector<TSNode> PythonSyntax::Arguments(TSNode call) const {
  std::vector<TSNode> arguments;
  const TSNode list = Field(call, "arguments");
  if (!Is(list, "argument_list")) return arguments;
  for (const TSNode child : Children(list))
    if (!Is(child, "keyword_argument")) arguments.push_back(child);
  return arguments;
}

TSNode PythonSyntax::Keyword(TSNode call, std::string_view name) const {
  for (const TSNode child : Children(Field(call, "arguments")))
    if (Is(child, "keyword_argument") && Text(Field(child, "name")) == name) return Field(child, "value");
  return TSNode{};
}

}  // namespace xpu_align::distill
