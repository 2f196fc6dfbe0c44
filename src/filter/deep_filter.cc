#include "filter/deep_filter.h"

#include <algorithm>
#include <optional>
#include <set>

#include "filter/detail_rules.h"
#include "filter/diff_effect.h"

namespace xpu_align {

struct DeepFilter::Rules {
  PathClasses paths;
  DetailRules details;
  Features features;
  Pattern report_material;       // code, traceback or test command in the text of an issue
  Pattern single_process_tests;  // tests below test/distributed that need one process only
  Pattern no_operator;           // functional files that define and call no operator: nothing to probe
  std::vector<std::string> off;  // ids of built-in rules that are switched off

  bool IsOn(const char* id) const { return std::ranges::find(off, id) == off.end(); }
};

namespace {

// A rule that looks at the diff or at what there is to run, where deep.json has rules on the text.
struct BuiltInRule {
  const char* id;
  const char* reason;  // of DetailRules::Reasons()
  const char* text;
};
constexpr BuiltInRule kInfrastructure = {"diff-infrastructure", "no-behaviour-change",
                                         "only documentation, CI, build or other files without operators"};
constexpr BuiltInRule kTestsOnly = {"diff-tests-only", "no-behaviour-change", "only existing tests are edited"};
constexpr BuiltInRule kExclusive = {"diff-exclusive", "platform-exclusive",
                                    "every functional file belongs to another backend"};
constexpr BuiltInRule kTargetScoped = {"diff-target-scoped", "already-xpu-scoped",
                                       "the change is in the target's own code"};
constexpr BuiltInRule kNoEffect = {"diff-no-effect", "no-behaviour-change",
                                   "only white space, comments or annotations differ"};
constexpr BuiltInRule kMessages = {"diff-messages", "no-behaviour-change", "only the words of messages differ"};
constexpr BuiltInRule kDistributed = {"diff-distributed", "insufficient-repro-context",
                                      "distributed code without a script that runs in one process"};
constexpr BuiltInRule kReport = {"material-report", "insufficient-repro-context",
                                 "the report has no code and no test command"};
constexpr BuiltInRule kDiff = {"material-diff", "insufficient-commit-context", "insufficient commit context"};
constexpr BuiltInRule kBeforeText[] = {kInfrastructure, kTestsOnly, kExclusive, kTargetScoped, kNoEffect, kMessages};
constexpr BuiltInRule kAfterText[] = {kDistributed, kReport, kDiff};

DeepDecision Reject(std::string rule, std::string reason, std::string text) {
  return {DeepStatus::kReject, {std::move(reason), std::move(text)}, std::move(rule), {}};
}

DeepDecision Reject(const BuiltInRule& rule, const std::string& seen) {
  return Reject(rule.id, rule.reason, rule.text + (seen.empty() ? "" : ": " + seen));
}

// A changed file together with its class.
struct ClassedFile {
  const ChangedFile* file;
  ClassifiedPath path;
};

bool IsFunctional(const ClassedFile& f) {
  return f.path.path_class != PathClass::kTest && f.path.path_class != PathClass::kInfrastructure;
}

// The files of a diff in the groups that decide.
struct ClassedDiff {
  std::vector<ClassedFile> files, functional;
  int64_t changed_lines = 0;  // of functional files

  // Not for an empty list: nothing proves nothing.
  template <typename Predicate>
  static bool All(const std::vector<ClassedFile>& list, Predicate predicate) {
    return !list.empty() && std::ranges::all_of(list, predicate);
  }
  bool AllFunctional(PathClass path_class) const {
    return All(functional, [&](const ClassedFile& f) { return f.path.path_class == path_class; });
  }
  bool IsDistributedOnly() const {
    return All(functional, [](const ClassedFile& f) { return f.path.area.starts_with("distributed"); });
  }
};

ClassedDiff Classed(const Details& details, const PathClasses& paths) {
  ClassedDiff diff;
  for (const ChangedFile& file : details.files) {
    ClassedFile classed{&file, paths.Classify(file.path)};
    // A file moved out of shared code changes shared code.
    if (!file.previous_path.Empty() && !IsFunctional(classed)) {
      ClassifiedPath before = paths.Classify(file.previous_path);
      if (IsFunctional({&file, before})) classed.path = std::move(before);
    }
    diff.files.push_back(classed);
    if (!IsFunctional(classed)) continue;
    diff.changed_lines += file.additions + file.deletions;
    diff.functional.push_back(std::move(classed));
  }
  return diff;
}

std::vector<std::string> AreasOf(const ClassedDiff& diff) {
  std::set<std::string> areas;
  for (const ClassedFile& f : diff.files) {
    areas.insert(std::string(Name(f.path.path_class)));
    if (!f.path.area.empty()) areas.insert(f.path.area);
  }
  return {areas.begin(), areas.end()};
}

// "aten/x.mm and 2 more".
std::string NamesOf(const std::vector<ClassedFile>& files) {
  std::string text = files.front().file->path.ForLogLine(120);
  if (files.size() > 1) text += " and " + std::to_string(files.size() - 1) + " more";
  return text;
}

bool AddsTest(const Details& details) {
  return std::ranges::any_of(details.tests, [](const ChangedTest& test) { return test.change == "added"; });
}

// What was expected to fail and is no longer names an operator that was wrong.
bool LiftsExpectedFailure(const Details& details) {
  static const Pattern lifted = Pattern::Constant(R"((?m)^-.*(?:expectedFailure|\bxfail))");
  static const Pattern set = Pattern::Constant(R"((?m)^\+.*(?:expectedFailure|\bxfail))");
  return std::ranges::any_of(details.files, [](const ChangedFile& file) {
    return lifted.FoundIn(file.patch.ForMatching()) && !set.FoundIn(file.patch.ForMatching());
  });
}

DiffFacts FactsOf(const ClassedDiff& diff) {
  DiffFacts facts;
  for (const ClassedFile& f : diff.functional) facts.classes.push_back(f.path.path_class);
  facts.adds_files_only = ClassedDiff::All(diff.functional, [](const ClassedFile& f) { return AddsOnly(*f.file); }) &&
                          std::ranges::any_of(diff.functional, [](const ClassedFile& f) { return f.file->status == "added"; });
  return facts;
}

// The rule that the files alone make hold; null: none.
const BuiltInRule* RuleOfFiles(const Details& details, const ClassedDiff& diff) {
  if (diff.files.empty()) return nullptr;
  if (diff.functional.empty()) {
    const bool has_test = std::ranges::any_of(
        diff.files, [](const ClassedFile& f) { return f.path.path_class == PathClass::kTest; });
    if (!has_test) return &kInfrastructure;
    // A new test can show a bug that is still there.
    return AddsTest(details) || LiftsExpectedFailure(details) ? nullptr : &kTestsOnly;
  }
  const auto scoped_or_exclusive = [](const ClassedFile& f) {
    return f.path.path_class == PathClass::kTargetScoped || f.path.path_class == PathClass::kExclusive;
  };
  if (diff.AllFunctional(PathClass::kExclusive)) return &kExclusive;
  if (ClassedDiff::All(diff.functional, scoped_or_exclusive)) return &kTargetScoped;
  DiffEffect effect = DiffEffect::kNone;
  for (const ClassedFile& f : diff.functional) {
    const DiffEffect one = EffectOf(*f.file);
    if (one != DiffEffect::kNone && one != DiffEffect::kWords) return nullptr;
    effect = std::max(effect, one);
  }
  return effect == DiffEffect::kWords ? &kMessages : &kNoEffect;
}

}  // namespace

bool LacksMaterialOnly(const DeepDecision& decision) {
  return decision.reason.rule == "insufficient-repro-context" || decision.reason.rule == "insufficient-commit-context";
}

DeepFilter::DeepFilter(std::unique_ptr<const Rules> rules) : rules_(std::move(rules)) {}
DeepFilter::DeepFilter(DeepFilter&&) noexcept = default;
DeepFilter& DeepFilter::operator=(DeepFilter&&) noexcept = default;
DeepFilter::~DeepFilter() = default;

Result<DeepFilter> DeepFilter::FromJson(const Json& paths, const Json& deep) {
  TRY_ASSIGN(PathClasses classes, PathClasses::FromJson(paths));
  TRY_ASSIGN(const RuleText text, RuleText::FromFile(deep, "deep-rules"));
  for (const std::string& reason : DetailRules::Reasons())
    if (deep["reasons"].StringOr(reason).empty())
      return Fail(ErrorKind::kConfig, "the deep rules do not describe the reason " + reason);
  TRY_ASSIGN(DetailRules details, DetailRules::FromJson(text, deep.ArrayOf("rules")));
  TRY_ASSIGN(Features features, Features::FromJson(text, deep.ArrayOf("features")));
  TRY_ASSIGN(Pattern material, text.Required(deep["report_material"], "pattern"));
  TRY_ASSIGN(Pattern tests, text.Required(deep["single_process_tests"], "pattern"));
  TRY_ASSIGN(Pattern no_operator, text.Required(deep["no_operator"], "pattern"));
  return DeepFilter(std::make_unique<const Rules>(
      Rules{std::move(classes), std::move(details), std::move(features), std::move(material), std::move(tests), std::move(no_operator),
            deep.StringsOf("off")}));
}

ClassifiedPath DeepFilter::Classify(const UntrustedText& path) const { return rules_->paths.Classify(path); }

std::vector<Feature> DeepFilter::FeaturesOf(const Details& details) const { return rules_->features.Of(details); }

std::vector<std::string> DeepFilter::BuiltInIds() {
  std::vector<std::string> ids;
  for (const BuiltInRule& rule : kBeforeText) ids.emplace_back(rule.id);
  for (const BuiltInRule& rule : kAfterText) ids.emplace_back(rule.id);
  return ids;
}

std::vector<DetailMatch> DeepFilter::AllRules() const {
  std::vector<DetailMatch> out;
  for (const BuiltInRule& rule : kBeforeText) out.push_back({rule.id, rule.reason, rule.text});
  for (DetailMatch& rule : rules_->details.All()) out.push_back(std::move(rule));
  for (const BuiltInRule& rule : kAfterText) out.push_back({rule.id, rule.reason, rule.text});
  return out;
}

DeepDecision DeepFilter::Decide(const Details& details, Runnable runnable) const {
  const ClassedDiff diff = Classed(details, rules_->paths);
  const auto has_single_process_test = [&] {
    return std::ranges::any_of(details.tests, [&](const ChangedTest& test) {
      return rules_->single_process_tests.FoundIn(test.path.ForMatching());
    });
  };
  const auto has_report_material = [&] {
    return rules_->report_material.FoundIn(details.body.ForMatching()) ||
           std::ranges::any_of(details.comments, [&](const Comment& comment) {
             return rules_->report_material.FoundIn(comment.body.ForMatching());
           });
  };
  const auto decide = [&]() -> DeepDecision {
    const BuiltInRule* by_files = RuleOfFiles(details, diff);
    if (by_files && rules_->IsOn(by_files->id))
      return Reject(*by_files, NamesOf(diff.functional.empty() ? diff.files : diff.functional));
    if (const auto match = rules_->details.Match(details, runnable, FactsOf(diff)))
      return Reject(match->rule, match->reason, match->text);
    if (rules_->IsOn(kDistributed.id) && diff.IsDistributedOnly() && runnable != Runnable::kScript && !has_single_process_test())
      return Reject(kDistributed, NamesOf(diff.functional));
    if (runnable != Runnable::kNothing) return {};
    if (details.id.kind() == Kind::kIssue)
      return has_report_material() || !rules_->IsOn(kReport.id) ? DeepDecision{} : Reject(kReport, "");
    // Of a change without test and script a probe of its operators is still possible, and a person may see more in it.
    // Only one that names none is too small to say anything.
    const bool names_no_operator = ClassedDiff::All(diff.functional, [&](const ClassedFile& f) {
      return rules_->no_operator.FoundIn(f.file->path.ForMatching());
    });
    if (!names_no_operator || !rules_->IsOn(kDiff.id)) return {};
    return Reject(kDiff, std::to_string(diff.changed_lines) + " changed lines in " +
                               std::to_string(diff.functional.size()) + " functional files, no operator, nothing to run");
  };
  DeepDecision decision = decide();
  decision.areas = AreasOf(diff);
  return decision;
}

}  // namespace xpu_align
