#include <algorithm>
#include <set>

#include "distill/python_syntax.h"

namespace xpu_align::distill {
namespace {

constexpr size_t kMaxDepth = 400;
constexpr size_t kLeastTransitions = 3;

bool IsConstantName(std::string_view name) {
  return name.size() > 1 && name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos &&
         name[0] != '_';
}
bool IsStateName(std::string_view name) {
  return name.ends_with("State") || name.ends_with("Status") || name.ends_with("Stage") || name.ends_with("Phase") ||
         name.ends_with("Action");
}
bool IsEnvironment(std::string_view name) { return name == "os.environ" || name == "environ"; }

bool IsRegistration(std::string_view dotted, const ScopeReaders& readers) {
  std::string_view name = LastPart(dotted);
  if (std::ranges::find(readers.registration, name) != readers.registration.end()) return true;
  if (dotted.starts_with("torch.library.")) return true;
  while (name.starts_with('_')) name.remove_prefix(1);
  if (name.starts_with("register")) return name.size() == 8 || name[8] == '_' || name == "register_buffer";
  return name.starts_with("rename_privateuse1") || name.starts_with("generate_methods_for");
}
// nn.Module bookkeeping is no registration of a backend.
bool IsModuleBookkeeping(std::string_view dotted) {
  const std::string_view name = LastPart(dotted);
  return name == "register_buffer" || name == "register_parameter" || name == "register_module" ||
         name == "register_forward_hook" || name == "register_forward_pre_hook" || name == "register_hook";
}

class PythonExtractor {
 public:
  PythonExtractor(const ScopeReaders& readers, FactMaker* facts)
      : readers_(readers), facts_(*facts), syntax_(facts->Text()) {
    const std::string& path = facts->Path();
    is_config_ = path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1).contains("config");
  }

  void Run() { Visit(syntax_.Root()); }

 private:
  std::string Subject() const {
    std::string name;
    for (const std::string& one : names_) name += (name.empty() ? "" : ".") + one;
    return name;
  }
  std::string SubjectOf(std::string_view name) const {
    const std::string outer = Subject();
    return outer.empty() ? std::string(name) : outer + "." + std::string(name);
  }
  bool InFunction() const { return functions_ > 0; }

  void Visit(TSNode node) {
    if (ancestors_.size() > kMaxDepth) return;
    const std::string_view type = syntax_.Type(node);
    bool named = false, function = false;
    if (type == "call")
      Call(node);
    else if (type == "subscript")
      Subscript(node);
    else if (type == "comparison_operator")
      Membership(node);
    else if (type == "raise_statement")
      Raise(node);
    else if (type == "assert_statement")
      Assert(node);
    else if (type == "decorator")
      Decorator(node);
    else if (type == "assignment")
      Assignment(node);
    else if (type == "dictionary")
      Transitions(node);
    else if (type == "keyword_argument")
      EntryPoints(node);
    else if (type == "class_definition")
      Class(node), named = true;
    else if (type == "function_definition")
      Function(node), named = function = true;
    if (named) names_.emplace_back(syntax_.Text(syntax_.Field(node, "name")));
    functions_ += function ? 1 : 0;
    ancestors_.push_back(node);
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    for (bool more = ts_tree_cursor_goto_first_child(&cursor); more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
      const TSNode child = ts_tree_cursor_current_node(&cursor);
      if (ts_node_is_named(child) && ts_node_named_child_count(child) > 0)
        Visit(child);
      else if (ts_node_is_named(child) && syntax_.Is(child, "raise_statement"))
        Raise(child);
    }
    ts_tree_cursor_delete(&cursor);
    ancestors_.pop_back();
    functions_ -= function ? 1 : 0;
    if (named) names_.pop_back();
  }

  TSNode Parent() const { return ancestors_.empty() ? TSNode{} : ancestors_.back(); }

  // Of the innermost if or elif in the same function.
  std::string ConditionAround() const {
    for (size_t i = ancestors_.size(); i-- > 0;) {
      const std::string_view type = syntax_.Type(ancestors_[i]);
      if (type == "function_definition" || type == "class_definition") return {};
      if (type == "else_clause" || type == "except_clause")
        return std::string(type == "else_clause" ? "else" : "except");
      if (type == "if_statement" || type == "elif_clause")
        return syntax_.Snippet(syntax_.Field(ancestors_[i], "condition"));
    }
    return {};
  }

  void Call(TSNode node) {
    const std::string name = syntax_.DottedName(syntax_.Field(node, "function"));
    if (name.empty()) return;
    const std::string_view last = LastPart(name);
    const std::vector<TSNode> arguments = syntax_.Arguments(node);
    const std::string_view object = name.size() > last.size()
                                        ? std::string_view(name).substr(0, name.size() - last.size() - 1)
                                        : std::string_view();
    if ((last == "getenv" && (object == "os" || object.empty())) || (IsEnvironment(object) && last == "get") ||
        std::ranges::find(readers_.env, last) != readers_.env.end()) {
      Environment(node, name, arguments, FactKind::kEnv);
    } else if (IsEnvironment(object) && (last == "setdefault" || last == "pop" || last == "update")) {
      Environment(node, name, arguments, FactKind::kEnvSet);
    } else if (name == "os.putenv" || name == "os.unsetenv") {
      Environment(node, name, arguments, FactKind::kEnvSet);
    } else if (name == "warnings.warn" || last == "warning" || last == "warning_once" ||
               std::ranges::find(readers_.warn, last) != readers_.warn.end()) {
      Warning(node, name, arguments);
    } else if (IsRegistration(name, readers_) && !IsModuleBookkeeping(name)) {
      Registration(node, name, arguments);
    } else if ((last == "impl" || last == "define") && object.contains("lib") && !arguments.empty() &&
               !syntax_.Literal(arguments[0]).empty()) {
      Registration(node, name, arguments);
    }
  }

  void Environment(TSNode node, const std::string& call, const std::vector<TSNode>& arguments, FactKind kind) {
    if (arguments.empty()) return;
    const std::string variable = syntax_.Literal(arguments[0]);
    if (variable.empty()) return;
    TSNode second = arguments.size() > 1 ? arguments[1] : syntax_.Keyword(node, "default");
    Json value, names = Json::EmptyArray();
    names.Append(variable);
    value.Set("names", std::move(names));
    const Json text = Exists(second) ? Json(syntax_.Snippet(second)) : Json();
    if (kind == FactKind::kEnv) {
      value.Set("default", text).Set("reader", call);
      if (!InFunction()) value.Set("read_once", true);
      // In the subject of the key: `X = os.environ.get("Y", ...)` at two places are two facts.
      facts_.Add({kind, variable, SubjectOf(call), value, "py.env@1"}, Begin(node), End(node));
    } else {
      value.SetIfAny("value", text).Set("call", call);
      facts_.Add({kind, variable, SubjectOf(call), value, "py.env-set@1"}, Begin(node), End(node));
    }
  }

  // os.environ["X"], read or written.
  void Subscript(TSNode node) {
    const std::string name = syntax_.DottedName(syntax_.Field(node, "value"));
    if (!IsEnvironment(name)) return;
    const std::string variable = syntax_.Literal(syntax_.Field(node, "subscript"));
    if (variable.empty()) return;
    Json value, names = Json::EmptyArray();
    names.Append(variable);
    value.Set("names", std::move(names));
    const TSNode parent = Parent();
    const bool written = syntax_.Is(parent, "assignment") && ts_node_eq(syntax_.Field(parent, "left"), node);
    if (written || syntax_.Is(parent, "delete_statement")) {
      value.SetIfAny("value", written ? syntax_.Snippet(syntax_.Field(parent, "right")) : "")
          .Set("call", written ? "=" : "del");
      facts_.Add({FactKind::kEnvSet, variable, SubjectOf("[]"), value, "py.env-set@1"}, Begin(parent), End(parent));
    } else {
      value.Set("default", Json()).Set("reader", name + "[]");
      facts_.Add({FactKind::kEnv, variable, SubjectOf("[]"), value, "py.env@1"}, Begin(node), End(node));
    }
  }

  // "X" in os.environ
  void Membership(TSNode node) {
    const std::vector<TSNode> sides = syntax_.Children(node);
    if (sides.size() != 2 || !IsEnvironment(syntax_.DottedName(sides[1]))) return;
    const std::string variable = syntax_.Literal(sides[0]);
    if (variable.empty()) return;
    Json value, names = Json::EmptyArray();
    names.Append(variable);
    value.Set("names", std::move(names)).Set("default", Json()).Set("reader", "in");
    facts_.Add({FactKind::kEnv, variable, SubjectOf("in"), value, "py.env@1"}, Begin(node), End(node));
  }

  void Warning(TSNode node, const std::string& call, const std::vector<TSNode>& arguments) {
    if (arguments.empty()) return;
    MessageText message;
    syntax_.AddMessage(arguments[0], &message);
    if (!message.HasLiteral()) return;
    Json value;
    value.Set("macro", call).Set("message", message.Text()).SetIfAny("under", ConditionAround());
    facts_.Add({FactKind::kWarn, Subject(), message.Text(), value, "py.warn@1", message.Kind()}, Begin(node),
               End(node));
  }

  void Registration(TSNode node, const std::string& call, const std::vector<TSNode>& arguments) {
    Json value, list = Json::EmptyArray();
    for (size_t i = 0; i < arguments.size() && i < 4; ++i) list.Append(syntax_.Snippet(arguments[i]));
    const std::string first = arguments.empty() ? "" : syntax_.Snippet(arguments[0]);
    value.Set("call", call).Set("arguments", std::move(list));
    if (!InFunction()) value.Set("read_once", true);
    facts_.Add({FactKind::kReg, call, first, value, "py.reg@1"}, Begin(node), End(node));
  }

  // @register_x without a call; one with a call is seen as a call.
  void Decorator(TSNode node) {
    const std::vector<TSNode> children = syntax_.Children(node);
    if (children.size() != 1) return;
    const std::string name = syntax_.DottedName(children[0]);
    if (name.empty() || !IsRegistration(name, readers_)) return;
    const std::string decorated(syntax_.Text(syntax_.Field(syntax_.Field(Parent(), "definition"), "name")));
    Json value;
    value.Set("call", name).Set("under", decorated);
    facts_.Add({FactKind::kReg, name, SubjectOf(decorated), value, "py.reg@1"}, Begin(node), End(node));
  }

  void Raise(TSNode node) {
    const std::vector<TSNode> children = syntax_.Children(node);
    if (children.empty()) return;  // passes on what was caught
    MessageText message;
    std::string type = syntax_.DottedName(children[0]);
    if (syntax_.Is(children[0], "call")) {
      type = syntax_.DottedName(syntax_.Field(children[0], "function"));
      bool first = true;
      for (const TSNode argument : syntax_.Arguments(children[0])) {
        if (first) syntax_.AddMessage(argument, &message);
        first = false;
      }
    }
    const std::string condition = ConditionAround();
    if (!message.HasLiteral() && (type.empty() || condition.empty())) return;
    Json value;
    value.Set("macro", "raise").SetIfAny("type", type).SetIfAny("under", condition);
    value.SetIfAny("message", message.HasLiteral() ? message.Text() : "");
    const std::string detail = message.HasLiteral() ? message.Text() : "raise " + type + " if " + condition;
    facts_.Add({FactKind::kCheck, Subject(), detail, value, "py.check@1", message.Kind()}, Begin(node), End(node));
  }

  void Assert(TSNode node) {
    const std::vector<TSNode> children = syntax_.Children(node);
    if (children.empty()) return;
    MessageText message;
    if (children.size() > 1) syntax_.AddMessage(children[1], &message);
    const std::string condition = syntax_.Snippet(children[0]);
    Json value;
    value.Set("macro", "assert")
        .Set("condition", condition)
        .SetIfAny("message", message.HasLiteral() ? message.Text() : "");
    const std::string detail = message.HasLiteral() ? message.Text() : "if " + condition;
    facts_.Add({FactKind::kCheck, Subject(), detail, value, "py.check@1", message.Kind()}, Begin(node), End(node));
  }

  void Function(TSNode node) {
    const std::string name(syntax_.Text(syntax_.Field(node, "name")));
    if (InFunction()) return;
    TSNode last = syntax_.Field(node, "return_type");
    if (!Exists(last)) last = syntax_.Field(node, "parameters");
    if (!Exists(last)) return;
    Json value;
    std::string signature = name + syntax_.Snippet(syntax_.Field(node, "parameters"));
    value.Set("name", name).Set("signature", signature);
    if (names_.empty()) {
      if (!name.starts_with('_'))
        facts_.Add({FactKind::kApi, name, "", value.Set("state", "function"), "py.api@1"}, Begin(node), End(last));
      return;
    }
    const PythonBody body = BodyOfMethod(syntax_, node, Parent());
    if (body != PythonBody::kAbstract && body != PythonBody::kThrows) return;
    value.Set("class", Subject()).Set("state", body == PythonBody::kAbstract ? "pure" : "throws");
    facts_.Add({FactKind::kVirtual, SubjectOf(name), "", value, "py.virtual@1"}, Begin(node), End(node));
  }

  void Class(TSNode node) {
    bool is_enum = false;
    for (const TSNode base : syntax_.Children(syntax_.Field(node, "superclasses")))
      is_enum = is_enum || std::string_view(LastPart(syntax_.DottedName(base))).ends_with("Enum") ||
                LastPart(syntax_.DottedName(base)) == "Flag";
    if (!is_enum) return;
    const std::string name(syntax_.Text(syntax_.Field(node, "name")));
    Json members = Json::EmptyArray();
    size_t end = 0;
    for (const TSNode statement : syntax_.Children(syntax_.Field(node, "body"))) {
      const std::vector<TSNode> inner = syntax_.Children(statement);
      if (!syntax_.Is(statement, "expression_statement") || inner.empty() || !syntax_.Is(inner[0], "assignment"))
        continue;
      members.Append(syntax_.Snippet(inner[0]));
      end = End(statement);
    }
    if (end == 0) return;
    Json value;
    value.Set("name", name).Set("members", std::move(members));
    facts_.Add({IsStateName(name) ? FactKind::kState : FactKind::kEnum, SubjectOf(name), "", value, "py.enum@1"},
               Begin(node), end);
  }

  void Assignment(TSNode node) {
    if (InFunction() || !syntax_.Is(Parent(), "expression_statement")) return;
    const TSNode left = syntax_.Field(node, "left"), right = syntax_.Field(node, "right");
    if (!syntax_.Is(left, "identifier") || !Exists(right)) return;
    const std::string name(syntax_.Text(left));
    if (name.starts_with("__")) return;
    const TSNode type = syntax_.Field(node, "type");
    Json value;
    value.Set("name", name).Set("default", syntax_.Snippet(right));
    if (Exists(type)) value.Set("type", syntax_.Snippet(type));
    const bool in_class = !names_.empty();
    FactKind kind = FactKind::kConst;
    if (is_config_)
      kind = FactKind::kCfg, value.Set("key", name);
    else if (in_class && Exists(type))
      kind = FactKind::kField;
    else if (!IsConstantName(name))
      return;
    const std::string_view rule = kind == FactKind::kCfg     ? "py.cfg@1"
                                  : kind == FactKind::kField ? "py.field@1"
                                                             : "py.const@1";
    facts_.Add({kind, SubjectOf(name), "", value, rule}, Begin(node), End(node));
  }

  // {(A, B): ..., (B, C): ...}
  void Transitions(TSNode node) {
    Json transitions = Json::EmptyArray();
    for (const TSNode pair : syntax_.Children(node)) {
      if (!syntax_.Is(pair, "pair") || !syntax_.Is(syntax_.Field(pair, "key"), "tuple")) return;
      transitions.Append(syntax_.Snippet(syntax_.Field(pair, "key")));
    }
    if (transitions.AsArray()->size() < kLeastTransitions) return;
    const TSNode parent = Parent();
    const std::string name = syntax_.Is(parent, "assignment") ? syntax_.DottedName(syntax_.Field(parent, "left")) : "";
    Json value;
    value.Set("transitions", std::move(transitions)).SetIfAny("under", name);
    facts_.Add({FactKind::kState, SubjectOf(name.empty() ? "transitions" : name), "", value, "py.state@1"}, Begin(node),
               End(node));
  }

  // entry_points={"group": ["name = module:function"]} of a setup file
  void EntryPoints(TSNode node) {
    if (syntax_.Text(syntax_.Field(node, "name")) != "entry_points" ||
        !syntax_.Is(syntax_.Field(node, "value"), "dictionary"))
      return;
    for (const TSNode pair : syntax_.Children(syntax_.Field(node, "value"))) {
      const std::string group = syntax_.Literal(syntax_.Field(pair, "key"));
      for (const TSNode entry : syntax_.Children(syntax_.Field(pair, "value"))) {
        const std::string text = syntax_.Literal(entry);
        if (group.empty() || !text.contains('=')) continue;
        Json value;
        value.Set("under", group).Set("name", text);
        facts_.Add({FactKind::kReg, group, text.substr(0, text.find_first_of(" =")), value, "py.reg@1"}, Begin(entry),
                   End(entry));
      }
    }
  }

  const ScopeReaders& readers_;
  FactMaker& facts_;
  PythonSyntax syntax_;
  bool is_config_ = false;
  std::vector<std::string> names_;
  std::vector<TSNode> ancestors_;
  int functions_ = 0;
};

}  // namespace

void ExtractPythonFacts(const ScopeReaders& readers, FactMaker* facts) { PythonExtractor(readers, facts).Run(); }

}  // namespace xpu_align::distill
