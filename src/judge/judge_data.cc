#include "judge/judge_data.h"

#include <algorithm>
#include <utility>

#include "model/schema.h"

namespace xpu_align {
namespace {

Result<Pattern> Compiled(const std::string& id, const std::string& expression) {
  auto pattern = Pattern::Compile(expression);
  if (!pattern) return Fail(pattern.error(), "judge rule '" + id + "'");
  return pattern;
}

Result<std::vector<TextRule>> TextRules(const Json& rules, std::string_view key) {
  std::vector<TextRule> out;
  for (const Json& entry : rules.ArrayOf(key)) {
    const std::string id = entry.StringOr("id");
    if (id.empty()) return Fail(ErrorKind::kConfig, "an entry of \"" + std::string(key) + "\" has no id");
    TRY_ASSIGN(Pattern pattern, Compiled(id, entry.StringOr("pattern")));
    out.push_back({id, std::move(pattern)});
  }
  if (out.empty()) return Fail(ErrorKind::kConfig, "judge rules: \"" + std::string(key) + "\" is empty");
  return out;
}

Result<std::vector<Pattern>> Patterns(const std::vector<std::string>& expressions, const std::string& what) {
  std::vector<Pattern> out;
  for (const std::string& expression : expressions) {
    TRY_ASSIGN(Pattern pattern, Compiled(what, expression));
    out.push_back(std::move(pattern));
  }
  return out;
}

Result<AdaptationRule> AdaptationFromJson(const Json& entry) {
  const std::string id = entry.StringOr("id");
  const auto bucket = BucketNamed(entry.StringOr("bucket"));
  if (id.empty() || !bucket || *bucket == Bucket::kConfirmed || *bucket == Bucket::kRelatedFailure)
    return Fail(ErrorKind::kConfig, "adaptation error '" + id + "' needs an id and a bucket that is no finding");
  TRY_ASSIGN(Pattern pattern, Compiled(id, entry.StringOr("pattern")));
  return AdaptationRule{
      .id = id,
      .exception_type = entry.StringOr("exception_type"),
      .pattern = std::move(pattern),
      .where = entry.StringOr("raised") == "in-script" ? RaisedWhere::kInScript : RaisedWhere::kAnywhere,
      .when_reported =
          entry.StringOr("when_reported") == "steps-back" ? WhenReported::kStepsBack : WhenReported::kStillApplies,
      .bucket = *bucket,
      .text = entry.StringOr("text")};
}

bool StepsBack(const AdaptationRule& rule, std::string_view reported) {
  return rule.when_reported == WhenReported::kStepsBack && rule.pattern.FoundIn(reported);
}

}  // namespace

const TextRule* FirstFound(const std::vector<TextRule>& rules, std::string_view text) {
  for (const TextRule& rule : rules)
    if (rule.pattern.FoundIn(text)) return &rule;
  return nullptr;
}

const AdaptationRule* JudgeData::AdaptationError(const RaisedText& raised, std::string_view reported) const {
  const std::string with_type = (raised.types.empty() ? "" : raised.types.front() + ": ") + std::string(raised.message);
  const AdaptationRule* first = nullptr;
  for (const AdaptationRule& rule : adaptation) {
    const bool type = rule.exception_type.empty() || std::find(raised.types.begin(), raised.types.end(),
                                                               rule.exception_type) != raised.types.end();
    const bool where = rule.where == RaisedWhere::kAnywhere || raised.where == RaisedWhere::kInScript;
    if (!type || !where || !(rule.pattern.FoundIn(raised.message) || rule.pattern.FoundIn(with_type))) continue;
    if (StepsBack(rule, reported)) return nullptr;  // and no coarser entry of a profile stands in for it
    if (first == nullptr) first = &rule;
  }
  return first;
}

const AdaptationRule* JudgeData::AdaptationErrorIn(std::string_view output, std::string_view reported) const {
  for (const AdaptationRule& rule : adaptation)
    if (rule.exception_type.empty() && rule.where == RaisedWhere::kAnywhere && rule.pattern.FoundIn(output) &&
        !StepsBack(rule, reported))
      return &rule;
  return nullptr;
}

std::string JudgeData::FaultClass(std::string_view text) const {
  const TextRule* fault = FirstFound(faults, text);
  return fault == nullptr ? "" : fault->id;
}

Result<JudgeData> JudgeDataFromJson(const Json& rules, const TargetProfile& target) {
  TRY(CheckSchema(rules, "judge-rules"));
  std::vector<std::string> devices = rules.StringsOf("device_names");
  if (devices.empty()) return Fail(ErrorKind::kConfig, "judge rules: \"device_names\" is empty");
  devices.push_back(target.device);
  JudgeData data{.normaliser = Normaliser(std::move(devices))};
  TRY_ASSIGN(data.frames.synchronising, Patterns(rules.StringsOf("synchronising_frames"), "synchronising_frames"));
  TRY_ASSIGN(data.frames.passing, Patterns(rules.StringsOf("passing_frames"), "passing_frames"));
  for (const AdaptationError& error : target.adaptation_errors) {
    TRY_ASSIGN(Pattern pattern, Compiled(target.name + ":" + error.id, error.pattern));
    data.adaptation.push_back({.id = error.id,
                               .exception_type = error.exception_type,
                               .pattern = std::move(pattern),
                               .bucket = error.bucket,
                               .text = error.text});
  }
  for (const Json& entry : rules.ArrayOf("adaptation_errors")) {
    TRY_ASSIGN(AdaptationRule rule, AdaptationFromJson(entry));
    data.adaptation.push_back(std::move(rule));
  }
  TRY_ASSIGN(data.faults, TextRules(rules, "faults"));
  TRY_ASSIGN(data.own_semantics, TextRules(rules, "own_semantics"));
  TRY_ASSIGN(data.nothing_ran, TextRules(rules, "nothing_ran"));
  TRY_ASSIGN(data.component_texts, TextRules(rules, "components"));
  TRY_ASSIGN(data.fallback_texts, Patterns(target.fallback_texts, target.name + ": fallback_texts"));
  return data;
}

}  // namespace xpu_align
