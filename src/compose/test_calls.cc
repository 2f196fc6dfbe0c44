#include "compose/test_calls.h"

#include <algorithm>

#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr std::string_view kRunAll =
    "__import__(\"unittest\").defaultTestLoader.loadTestsFromModule(__import__(\"sys\").modules[__name__]).debug()";

bool IsTestMain(const std::string& callee) {
  return callee == "unittest.main" || callee == "run_tests" || callee.ends_with(".run_tests") || callee == "pytest.main";
}

bool IsTestClass(PyNode node, const Names& names) {
  return node.Is("class_definition") &&
         std::ranges::any_of(node.Field("superclasses").Children(), [&names](PyNode base) {
           return Resolved(names, DottedName(base)).ends_with("TestCase");
         });
}

}  // namespace

void EditTestMain(const PythonTree& tree, const Names& names, EditList* edits) {
  const bool classes = std::ranges::any_of(tree.Nodes(), [&names](PyNode node) { return IsTestClass(node, names); });
  if (!classes) return;
  for (const PyNode& node : tree.Nodes())
    if (node.Is("call") && IsTestMain(CalleeOf(names, node))) edits->Replace("test-main", node, std::string(kRunAll));
}

std::vector<std::string> CallsOfUnrunTests(const PythonTree& tree, const Names& names) {
  static const Pattern test_name = Pattern::Constant("^test(?:_|$)");
  std::vector<std::string> lines;
  bool classes = false;
  for (const PyNode& node : tree.Nodes()) {
    if (node.Is("call") && IsTestMain(CalleeOf(names, node))) return {};
    classes |= IsTestClass(node, names);
    if (!node.Is("function_definition") || !node.Parent().Is("module")) continue;
    const std::string name(node.Field("name").Text());
    if (test_name.FoundIn(name) && !names.used.contains(name) && node.Field("parameters").Children().empty())
      lines.push_back(name + "()");
  }
  if (classes) lines.emplace_back(kRunAll);
  return lines;
}

}  // namespace xpu_align
