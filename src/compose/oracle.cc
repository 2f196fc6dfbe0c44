#include "compose/oracle.h"

#include <algorithm>
#include <map>
#include <span>

#include "compose/markdown_blocks.h"
#include "compose/repairs.h"
#include "compose/traceback.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

struct CrashWord {
  const char* pattern;
  std::string_view signal;
};
constexpr CrashWord kCrashWords[] = {
    {R"((?i)segmentation fault|\bsegfaults?\b|\bsegv\b|sigsegv)", "SIGSEGV"},
    {R"((?i)floating[- ]point exception|sigfpe)", "SIGFPE"},
    {R"((?i)sigbus|\bbus error\b)", "SIGBUS"},
    {R"((?i)sigabrt|\baborted\b|\baborts?\b.{0,20}(?:process|interpreter|core)|double free|heap corruption|free\(\): invalid|core dumped|terminate called)", "SIGABRT"},
};
constexpr const char* kCrashLine =
    R"((?im)^[^\w\n]*(?:.*\(core dumped\).*|segmentation fault.*|fatal python error: .*|.*received signal SIG\w+.*|terminate called.*|free\(\): .*|double free.*)$)";
constexpr const char* kNonFiniteWords = R"((?i)\bnans?\b|\binf(?:inity|inities|s)?\b|\bnon-?finite\b)";
constexpr const char* kMissingErrorWords =
    R"((?i)should (?:\w+ )?(?:raise|throw|error|fail|reject)|(?:no|without) (?:an? )?(?:error|exception)\b.{0,20}(?:raised|thrown|reported)|does(?:n't| not) (?:raise|throw|error)|silently (?:accept|succeed|ignor|pass))";
constexpr const char* kHangWords = R"((?i)\bhangs?\b|\bhanging\b|\bdeadlocks?\b|never (?:returns|finishes|terminates)|infinite loop|\bstuck\b)";
constexpr const char* kMismatchWords =
    R"((?i)mismatch|\b(?:wrong|incorrect|inconsistent|different|differing|unexpected) (?:\w+ )?(?:results?|outputs?|values?|answers?|gradients?|numerics?|shapes?|strides?|dtypes?|behaviou?rs?)\b|\bdiffers?\b|\bnot (?:equal|match|the same)\b|silent(?:ly)? (?:in)?correct|\bdiverge|accuracy (?:issue|error|problem)|discrepanc|max(?:imum)? (?:abs|diff|error))";
constexpr const char* kAssertCalls =
    R"(^(?:torch\.testing\.(?:assert_close|assert_allclose)|torch\._assert\w*|numpy\.testing\.assert_\w+|unittest\.TestCase\.assert\w+|self\.assert\w+|self\.fail)$)";
constexpr const char* kCompareCalls = R"(^(?:torch\.(?:allclose|equal|isclose)|numpy\.(?:allclose|array_equal)|torch\._dynamo\.utils\.same)$)";

const Pattern& Words(const char* expression) {
  static std::map<const char*, Pattern> compiled;
  const auto found = compiled.find(expression);
  if (found != compiled.end()) return found->second;
  return compiled.emplace(expression, Pattern::Constant(expression)).first->second;
}

std::string LineAround(const std::string& text, size_t offset) {
  const size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, std::min(text.find('\n', offset), text.size()) - begin);
}

// A check of the environment is no check of a result.
bool IsGuard(std::string_view text) {
  static const Pattern pattern = Pattern::Constant(
      R"(is_available\(|device_count\(|__version__|hasattr\(|is_initialized\(|\.is_(?:cuda|xpu)\b|\.device\b)");
  return pattern.FoundIn(text);
}

bool ScriptAsserts(const PythonTree& script, const Names& names) {
  return std::ranges::any_of(script.Nodes(), [&](PyNode node) {
    if (node.Is("assert_statement")) return !IsGuard(node.Text());
    if (node.Is("raise_statement")) return node.Text().starts_with("raise AssertionError");
    return node.Is("call") && Words(kAssertCalls).FoundIn(CalleeOf(names, node));
  });
}

constexpr std::string_view kReferenceWords[] = {"eager", "ref", "reference", "expected", "cpu", "golden", "orig", "original", "gt"};
constexpr std::string_view kActualWords[] = {"compiled", "compile", "opt", "actual", "gpu", "cuda", "inductor", "jit", "out", "output", "result", "res", "dev"};

// out_eager -> {"out", "eager"}
std::vector<std::string> NameParts(std::string_view name) {
  std::vector<std::string> parts(1);
  for (const char c : name)
    if (c == '_')
      parts.emplace_back();
    else
      parts.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return parts;
}

// The name without its word from `words`; empty optional when it has none.
std::optional<std::string> Stem(const std::string& name, std::span<const std::string_view> words) {
  std::vector<std::string> parts = NameParts(name);
  for (const std::string_view word : words) {
    const auto found = std::ranges::find(parts, word);
    if (found == parts.end()) continue;
    parts.erase(found);
    std::string stem;
    for (const std::string& part : parts) stem += part + "_";
    return stem;
  }
  return std::nullopt;
}

// Module-level variables that hold results.
std::vector<std::string> ResultNames(const PythonTree& script) {
  std::vector<std::string> out;
  for (const PyNode& node : script.Nodes())
    if (node.Is("assignment") && AtModuleLevel(node) && node.Field("left").Is("identifier") &&
        (node.Field("right").Is("call") || node.Field("right").Is("binary_operator") ||
         node.Field("right").Is("subscript") || node.Field("right").Is("attribute")) &&
        node.Parent().Parent().Is("module"))
      out.emplace_back(node.Field("left").Text());
  return out;
}

std::optional<ComparisonPair> PairOf(const PythonTree& script, const Names& names) {
  // What the script itself compares and only prints.
  for (const PyNode& node : script.Nodes()) {
    if (!node.Is("call") || !AtModuleLevel(node) || !Words(kCompareCalls).FoundIn(CalleeOf(names, node))) continue;
    const std::vector<PyNode> arguments = node.Field("arguments").Children();
    if (arguments.size() < 2 || !arguments[0].Is("identifier") || !arguments[1].Is("identifier")) continue;
    if (names.module_bound.contains(std::string(arguments[0].Text())) &&
        names.module_bound.contains(std::string(arguments[1].Text())))
      return ComparisonPair{std::string(arguments[0].Text()), std::string(arguments[1].Text())};
  }
  std::vector<ComparisonPair> pairs;
  const std::vector<std::string> results = ResultNames(script);
  for (const std::string& reference : results) {
    const auto stem = Stem(reference, kReferenceWords);
    if (!stem) continue;
    for (const std::string& actual : results)
      if (actual != reference && Stem(actual, kActualWords) == stem && !Stem(actual, kReferenceWords)) pairs.push_back({reference, actual});
  }
  // Models and functions pair by name, too; the results come last.
  return pairs.empty() ? std::nullopt : std::optional(pairs.back());
}

Oracle FromException(const ReportedException& reported, std::string source) {
  Oracle oracle{.kind = OracleKind::kException, .exception_type = reported.type};
  oracle.message = UntrustedText(reported.message);
  oracle.frames = reported.frames;
  oracle.source = std::move(source);
  oracle.text = UntrustedText(reported.line);
  if (reported.type == "AssertionError") oracle.kind = OracleKind::kAssertion;
  return oracle;
}

std::optional<Oracle> FromWords(OracleKind kind, const char* expression, const std::string& title, const std::string& prose) {
  for (const auto& [text, source] : {std::pair(&title, "title"), std::pair(&prose, "body:words")})
    if (const auto match = Words(expression).Find(*text)) {
      Oracle oracle{.kind = kind, .source = source};
      oracle.text = UntrustedText(LineAround(*text, match->offset));
      return oracle;
    }
  return std::nullopt;
}

void SetSignal(Oracle* oracle) {
  for (const CrashWord& word : kCrashWords)
    if (oracle->signal.empty() && Words(word.pattern).FoundIn(oracle->text.ForMatching())) oracle->signal = word.signal;
}

// The body without code and without the parts that every report has.
std::string Prose(const std::string& body) {
  std::vector<std::string> lines = SplitLines(body);
  for (const MarkdownBlock& block : MarkdownBlocksOf(body))
    for (int i = block.first_line; i <= block.last_line && i <= static_cast<int>(lines.size()); ++i)
      lines[static_cast<size_t>(i) - 1].clear();
  static const Pattern end = Pattern::Constant(R"(^#+ *Versions|^PyTorch version:|^Collecting environment)");
  std::string out;
  for (const std::string& line : lines) {
    if (end.FoundIn(line)) break;
    out += line + "\n";
  }
  return out;
}

std::optional<Oracle> FromReport(const Details& details, bool asserts, bool has_pair) {
  const std::string body = WithUnixLines(details.body.ForMatching());
  const std::string prose = Prose(body);
  const std::string title(details.title.ForMatching());
  const auto traceback = LastTraceback(body);
  if (traceback) return FromException(*traceback, "body:traceback");
  if (const auto match = Words(kCrashLine).Find(body)) {
    Oracle oracle{.kind = OracleKind::kCrash, .source = "body:output"};
    oracle.text = UntrustedText(LineAround(body, match->offset));
    SetSignal(&oracle);
    return oracle;
  }
  if (asserts) return Oracle{.kind = OracleKind::kAssertion, .source = "script:assert"};
  for (const CrashWord& word : kCrashWords)
    if (auto oracle = FromWords(OracleKind::kCrash, word.pattern, title, prose)) {
      oracle->signal = word.signal;
      return oracle;
    }
  if (const auto lone = LoneException(body)) return FromException(*lone, "body:line");
  if (auto oracle = FromWords(OracleKind::kMissingError, kMissingErrorWords, title, prose)) return oracle;
  if (auto oracle = FromWords(OracleKind::kNonFinite, kNonFiniteWords, title, prose)) return oracle;
  if (auto oracle = FromWords(OracleKind::kComparison, kMismatchWords, title, prose)) return oracle;
  if (has_pair) return Oracle{.kind = OracleKind::kComparison, .source = "script:pair"};
  if (auto oracle = FromWords(OracleKind::kHang, kHangWords, title, prose)) return oracle;
  return std::nullopt;
}

}  // namespace

FoundOracle OracleOf(const Details& details, const PythonTree& script, const Names& names) {
  FoundOracle found;
  found.asserts = ScriptAsserts(script, names);
  const auto pair = PairOf(script, names);
  if (auto oracle = FromReport(details, found.asserts, pair.has_value())) found.oracle = std::move(*oracle);
  const bool numeric = found.oracle.kind == OracleKind::kComparison || found.oracle.kind == OracleKind::kNonFinite;
  if (numeric && !found.asserts) found.pair = pair;
  return found;
}

}  // namespace xpu_align
