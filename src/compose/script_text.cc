#include "compose/script_text.h"

#include <algorithm>

#include "compose/python_tree.h"
#include "compose/repairs.h"
#include "json/json.h"
#include "text/pattern.h"
#include "text/utf8.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxHeaderEdits = 60;

std::string Safe(std::string_view text, size_t max_chars = 160) {
  return UntrustedText(std::string(text)).ForLogLine(max_chars);
}

// The first two lines never hold upstream text: a declaration of the encoding there would change how the
// file is read.
std::string Header(const ScriptParts& parts) {
  const Composition& record = parts.record;
  std::string out = "# Reproducer of " + record.id.Text() + " for the target '" + parts.target.name + "', composed by xpu-align.\n" +
                    "# Run it with plain python; the last line it prints is RESULT: <bucket>.\n";
  const auto line = [&out](const std::string& text) { out += "# " + text + "\n"; };
  if (record.refusal) line("not executed: " + std::string(Name(*record.refusal)) + ": " + Safe(record.refusal_text));
  line("Title: " + parts.details.title.ForLogLine(160));
  line("Source: " + Safe(parts.details.url));
  line("Strategy: " + record.strategy);
  for (const SourceSpan& span : record.spans)
    line("Code: " + Safe(span.part) + " lines " + std::to_string(span.first_line) + "-" + std::to_string(span.last_line) +
         ", sha256 " + span.sha256);
  for (const Repair& repair : record.repairs) line("Repair: " + repair.rule + ", line " + std::to_string(repair.line));
  for (size_t i = 0; i < std::min(parts.edits_of.size(), kMaxHeaderEdits); ++i) line("Edit: " + parts.edits_of[i]);
  if (parts.edits_of.size() > kMaxHeaderEdits)
    line("Edit: " + std::to_string(parts.edits_of.size() - kMaxHeaderEdits) + " more, see the composition");
  std::string oracle = "Expected failure: " + std::string(Name(record.oracle.kind));
  if (!record.oracle.exception_type.empty()) oracle += " " + Safe(record.oracle.exception_type);
  if (!record.oracle.message.Empty()) oracle += ": " + record.oracle.message.ForLogLine(160);
  if (!record.oracle.signal.empty()) oracle += " " + record.oracle.signal;
  if (!record.oracle.source.empty()) oracle += " (" + record.oracle.source + ")";
  line(oracle);
  for (const std::string& note : record.notes) line("Note: " + Safe(note));
  return out;
}

// Words that a reproduction of the message must share.
Json MessageWords(const Oracle& oracle) {
  static const Pattern word = Pattern::Constant("[A-Za-z_]{4,}");
  Json words = Json::EmptyArray();
  const std::string_view message = oracle.message.ForMatching();
  for (const PatternMatch& match : word.FindAll(message.substr(0, message.find('\n')))) {
    std::string text(match.groups[0]);
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (text != "cuda" && words.AsArray()->size() < 12) words.Append(text);
  }
  return words;
}

// Environment that upstream sets before it imports torch must stand before the prelude's import.
std::vector<std::string> EarlyEnvironment(const PythonTree& tree) {
  static const Pattern setting =
      Pattern::Constant(R"re(^os\.environ(\[["'][A-Z0-9_]+["']\] *= *["'][\w.,:/+-]*["']|\.setdefault\(["'][A-Z0-9_]+["'], *["'][\w.,:/+-]*["']\))$)re");
  static const Pattern torch_import = Pattern::Constant(R"(^(?:import|from)\s+torch\b)");
  std::vector<std::string> out;
  for (const PyNode& statement : tree.Root().Children()) {
    if (torch_import.FoundIn(statement.Text())) break;
    if (const auto match = setting.Find(statement.Text()); match && out.size() < 8)
      out.push_back("_xa_os.environ" + std::string(match->groups[1]));
  }
  return out;
}

std::string Prelude(const ScriptParts& parts, const PythonTree& tree) {
  const Oracle& oracle = parts.record.oracle;
  const bool quiet = oracle.kind == OracleKind::kCrash || oracle.kind == OracleKind::kMissingError;
  const bool any_message = oracle.kind != OracleKind::kException;
  const std::string type =
      oracle.kind == OracleKind::kException ? oracle.exception_type.substr(oracle.exception_type.rfind('.') + 1) : "AssertionError";
  std::string out = "# ---- prelude -------------------------------------------------------------------------------\n";
  const auto line = [&out](const std::string& text) { out += text + "\n"; };
  line("import atexit as _xa_atexit, gc as _xa_gc, os as _xa_os, sys as _xa_sys");
  for (const std::string& setting : EarlyEnvironment(tree)) line(setting);
  line("import torch");
  for (const std::string& statement : SplitLines(parts.target.startup)) line(statement);
  for (const std::string& import : parts.imports)
    if (import != "import torch") line(import);
  line("_xa_errors, _xa_old_hook = [], _xa_sys.excepthook");
  line("def _xa_hook(kind, value, trace):");
  line("    _xa_errors.append((kind.__name__, str(value).lower()))");
  line("    _xa_old_hook(kind, value, trace)");
  line("def _xa_result(available):");
  line("    if not available: return \"blocked-env\"");
  line("    if not _xa_errors: return \"not-reproduced\"");
  if (quiet) {
    line("    return \"not-reproduced\"  # an error that can be caught is not the reported failure");
  } else {
    line("    words = " + (any_message ? std::string("[]") : WriteJsonLine(MessageWords(oracle))));
    line("    shared = sum(word in _xa_errors[-1][1] for word in words)");
    line("    same = _xa_errors[-1][0] == " + WriteJsonLine(Json(type)) + " and shared * 5 >= len(words) * 3");
    line("    return \"confirmed\" if same else \"related-failure\"");
  }
  line("def _xa_exit():");
  line("    available, tensors = bool(" + parts.target.availability + "), {}");
  line("    for thing in _xa_gc.get_objects():");
  line("        if issubclass(type(thing), torch.Tensor):");
  line("            tensors[thing.device.type] = tensors.get(thing.device.type, 0) + 1");
  line("    print(\"torch\", torch.__version__, \"| " + parts.target.availability + ":\", available, flush=True)");
  line("    print(\"tensors alive at exit, by device:\", dict(sorted(tensors.items())))");
  line("    print(\"RESULT:\", _xa_result(available), flush=True)");
  line("_xa_sys.excepthook = _xa_hook");
  line("_xa_atexit.register(_xa_exit)");
  if (!parts.target.is_reference)
    line("if not (" + parts.target.availability + "): raise SystemExit(\"no " + parts.target.device + " device: nothing was run\")");
  for (const std::string& statement : parts.prelude) line(statement);
  return out;
}

// Takes `from __future__` imports, which must come first in a file, out of the code; lines stay.
std::string TakeFutureImports(const PythonTree& tree, std::string* code) {
  std::string imports;
  for (const PyNode& node : tree.Nodes()) {
    if (!node.Is("future_import_statement")) continue;
    std::string text(node.Text());
    for (size_t i = node.Begin(); i < node.End(); ++i)
      if ((*code)[i] != '\n') (*code)[i] = ' ';
    code->replace(node.Begin(), 4, "pass");
    imports += text + "\n";
  }
  return imports;
}

std::string AsComments(const std::string& code) {
  std::string out;
  for (const std::string& line : SplitLines(code)) out += "# " + UntrustedText(line).ForLogLine(400) + "\n";
  return out;
}

}  // namespace

std::vector<std::string> EditLines(const std::vector<Edit>& edits) {
  std::vector<std::string> lines;
  for (const Edit& edit : edits)
    lines.push_back(edit.rule + ", line " + std::to_string(edit.line) + ": " + edit.before.ForLogLine(60) + " -> " +
                    Safe(edit.after, 60));
  return lines;
}

std::string ScriptText(const ScriptParts& parts) {
  std::string out = Header(parts);
  std::string code = ValidUtf8(parts.code);
  const PythonTree tree = PythonTree::Parse(code);
  if (code.empty() || !tree.WellFormed()) {
    // Nothing that Python would accept: shown, never run.
    return out + "# ---- upstream text, which does not parse as Python\n" + AsComments(code) +
           "print(\"RESULT: blocked-script-error\")\n";
  }
  const std::string future = TakeFutureImports(tree, &code);
  const std::string prelude = future + Prelude(parts, tree) +
                              "# ---- upstream code -------------------------------------------------------------------------\n";
  const auto lines_before = std::ranges::count(out, '\n') + 1 + std::ranges::count(prelude, '\n');
  out += "# Line N of the upstream code is line N + " + std::to_string(lines_before) + " of this file.\n" + prelude + code;
  if (!out.ends_with('\n')) out += '\n';
  out += "# ---- end of upstream code ------------------------------------------------------------------\n";
  for (const std::string& line : parts.epilogue) out += line + "\n";
  return out;
}

}  // namespace xpu_align
