#include "filter/links.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "text/pattern.h"

namespace xpu_align {
namespace {

// #5, owner/name#5, GH-5, a URL. Groups: repository of the short form, number, repository of the URL, issues
// or pull, number.
constexpr std::string_view kReference =
    R"((?:\b([\w.-]+/[\w.-]+)#|#|\bGH-)([1-9]\d{0,11})\b|https?://github\.com/([\w.-]+/[\w.-]+)/(issues|pull)/([1-9]\d{0,11})\b)";

struct Reference {
  Link link;  // kind still empty
  size_t begin, end;
};

std::optional<Reference> ReferenceIn(std::string_view line, size_t from, std::string_view repository) {
  static const Pattern pattern = Pattern::Constant(std::string("(?i)(?:") + std::string(kReference) + ")");
  while (const auto match = pattern.Find(line, from)) {
    const auto& g = match->groups;
    const size_t end = match->offset + g[0].size();
    const std::string_view named = g[3].data() ? g[3] : g[1];
    // x#5 and ##5 are no references.
    const char before = match->offset ? line[match->offset - 1] : ' ';
    const bool glued = g[0][0] == '#' && (std::isalnum(static_cast<unsigned char>(before)) || before == '#' ||
                                          before == '/' || before == '_' || before == '&');
    if (!glued && (named.empty() || std::ranges::equal(named, repository, {}, ::tolower, ::tolower))) {
      const bool is_pull = g[4].size() == 4;  // "pull" in any case
      const std::string number(g[5].data() ? g[5] : g[2]);
      return Reference{{"", (is_pull ? "pr-" : "issue-") + number}, match->offset, end};
    }
    from = end;
  }
  return std::nullopt;
}

// Kinds in rising strength; a target keeps its strongest.
int StrengthOf(std::string_view kind) {
  constexpr std::string_view kinds[] = {"mentions", "cherry-picks", "stack",  "duplicates",
                                        "relands",  "reverts",      "closes", "resolved-by"};
  return static_cast<int>(std::ranges::find(kinds, kind) - std::begin(kinds));
}

class Collector {
 public:
  explicit Collector(std::string_view repository) : repository_(repository) {}

  void ReadLine(std::string_view line) {
    const bool in_stack = TakeStackState(line);
    const std::string_view kind = KindOfWholeLine(line);
    size_t from = 0;
    while (auto reference = ReferenceIn(line, from, repository_)) {
      Link& link = reference->link;
      if (in_stack && kind.empty())
        link = {"stack", "pr-" + link.target.substr(link.target.find('-') + 1)};
      else if (from > 0 && (kind == "reverts" || kind == "relands") && IsOwnNumber(line.substr(reference->end)))
        link.kind = "resolved-by";
      else
        link.kind = kind.empty() ? KindBefore(line, from, reference->begin) : kind;
      last_kind_ = link.kind;
      from = reference->end;
      Add(std::move(link));
    }
    last_kind_.clear();
    ReadShas(line);
  }

  std::vector<Link> links() && { return std::move(links_); }

 private:
  // "Stack from [ghstack](...) (oldest at bottom):" opens a list whose items are the stack.
  bool TakeStackState(std::string_view line) {
    static const Pattern open = Pattern::Constant(R"((?i)^\s*\W*stack (?:from|created (?:with|by))\b)");
    static const Pattern item = Pattern::Constant(R"(^\s*(?:[*-]|\d+\.)\s)");
    static const Pattern blank = Pattern::Constant(R"(^\s*$)");
    if (open.FoundIn(line)) in_stack_ = true;
    else if (!item.FoundIn(line) && !blank.FoundIn(line)) in_stack_ = false;
    return in_stack_;
  }

  static std::string_view KindOfWholeLine(std::string_view line) {
    static const Pattern resolved = Pattern::Constant(R"((?i)^\s*pull[- ]request[- ]resolved\s*:)");
    // Titles quote the title of what they take back, whose number stands at its end.
    static const Pattern revert = Pattern::Constant(R"((?i)^\s*(?:\[[^\]]*\]\s*)*(?:revert(?:s|ed)?|back(?:s|ed)?[ -]?out)\b)");
    static const Pattern reland = Pattern::Constant(
        R"((?i)^\s*(?:\[[^\]]*\]\s*)*(?:re-?land(?:s|ed|ing)?|re-?appl(?:y|ies|ied))\b|^\s*\[re-?land\b[^\]]*\])");
    static const Pattern pick = Pattern::Constant(R"((?i)^\W*(?:\(?cherry[- ]pick(?:s|ed|ing)?)\b)");
    if (resolved.FoundIn(line)) return "resolved-by";
    if (reland.FoundIn(line)) return "relands";
    if (revert.FoundIn(line)) return "reverts";
    if (pick.FoundIn(line)) return "cherry-picks";
    return "";
  }

  // In `Revert "Fix ring (#5)" (#6)` the last number is that of the change itself.
  static bool IsOwnNumber(std::string_view rest_of_line) {
    static const Pattern end = Pattern::Constant(R"(^\)\s*$)");
    return end.FoundIn(rest_of_line);
  }

  // From the words between the last reference (`from`) and this one.
  std::string_view KindBefore(std::string_view line, size_t from, size_t begin) const {
    static const Pattern list = Pattern::Constant(R"((?i)^\s*(?:,|and|&|,\s*and)\s*$)");
    static const Pattern closes = Pattern::Constant(
        R"((?i)(?:^|[^\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|address(?:es|ed)?)\s*:?\s*(?:issues?\s*)?[(\[<]?$)");
    static const Pattern denied = Pattern::Constant(R"((?i)(?:\bnot|n't|\bnever|\bpartially|\bpartly)\s+\S+\s*:?\s*$)");
    static const Pattern duplicate = Pattern::Constant(R"((?i)\bdup(?:licate)?s?\s+of\s*:?\s*(?:issue\s*)?[(\[<]?$)");
    const std::string_view words = line.substr(from, begin - from);
    static const Pattern no_duplicate = Pattern::Constant(R"((?i)(?:\bnot|n't|\bnever)\s+(?:\w+\s+)?dup\w*\s+of\b)");
    if (duplicate.FoundIn(words)) return no_duplicate.FoundIn(words) ? "mentions" : "duplicates";
    if (list.FoundIn(words) && !last_kind_.empty()) return last_kind_;
    return closes.FoundIn(words) && !denied.FoundIn(words) ? "closes" : "mentions";
  }

  // "This reverts commit <sha>", "(cherry picked from commit <sha>)".
  void ReadShas(std::string_view line) {
    static const Pattern sha = Pattern::Constant(
        R"((?i)\b(revert(?:s|ed)?|cherry[- ]pick(?:s|ed)?(?:\s+from)?|re-?land(?:s|ed)?|re-?appl(?:y|ies|ied))\s+(?:commit\s+)?([0-9a-f]{40})\b)");
    for (const PatternMatch& match : sha.FindAll(line)) {
      const char first = static_cast<char>(std::tolower(match.groups[1][0]));
      const char third = static_cast<char>(std::tolower(match.groups[1][2]));
      std::string target(match.groups[2]);
      std::ranges::transform(target, target.begin(), ::tolower);
      Add({first == 'c' ? "cherry-picks" : third == 'v' ? "reverts" : "relands", std::move(target)});
    }
  }

  void Add(Link link) {
    const auto [known, is_new] = index_.emplace(link.target, links_.size());
    if (is_new) links_.push_back(std::move(link));
    else if (StrengthOf(link.kind) > StrengthOf(links_[known->second].kind)) links_[known->second].kind = link.kind;
  }

  std::string_view repository_;
  std::vector<Link> links_;
  std::map<std::string, size_t> index_;  // target -> its place in links_
  std::string last_kind_;
  bool in_stack_ = false;
};

}  // namespace

std::vector<Link> LinksInText(const UntrustedText& text, std::string_view repository) {
  static const Pattern fence = Pattern::Constant(R"(^\s*(```|~~~))");
  static const Pattern quote = Pattern::Constant(R"(^\s*>)");
  Collector collector(repository);
  std::string_view rest = text.ForMatching();
  std::string open_fence;
  while (!rest.empty()) {
    const size_t newline = rest.find('\n');
    const std::string_view line = rest.substr(0, newline);
    rest = newline == std::string_view::npos ? std::string_view() : rest.substr(newline + 1);
    if (const auto match = fence.Find(line)) {
      if (open_fence.empty()) open_fence = match->groups[1];
      else if (open_fence == match->groups[1]) open_fence.clear();
      continue;
    }
    if (open_fence.empty() && !quote.FoundIn(line)) collector.ReadLine(line);
  }
  return std::move(collector).links();
}

}  // namespace xpu_align
