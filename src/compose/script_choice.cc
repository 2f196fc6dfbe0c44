#include "compose/script_choice.h"

#include <algorithm>
#include <set>

#include "compose/markdown_blocks.h"
#include "compose/names.h"
#include "compose/repairs.h"
#include "digest/sha256.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxComments = 20;

const Pattern& OutputStart() {
  static const Pattern pattern = Pattern::Constant(
      R"(^\s*(?:Traceback \(most|tensor\(|={5}|-{5}|Collecting environment|File "|#\d+ +0x|frame #\d|terminate called|E  +\w|\[rank\d))");
  return pattern;
}
const Pattern& ReproducerWords() {
  static const Pattern pattern =
      Pattern::Constant(R"((?i)repro|minimal|script|\bcode\b|snippet|to reproduce|example|test case|describe the bug)");
  return pattern;
}
const Pattern& WorkingWords() {
  static const Pattern pattern = Pattern::Constant(R"((?i)\bworks?\b|\bworking\b|\bfine\b|\bpasses\b|\bsucceeds\b|workaround)");
  return pattern;
}
const Pattern& FailingWords() {
  static const Pattern pattern =
      Pattern::Constant(R"((?i)however|\bfail|error|\bcrash|segfault|\bbut\b|\bwrong\b|\bincorrect|does ?n[o']t|broken)");
  return pattern;
}

struct Part {
  std::string name;
  std::string text;  // Unix lines
};

// A block that may be (a piece of) the reproducer.
struct Piece {
  MarkdownBlock block;
  RepairedCode repaired;
  Names names;
  bool imports_torch = false;
  bool uses_torch = false;
};

// Pieces that run as one script.
struct Group {
  std::vector<Piece> pieces;
  std::set<std::string> bound;
  size_t bytes = 0;
  bool uses_torch = false, imports_torch = false;

  void Add(Piece piece) {
    bound.insert(piece.names.module_bound.begin(), piece.names.module_bound.end());
    bytes += piece.repaired.code.size();
    uses_torch |= piece.uses_torch;
    imports_torch |= piece.imports_torch;
    pieces.push_back(std::move(piece));
  }
  std::string Introduction() const { return pieces.front().block.heading + "\n" + pieces.front().block.lead; }
};

enum class Language { kPython, kUnknown, kOther };

Language LanguageOf(const std::string& word) {
  for (const char* python : {"python", "py", "python3", "pycon", "ipython", "python-repl"})
    if (word == python) return Language::kPython;
  if (word.empty() || word == "text" || word == "code") return Language::kUnknown;
  return Language::kOther;
}

std::optional<Piece> PieceOf(const MarkdownBlock& block) {
  const Language language = LanguageOf(block.language);
  if (language == Language::kOther || OutputStart().FoundIn(block.code)) return std::nullopt;
  auto repaired = ParseableForm(block.code);
  if (!repaired) return std::nullopt;
  Piece piece{.block = block, .repaired = std::move(*repaired)};
  const PythonTree tree = PythonTree::Parse(piece.repaired.code);
  piece.names = NamesOf(tree);
  for (const auto& [local, full] : piece.names.imports)
    piece.imports_torch |= full == "torch" || full.starts_with("torch.");
  piece.uses_torch = piece.imports_torch || piece.names.used.contains("torch");
  if (language == Language::kUnknown && !piece.uses_torch) return std::nullopt;
  return piece;
}

bool Needs(const Piece& piece, const Group& group) {
  return std::ranges::any_of(piece.names.free, [&group](const std::string& name) { return group.bound.contains(name); });
}

std::vector<Group> GroupsOf(const std::vector<MarkdownBlock>& blocks) {
  std::vector<Group> groups;
  for (const MarkdownBlock& block : blocks) {
    auto piece = PieceOf(block);
    if (!piece) continue;
    // A block that imports torch itself and needs only names that have one meaning stands alone.
    if (groups.empty() || !Needs(*piece, groups.back())) groups.emplace_back();
    groups.back().Add(std::move(*piece));
  }
  std::erase_if(groups, [](const Group& group) { return !group.uses_torch; });
  return groups;
}

const Group& Best(const std::vector<Group>& groups) {
  // A working control, then the failing one: the last.
  for (size_t i = 1; i < groups.size(); ++i) {
    const bool control = WorkingWords().FoundIn(groups[i - 1].pieces.front().block.lead) &&
                         !FailingWords().FoundIn(groups[i - 1].pieces.front().block.lead);
    if ((control || WorkingWords().FoundIn(groups[i].pieces.front().block.lead)) &&
        FailingWords().FoundIn(groups[i].pieces.front().block.lead))
      return groups.back();
  }
  const auto rank = [](const Group& group) {
    return std::tuple(group.imports_torch && ReproducerWords().FoundIn(group.Introduction()), group.imports_torch,
                      ReproducerWords().FoundIn(group.Introduction()));
  };
  const Group* best = &groups.front();
  for (const Group& group : groups) {
    const bool undecided = rank(group) == rank(*best) && !std::get<0>(rank(group)) && group.bytes > best->bytes;
    if (rank(group) > rank(*best) || undecided) best = &group;
  }
  return *best;
}

ChosenScript ScriptOf(const Part& part, const Group& group) {
  ChosenScript script{.parses = true};
  int offset = 0;
  for (const Piece& piece : group.pieces) {
    script.code += piece.repaired.code;
    if (!script.code.ends_with('\n')) script.code += '\n';
    for (const Repair& repair : piece.repaired.repairs) script.repairs.push_back({repair.rule, repair.line + offset});
    script.spans.push_back(SpanOf(part.name, part.text, piece.block.first_line, piece.block.last_line));
    offset = static_cast<int>(std::ranges::count(script.code, '\n'));
  }
  return script;
}

std::vector<Part> PartsOf(const Details& details) {
  std::vector<Part> parts = {{"body", WithUnixLines(details.body.ForMatching())}};
  std::vector<Part> later;
  for (size_t i = 0; i < std::min(details.comments.size(), kMaxComments); ++i) {
    const Comment& comment = details.comments[i];
    const bool trusted = comment.author == details.author || comment.association == "OWNER" ||
                         comment.association == "MEMBER" || comment.association == "COLLABORATOR" ||
                         comment.association == "CONTRIBUTOR";
    if (!trusted) continue;
    Part part{"comment:" + std::to_string(i), WithUnixLines(comment.body.ForMatching())};
    (ReproducerWords().FoundIn(part.text) ? parts : later).push_back(std::move(part));
  }
  std::ranges::move(later, std::back_inserter(parts));
  return parts;
}

// The first block that claims to be Python and is no output, for a report in which nothing parses.
std::optional<ChosenScript> BrokenScript(const Part& part, const std::vector<MarkdownBlock>& blocks) {
  for (const MarkdownBlock& block : blocks) {
    const Language language = LanguageOf(block.language);
    if (language == Language::kOther || OutputStart().FoundIn(block.code)) continue;
    if (!block.code.contains("import torch") || ParseableForm(block.code)) continue;
    return ChosenScript{.code = block.code, .spans = {SpanOf(part.name, part.text, block.first_line, block.last_line)}};
  }
  return std::nullopt;
}

}  // namespace

SourceSpan SpanOf(const std::string& part, std::string_view text, int first, int last) {
  const std::vector<std::string> lines = SplitLines(text);
  std::string bytes;
  for (int i = first; i <= last && i <= static_cast<int>(lines.size()); ++i)
    bytes += lines[static_cast<size_t>(i) - 1] + "\n";
  return {part, first, last, Sha256Hex(bytes)};
}

std::optional<ChosenScript> ChooseScript(const Details& details) {
  std::optional<ChosenScript> broken;
  for (const Part& part : PartsOf(details)) {
    const std::vector<MarkdownBlock> blocks = MarkdownBlocksOf(part.text);
    const std::vector<Group> groups = GroupsOf(blocks);
    if (!groups.empty()) {
      ChosenScript script = ScriptOf(part, Best(groups));
      if (groups.size() > 1)
        script.notes.push_back(std::to_string(groups.size()) + " alternative scripts in the report; one was chosen");
      return script;
    }
    if (!broken) broken = BrokenScript(part, blocks);
  }
  return broken;
}

}  // namespace xpu_align
