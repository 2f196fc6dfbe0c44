// Any first line as title and rest as body, path and patch: a rejection names a rule and a reason of the closed list, a
// title's match is part of it; areas are sorted and unique; a pass gives no reason. A script's key is a hash or nothing; a
// twin, and nothing else, has a counterpart of path characters.
#include <set>

#include "filter/deep_filter.h"
#include "filter/diff_effect.h"
#include "filter/script_key.h"
#include "filter/title_filter.h"
#include "fuzz/properties.h"

namespace xpu_align {
namespace {

void CheckTitle(const TitleFilter& filter, Kind kind, const std::string& title) {
  const TitleDecision decision = filter.Decide(kind, UntrustedText(title));
  CHECK(title.contains(decision.match.ForMatching()));
  CHECK(decision.rule.empty() == decision.reason.empty());
  if (decision.status == TitleStatus::kReject) CHECK(!decision.rule.empty());
}

void CheckDetails(const DeepFilter& filter, const Details& details) {
  static const std::set<std::string> reasons(DetailRules::Reasons().begin(), DetailRules::Reasons().end());
  for (const Runnable runnable : {Runnable::kNothing, Runnable::kScript}) {
    const DeepDecision decision = filter.Decide(details, runnable);
    CHECK(decision.status == DeepStatus::kReject || decision.status == DeepStatus::kPass);
    CHECK((decision.status == DeepStatus::kReject) == reasons.contains(decision.reason.rule));
    CHECK((decision.status == DeepStatus::kReject) == !decision.rule.empty());
    CHECK(IsOneLine(decision.reason.text));
    CHECK(std::ranges::adjacent_find(decision.areas, std::greater_equal<>()) == decision.areas.end());
  }
}

void CheckTextAndPaths(const DeepFilter& filter, const Details& details) {
  const std::string key = ScriptKeyOf(details);
  CHECK(key.empty() || key.size() == 64);
  for (const ChangedFile& file : details.files) {
    const ClassifiedPath path = filter.Classify(file.path);
    CHECK(path.counterpart.empty() == (path.path_class != PathClass::kTwin));
    for (const char c : path.counterpart) CHECK(c > ' ' && c < 127 && c != '`' && c != '|');
    if (AddsOnly(file) && file.status != "added") CHECK(!file.patch.ForMatching().contains("\n-"));
  }
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  static const RuleSet& rules = RulesOf("xpu");
  const HeadAndRest input = Divided(TextOf(data, size));
  for (const Kind kind : {Kind::kIssue, Kind::kPullRequest, Kind::kCommit}) CheckTitle(rules.title, kind, input.head);
  Details issue{.id = CandidateId::OfIssue(7), .title = UntrustedText(input.head), .labels = {"module: inductor"}};
  issue.body = UntrustedText(input.rest);
  CheckDetails(rules.deep, issue);
  CheckTextAndPaths(rules.deep, issue);
  Details change{.id = CandidateId::OfPullRequest(8), .title = UntrustedText(input.head)};
  const HeadAndRest file = Divided(input.rest);
  change.files.push_back({.path = UntrustedText(file.head), .status = "modified", .patch = UntrustedText(file.rest)});
  CheckDetails(rules.deep, change);
  CheckTextAndPaths(rules.deep, change);
  // A patch that adds a statement is never called harmless.
  ChangedFile edited{.path = UntrustedText("torch/ring.py"), .status = "modified"};
  edited.patch = UntrustedText(file.rest + "\n@@ -1 +1 @@\n \n+ring = 1\n ");
  CHECK(EffectOf(edited) == DiffEffect::kSome);
  return 0;
}
