// Any Python: edits lie inside the code, in order, without overlap, and tell what they replaced; making them gives
// the adapted code, which parses, has one line for each line, and is the same text again outside the edits.
#include "compose/adaptation.h"
#include "fuzz/properties.h"

namespace xpu_align {
namespace {

void CheckAdaptation(const PythonTree& tree, const Names& names, const TargetProfile& target) {
  const Adaptation adapted = Adapt(tree, names, target, EditList(tree));
  const std::string& code = tree.Code();
  std::string again;
  size_t at = 0;
  for (const Edit& edit : adapted.edits) {
    CHECK(at <= edit.begin && edit.begin <= edit.end && edit.end <= code.size());
    CHECK(code.substr(edit.begin, edit.end - edit.begin) == edit.before.ForMatching());
    CHECK(edit.line == tree.LineOf(edit.begin) && !edit.rule.empty());
    again.append(code, at, edit.begin - at).append(edit.after);
    at = edit.end;
  }
  again.append(code, at);
  CHECK(adapted.code == again);
  CHECK(Lines(adapted.code) == Lines(code));
  CHECK(PythonTree::Parse(adapted.code).WellFormed());
  for (const std::string& statement : adapted.prelude) CHECK(PythonTree::Parse(statement + "\n").WellFormed());
  for (const std::string& note : adapted.notes) CHECK(IsOneLine(note));
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  static const RuleSet& rules = RulesOf("xpu");
  const PythonTree tree = PythonTree::Parse(std::string(TextOf(data, size)));
  if (!tree.WellFormed()) return 0;
  const Names names = NamesOf(tree);
  CheckAdaptation(tree, names, rules.target);
  CheckAdaptation(tree, names, rules.cpu);
  return 0;
}
