// Any Python with its text as the report: a refusal is one safe line; comments alone never change it. The same bytes as
// a rules file are refused or give rules.
#include "compose/precheck.h"
#include "fuzz/properties.h"
#include "json/json.h"

namespace xpu_align {
namespace {

std::optional<RefusalReason> Refused(const std::string& code, const std::vector<PrecheckRule>& rules, const TargetProfile& target) {
  const PythonTree tree = PythonTree::Parse(code);
  const Names names = NamesOf(tree);
  const Details details{.id = CandidateId::OfIssue(7)};
  return PrecheckOf(rules, {details, tree, names, Adapt(tree, names, target, EditList(tree)), OracleOf(details, tree, names)});
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  static const RuleSet& set = RulesOf("xpu");
  static const std::vector<PrecheckRule> rules = std::move(*PrecheckRulesFromJson(set.precheck));
  const std::string text(TextOf(data, size));
  if (const auto json = ParseJson(text)) static_cast<void>(PrecheckRulesFromJson(*json));
  if (!PythonTree::Parse(text).WellFormed()) return 0;
  const auto reason = Refused(text, rules, set.target);
  if (reason) CHECK(IsOneLine(reason->text) && !reason->text.empty() && IsValidUtf8(reason->text));
  const std::string commented = text + (text.ends_with('\n') ? "" : "\n") + "# torch.load(x) mp.spawn(f) os.dup2(1, 3) time.time()\n";
  if (!PythonTree::Parse(commented).WellFormed()) return 0;  // the text ends inside a line that goes on
  const auto again = Refused(commented, rules, set.target);
  CHECK(reason.has_value() == again.has_value());
  if (reason) CHECK(reason->refusal == again->refusal);
  return 0;
}
