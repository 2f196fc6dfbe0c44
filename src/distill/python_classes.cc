#include "distill/python_syntax.h"

namespace xpu_align::distill {

PythonBody BodyOfMethod(const PythonSyntax& syntax, TSNode function, TSNode parent) {
  if (syntax.Is(parent, "decorated_definition"))
    for (const TSNode child : syntax.Children(parent))
      if (syntax.Is(child, "decorator") && syntax.Text(child).contains("abstractmethod")) return PythonBody::kAbstract;
  bool empty = true;
  for (const TSNode statement : syntax.Children(syntax.Field(function, "body"))) {
    if (syntax.Is(statement, "raise_statement")) return empty ? PythonBody::kThrows : PythonBody::kOther;
    const std::vector<TSNode> inner = syntax.Children(statement);
    const bool says_nothing =
        syntax.Is(statement, "pass_statement") || (syntax.Is(statement, "expression_statement") && inner.size() == 1 &&
                                                   (syntax.Is(inner[0], "string") || syntax.Is(inner[0], "ellipsis")));
    if (!says_nothing) empty = false;
  }
  return empty ? PythonBody::kEmpty : PythonBody::kOther;
}

std::vector<ClassText> PythonClasses(const SourceText& source) {
  const PythonSyntax syntax(source.Text());
  std::vector<ClassText> classes;
  for (const TSNode top : syntax.Children(syntax.Root())) {
    const TSNode node = syntax.Is(top, "decorated_definition") ? syntax.Field(top, "definition") : top;
    if (!syntax.Is(node, "class_definition")) continue;
    ClassText one{std::string(syntax.Text(syntax.Field(node, "name"))), source.LinesOf(Begin(node), End(node)), {}, {}};
    for (const TSNode base : syntax.Children(syntax.Field(node, "superclasses")))
      one.bases.emplace_back(LastPart(syntax.DottedName(base)));
    for (const TSNode statement : syntax.Children(syntax.Field(node, "body"))) {
      const bool decorated = syntax.Is(statement, "decorated_definition");
      const TSNode method = decorated ? syntax.Field(statement, "definition") : statement;
      using State = ClassMember::State;
      ClassMember member{.is_virtual = true};
      const std::vector<TSNode> inner = syntax.Children(statement);
      if (syntax.Is(method, "function_definition")) {
        member.name = syntax.Text(syntax.Field(method, "name"));
        member.signature = member.name + syntax.Snippet(syntax.Field(method, "parameters"));
        const auto state = BodyOfMethod(syntax, method, statement);
        member.state = state == PythonBody::kAbstract ? State::kPure
                       : state == PythonBody::kThrows ? State::kThrows
                                                      : State::kDefault;
        member.is_empty = state == PythonBody::kEmpty;
        member.lines = source.LinesOf(Begin(method), End(method));
      } else if (syntax.Is(statement, "expression_statement") && !inner.empty() && syntax.Is(inner[0], "assignment") &&
                 syntax.Is(syntax.Field(inner[0], "left"), "identifier") &&
                 syntax.Text(syntax.Field(inner[0], "right")).starts_with("staticmethod")) {
        member.name = syntax.Text(syntax.Field(inner[0], "left"));  // f = staticmethod(g)
        member.signature = syntax.Snippet(inner[0]);
        member.state = State::kDefault;
        member.is_empty = syntax.Text(syntax.Field(inner[0], "right")).contains("(None)");
        member.lines = source.LinesOf(Begin(statement), End(statement));
      } else {
        continue;
      }
      if (!member.name.starts_with("__")) one.members.push_back(std::move(member));
    }
    classes.push_back(std::move(one));
  }
  return classes;
}

}  // namespace xpu_align::distill
