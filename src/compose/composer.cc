#include "compose/composer.h"

#include <algorithm>

#include "compose/adaptation.h"
#include "compose/oracle.h"
#include "compose/precheck.h"
#include "compose/script_choice.h"
#include "compose/script_text.h"
#include "compose/test_calls.h"
#include "compose/test_slice.h"
#include "digest/sha256.h"
#include "text/pattern.h"

namespace xpu_align {

struct Composer::Rules {
  TargetProfile target, cpu;
  std::vector<PrecheckRule> precheck;
};

namespace {

// What a strategy found: upstream code that parses, before adaptation.
struct Source {
  std::string strategy;
  ChosenScript script;
  std::optional<PatchTest> test;
  std::vector<std::string> imports;
  std::string missing;  // of a test slice
};

CompileUse CompileUseOf(const PythonTree& script) {
  static const Pattern compiled = Pattern::Constant(
      R"(torch\.compile\b|torch\._dynamo\.(?:optimize|export)\b|torch\._inductor\b|aot_(?:compile|function|module)|aoti_|compile_fx|@(?:torch\.)?compile\b|torch\.export\b|make_graphed|CompileCounter|flex_attention\b|torch\._higher_order_ops)");
  return compiled.FoundIn(script.WithoutComments()) ? CompileUse::kCompiled : CompileUse::kEager;
}

std::vector<std::string> ComparisonLines(const ComparisonPair& pair) {
  return {"# The report compares these two by eye: the tolerances are torch's defaults for their dtype.",
          "def _xa_on_cpu(value):",
          "    if isinstance(value, (list, tuple)): return [_xa_on_cpu(one) for one in value]",
          "    return value.detach().cpu() if isinstance(value, torch.Tensor) else value",
          "torch.testing.assert_close(_xa_on_cpu(" + pair.actual + "), _xa_on_cpu(" + pair.reference +
              "), equal_nan=True, check_stride=False)"};
}

// Import lines for names that the script uses and never binds; the rest is noted.
std::vector<std::string> ForgottenImports(const Names& names, std::vector<std::string>* notes) {
  std::vector<std::string> lines;
  std::string undefined;
  for (const std::string& name : names.free) {
    if (const char* line = UnambiguousImport(name))
      lines.emplace_back(line);
    else
      undefined += (undefined.empty() ? "" : ", ") + name;
  }
  if (!lines.empty()) notes->push_back(std::to_string(lines.size()) + " forgotten imports were added");
  if (!undefined.empty()) notes->push_back("names that nothing defines: " + UntrustedText(undefined).ForLogLine(120));
  return lines;
}

class Composing {
 public:
  Composing(const Details& details, const TargetProfile& target, const TargetProfile& cpu,
            const std::vector<PrecheckRule>& precheck, const Source& source)
      : details_(details), target_(target), cpu_(cpu), precheck_(precheck), source_(source) {}

  ComposedScript Run() {
    Composition& record = out_.record;
    record.target = target_.name;
    record.strategy = source_.strategy;
    record.spans = source_.script.spans;
    record.repairs = source_.script.repairs;
    record.notes = source_.script.notes;
    if (source_.script.parses)
      Adapted();
    else
      NotPython();
    return std::move(out_);
  }

 private:
  void NotPython() {
    out_.record.refusal = Refusal::kNotPython;
    out_.record.refusal_text = "no repair makes the script of the report parse as Python";
    Write(target_, {.code = source_.script.code}, {}, {}, &out_.script, &out_.record.script_sha256);
  }

  void Adapted() {
    Composition& record = out_.record;
    const PythonTree tree = PythonTree::Parse(source_.script.code);
    Names names = NamesOf(tree);
    const std::vector<std::string> imports = source_.test ? source_.imports : ForgottenImports(names, &record.notes);
    AddImports(imports, &names);
    const Adaptation adaptation = AdaptFor(target_, tree, names, &record.notes);
    record.edits = adaptation.edits;
    record.device_positions = adaptation.device_positions;
    record.notes.insert(record.notes.end(), adaptation.notes.begin(), adaptation.notes.end());
    record.compile_use = CompileUseOf(tree);
    FoundOracle found = OracleOf(details_, tree, names);
    if (source_.test) found = {.oracle = {.kind = OracleKind::kAssertion, .source = "test"}, .asserts = true};
    record.oracle = found.oracle;
    const bool numeric = found.oracle.kind == OracleKind::kComparison || found.oracle.kind == OracleKind::kNonFinite;
    if (numeric && !found.asserts && !found.pair) record.notes.push_back("the script compares nothing itself");
    Refuse(tree, names, adaptation, found);

    std::vector<std::string> epilogue = source_.test ? TestRunner(*source_.test) : CallsOfUnrunTests(tree, names);
    if (!source_.test && !epilogue.empty()) record.notes.push_back("the script defines tests and runs none: they are called at the end");
    if (found.pair) {
      epilogue = ComparisonLines(*found.pair);
      record.notes.push_back("compared at the end: " + found.pair->actual + " with " + found.pair->reference);
    }
    const std::optional<Adaptation> reference = Reference(tree, names);
    Write(target_, adaptation, imports, epilogue, &out_.script, &record.script_sha256);
    if (reference)
      Write(cpu_, *reference, source_.test ? SliceTest(details_, cpu_)->imports : imports, epilogue,
            &out_.reference_script, &record.reference_script_sha256);
  }

  Adaptation AdaptFor(const TargetProfile& profile, const PythonTree& tree, const Names& names,
                      std::vector<std::string>* notes) const {
    EditList first(tree);
    if (source_.test) EditTest(tree, profile, &first, notes);
    EditTestMain(tree, names, &first);
    return Adapt(tree, names, profile, std::move(first));
  }

  void Refuse(const PythonTree& tree, const Names& names, const Adaptation& adaptation, const FoundOracle& found) {
    std::optional<RefusalReason> reason = PrecheckOf(precheck_, {details_, tree, names, adaptation, found});
    if (!source_.missing.empty())
      reason = RefusalReason{Refusal::kNoOracle,
                             "the test can not stand alone: it needs " + UntrustedText(source_.missing).ForLogLine(80)};
    if (!reason) return;
    out_.record.refusal = reason->refusal;
    out_.record.refusal_text = reason->text;
  }

  // The CPU arm; none for a refused script, for the CPU itself, and when a symbol has no CPU form.
  std::optional<Adaptation> Reference(const PythonTree& tree, const Names& names) {
    if (out_.record.refusal || target_.is_reference) return std::nullopt;
    std::vector<std::string> unused_notes;
    Adaptation reference = AdaptFor(cpu_, tree, names, &unused_notes);
    if (reference.without_counterpart.empty()) return reference;
    out_.record.notes.push_back("no CPU arm: " + UntrustedText(reference.without_counterpart).ForLogLine(80) +
                                " has no counterpart there");
    return std::nullopt;
  }

  void Write(const TargetProfile& profile, const Adaptation& adaptation, const std::vector<std::string>& imports,
             const std::vector<std::string>& epilogue, std::string* script, std::string* sha256) const {
    *script = ScriptText({.details = details_, .record = out_.record, .target = profile, .code = adaptation.code,
                          .edits_of = EditLines(adaptation.edits), .imports = imports, .prelude = adaptation.prelude,
                          .epilogue = epilogue});
    *sha256 = Sha256Hex(*script);
  }

  const Details& details_;
  const TargetProfile& target_;
  const TargetProfile& cpu_;
  const std::vector<PrecheckRule>& precheck_;
  const Source& source_;
  ComposedScript out_{.record = {.id = details_.id}};
};

std::optional<Source> ReportedScript(const Details& details) {
  auto script = ChooseScript(details);
  if (!script) return std::nullopt;
  return Source{.strategy = "reported-script", .script = std::move(*script)};
}

std::optional<Source> SlicedTest(const Details& details, const TargetProfile& target) {
  auto slice = SliceTest(details, target);
  if (!slice) return std::nullopt;
  Source source{.strategy = slice->missing.empty() ? "sliced-test" : "none", .imports = slice->imports, .missing = slice->missing};
  source.script = {.code = slice->test.code, .spans = {slice->span}, .parses = true};
  source.test = std::move(slice->test);
  return source;
}

// A change is told best by the test that it adds, an issue by its script.
std::vector<Source> SourcesOf(const Details& details, const TargetProfile& target) {
  std::vector<Source> sources;
  if (auto test = SlicedTest(details, target)) sources.push_back(std::move(*test));
  if (auto script = ReportedScript(details)) sources.push_back(std::move(*script));
  if (details.id.kind() == Kind::kIssue) std::ranges::reverse(sources);
  return sources;
}

}  // namespace

Composer::Composer(std::unique_ptr<const Rules> rules) : rules_(std::move(rules)) {}
Composer::Composer(Composer&&) noexcept = default;
Composer& Composer::operator=(Composer&&) noexcept = default;
Composer::~Composer() = default;

Result<Composer> Composer::Make(TargetProfile target, TargetProfile cpu, const Json& precheck) {
  TRY_ASSIGN(std::vector<PrecheckRule> rules, PrecheckRulesFromJson(precheck));
  return Composer(std::make_unique<const Rules>(Rules{std::move(target), std::move(cpu), std::move(rules)}));
}

ComposedScript Composer::Compose(const Details& details) const {
  const std::vector<Source> sources = SourcesOf(details, rules_->target);
  std::optional<ComposedScript> best;
  for (const Source& source : sources) {
    ComposedScript composed = Composing(details, rules_->target, rules_->cpu, rules_->precheck, source).Run();
    const bool runs = !composed.record.refusal;
    // Of several refused forms the first that is a strategy says most.
    if (!best || runs || (best->record.strategy == "none" && composed.record.strategy != "none")) best = std::move(composed);
    if (runs) break;
  }
  if (best) return std::move(*best);
  ComposedScript none{.record = {.id = details.id, .target = rules_->target.name, .strategy = "none"}};
  none.record.refusal = Refusal::kNoOracle;
  none.record.refusal_text = "there is no script and no self-contained test to run";
  none.script = ScriptText({.details = details, .record = none.record, .target = rules_->target});
  none.record.script_sha256 = Sha256Hex(none.script);
  return none;
}

Material MaterialIn(const Details& details) {
  if (const auto script = ChooseScript(details); script && script->parses) return Material::kScript;
  const auto is_test_file = [](const ChangedFile& file) {
    return file.path.ForMatching().starts_with("test/") && !TestsOfPatch(file.patch.ForMatching()).tests.empty();
  };
  const bool test = std::ranges::any_of(details.tests, [](const ChangedTest& one) { return one.change == "added"; }) ||
                    std::ranges::any_of(details.files, is_test_file);
  return test ? Material::kTest : Material::kNone;
}

}  // namespace xpu_align
