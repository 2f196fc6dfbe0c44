#include "compose/precheck.h"

#include <algorithm>
#include <map>

#include "model/schema.h"

namespace xpu_align {
namespace {

// First those that nothing can cure, last the one that most scripts without a claim have.
constexpr RefusalMeaning kMeanings[] = {
    {Refusal::kNotPython, "no repair makes the reported text parse as Python"},
    {Refusal::kUnsafeHarnessAccess, "the script touches the evidence channel, so it could forge what is judged"},
    {Refusal::kNeedsMultiDevice, "needs several ranks or a second device"},
    {Refusal::kNeedsModel, "needs a published model, or a package that is not part of the build"},
    {Refusal::kNeedsFile, "reads a file or an address that the report does not bring along"},
    {Refusal::kNoCounterpart, "its subject has no counterpart on the target"},
    {Refusal::kPerfOnly, "measures time and checks no value"},
    {Refusal::kSourceTextOracle, "looks at source or generated text only, never at what torch computes"},
    {Refusal::kAbsentApiOracle, "fails only because the build lacks a name that the change adds"},
    {Refusal::kNoTargetOperation, "calls no operation of torch, so that nothing would run on the target"},
    {Refusal::kBroadExcept, "catches the failure that it should show"},
    {Refusal::kNoOracle, "nothing to run, or the report states no failure that can be observed"}};

std::optional<PrecheckSubject> SubjectNamed(std::string_view name) {
  if (name == "code") return PrecheckSubject::kCode;
  if (name == "imports") return PrecheckSubject::kImports;
  if (name == "report") return PrecheckSubject::kReport;
  if (name == "message") return PrecheckSubject::kMessage;
  return std::nullopt;
}

Result<PrecheckRule> RuleFromJson(const Json& json) {
  TRY_ASSIGN(std::string id, json.String("id"));
  const auto refusal = RefusalNamed(json.StringOr("refusal"));
  const auto subject = SubjectNamed(json.StringOr("on"));
  if (!refusal || !subject) return Fail(ErrorKind::kConfig, "unknown 'refusal' or 'on'");
  TRY_ASSIGN(Pattern pattern, Pattern::Compile(json.StringOr("pattern", "(")));
  std::optional<Pattern> unless;
  if (json.Has("unless")) {
    TRY_ASSIGN(Pattern exception, Pattern::Compile(json.StringOr("unless", "(")));
    unless = std::move(exception);
  }
  return PrecheckRule{std::move(id),     *refusal, *subject, std::move(pattern), std::move(unless),
                      json.StringsOf("exempt_kinds"), json.StringOr("text")};
}

std::string UsedImports(const Names& names) {
  std::string out;
  for (const auto& [local, full] : names.imports)
    if (names.used.contains(local)) out += full + "\n";
  return out;
}

// Calls of torch that compute nothing on a device.
bool IsOperation(const std::string& callee) {
  static const Pattern idle = Pattern::Constant(
      R"(^torch\.(?:(?:cuda|xpu|mps|version|_logging|backends|random|testing)\b|__\w+__|(?:float|int|uint|bfloat|complex|bool|half|double|long|short|qint)\w*$|channels_last|contiguous_format|manual_seed|seed|set_\w+|get_default_\w+|get_num_\w+|device$|dtype$|is_\w+enabled|hasattr|use_deterministic_algorithms|_dynamo\.(?:config|reset|config\.\w+)|_inductor\.config|no_grad|enable_grad|inference_mode))");
  return callee.starts_with("torch.") && !idle.FoundIn(callee);
}

bool HasOperation(const PythonTree& script, const Names& names) {
  return std::ranges::any_of(script.Nodes(), [&](PyNode node) {
    if (node.Is("call")) return IsOperation(CalleeOf(names, node));
    // A module class is an operation, too; so is a decorator, and a function handed to another.
    return (node.Is("attribute") || node.Is("identifier")) && !node.Parent().Is("attribute") &&
           (node.Parent().Is("argument_list") || node.Parent().Is("decorator")) &&
           IsOperation(Resolved(names, DottedName(node)));
  });
}

// A handler for everything that lets the script go on, in a script whose failure is an exception.
PyNode SwallowingHandler(const PythonTree& script) {
  static const Pattern broad = Pattern::Constant(R"(^except\s*(?:\(?\s*(?:Exception|BaseException)\b[^:]*)?:)");
  static const Pattern visible = Pattern::Constant(R"(\braise\b|\bassert\b|exit\(|\b\w*(?:fail|error|bug|crash|wrong|mismatch)\w*\s*(?:=|\.append|\+=))");
  for (const PyNode& node : script.Nodes())
    if (node.Is("except_clause") && broad.FoundIn(node.Text()) && !visible.FoundIn(node.Text())) return node;
  return {};
}

// All asserts of the script ask only whether a name exists.
bool OnlyAsksForNames(const PythonTree& script, const Names& names) {
  bool any = false;
  for (const PyNode& node : script.Nodes()) {
    if (node.Is("assert_statement")) {
      if (!node.Text().contains("hasattr(")) return false;
      any = true;
    }
    if (node.Is("call") && CalleeOf(names, node).contains(".assert")) return false;
  }
  return any;
}

std::string OneLine(std::string_view text) { return UntrustedText(std::string(text)).ForLogLine(100); }

class Checker {
 public:
  explicit Checker(const PrecheckInput& input) : input_(input) {}

  void Patterns(const std::vector<PrecheckRule>& rules);
  void Structure();
  std::optional<RefusalReason> Weightiest() const {
    for (const RefusalMeaning& entry : kMeanings)
      if (const auto found = reasons_.find(entry.refusal); found != reasons_.end())
        return RefusalReason{entry.refusal, found->second};
    return std::nullopt;
  }

 private:
  void Add(Refusal refusal, const std::string& text) { reasons_.emplace(refusal, text); }

  const PrecheckInput& input_;
  std::map<Refusal, std::string> reasons_;
};

void Checker::Patterns(const std::vector<PrecheckRule>& rules) {
  const Oracle& oracle = input_.oracle.oracle;
  const std::map<PrecheckSubject, std::string> subjects = {
      {PrecheckSubject::kCode, input_.script.WithoutComments()},
      {PrecheckSubject::kImports, UsedImports(input_.names)},
      {PrecheckSubject::kReport,
       std::string(input_.details.title.ForMatching()) + "\n" + std::string(input_.details.body.ForMatching())},
      {PrecheckSubject::kMessage, oracle.exception_type + ": " + std::string(oracle.message.ForMatching())}};
  for (const PrecheckRule& rule : rules) {
    if (std::ranges::find(rule.exempt_kinds, Name(input_.details.id.kind())) != rule.exempt_kinds.end()) continue;
    const std::string match = rule.Match(subjects.at(rule.subject));
    if (match.empty()) continue;
    // A script that checks a value does not live from its timings or from generated text.
    const bool soft = rule.refusal == Refusal::kPerfOnly || rule.refusal == Refusal::kSourceTextOracle;
    if (soft && (oracle.kind == OracleKind::kException || oracle.kind == OracleKind::kCrash)) continue;
    if (soft && (input_.oracle.pair || input_.oracle.asserts) && rule.refusal == Refusal::kPerfOnly) continue;
    Add(rule.refusal, rule.text + ": " + OneLine(match));
  }
}

void Checker::Structure() {
  const Oracle& oracle = input_.oracle.oracle;
  if (!input_.adaptation.second_device.empty())
    Add(Refusal::kNeedsMultiDevice, "names a second device: " + OneLine(input_.adaptation.second_device));
  if (!input_.adaptation.without_counterpart.empty())
    Add(Refusal::kNoCounterpart, "no counterpart on this target: " + OneLine(input_.adaptation.without_counterpart));
  if (OnlyAsksForNames(input_.script, input_.names))
    Add(Refusal::kAbsentApiOracle, "the script only asks whether a name exists");
  if (!HasOperation(input_.script, input_.names))
    Add(Refusal::kNoTargetOperation, "the script calls no operation of torch");
  if (oracle.kind == OracleKind::kException && !input_.oracle.asserts)
    if (const PyNode handler = SwallowingHandler(input_.script))
      Add(Refusal::kBroadExcept, "line " + std::to_string(handler.Line()) + " catches every exception and goes on");
  if (oracle.kind == OracleKind::kNone) Add(Refusal::kNoOracle, "the report states no failure that can be observed");
}

}  // namespace

std::span<const RefusalMeaning> RefusalsByWeight() { return kMeanings; }

std::string PrecheckRule::Match(std::string_view subject_text) const {
  const auto match = pattern.Find(subject_text);
  if (!match || (unless && unless->FoundIn(subject_text))) return {};
  return std::string(match->groups[0]);
}

Result<std::vector<PrecheckRule>> PrecheckRulesFromJson(const Json& json) {
  TRY(CheckSchema(json, "precheck"));
  std::vector<PrecheckRule> rules;
  for (const Json& entry : json.ArrayOf("rules")) {
    auto rule = RuleFromJson(entry);
    if (!rule) return Fail(ErrorKind::kConfig, "precheck rule '" + entry.StringOr("id") + "': " + rule.error().message);
    rules.push_back(std::move(*rule));
  }
  return rules;
}

std::optional<RefusalReason> PrecheckOf(const std::vector<PrecheckRule>& rules, const PrecheckInput& input) {
  Checker checker(input);
  checker.Patterns(rules);
  checker.Structure();
  return checker.Weightiest();
}

}  // namespace xpu_align
