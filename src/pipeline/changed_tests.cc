#include "pipeline/changed_tests.h"

#include <charconv>
#include <set>
#include <string_view>

#include "text/pattern.h"

namespace xpu_align {
namespace {

struct Line {
  std::string_view text;
  bool touched = false;  // added, or something was removed just after it
  bool added = false;
  bool begins_hunk = false;  // what came before is not known
};

struct Hunks {
  std::vector<Line> visible;           // of the new file, as far as the patch shows it
  std::set<size_t> touched, added;     // 1-based line numbers of the new file
  std::set<std::string_view> removed;  // names of test functions on removed lines
};

const Pattern& TestDefinition() {
  static const Pattern pattern = Pattern::Constant(R"(^\s*(?:async\s+)?def\s+(test\w*)\s*\()");
  return pattern;
}

std::string_view TakeLine(std::string_view* text) {
  const size_t end = text->find('\n');
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return line;
}

// "@@ -1,2 +3,4 @@ context": where the new file's lines begin, and the context.
std::optional<std::pair<size_t, std::string_view>> HunkStart(std::string_view line) {
  const size_t plus = line.find('+'), end = line.find("@@", 2);
  size_t first = 0;
  if (!line.starts_with("@@ ") || plus == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  std::from_chars(line.data() + plus + 1, line.data() + end, first);
  return std::pair(first, line.substr(end + 2));
}

size_t Indent(std::string_view line) { return line.find_first_not_of(" \t"); }

Hunks Read(std::string_view patch) {
  Hunks hunks;
  size_t number = 0;  // of the next line of the new file
  bool next_touched = false;
  while (!patch.empty()) {
    const std::string_view line = TakeLine(&patch);
    if (const auto start = HunkStart(line)) {
      number = start->first;
      const std::string_view context = start->second;
      hunks.visible.push_back({.text = context.substr(std::min<size_t>(1, context.size())), .begins_hunk = true});
    } else if (line.starts_with('-')) {
      if (const auto match = TestDefinition().Find(line.substr(1))) hunks.removed.insert(match->groups[1]);
      // A decorator that went (a skip, often) changes what follows it; another line what it followed.
      const size_t indent = Indent(line.substr(1));
      next_touched = next_touched || (indent != std::string_view::npos && line[1 + indent] == '@');
      if (next_touched) continue;
      hunks.touched.insert(number - 1);
      if (!hunks.visible.empty()) hunks.visible.back().touched = true;
    } else if (line.starts_with('+') || line.starts_with(' ')) {
      const bool added = line[0] == '+';
      if (added) hunks.added.insert(number);
      if (added || next_touched) hunks.touched.insert(number);
      hunks.visible.push_back({line.substr(1), added || next_touched, added});
      next_touched = false;
      ++number;
    }
  }
  return hunks;
}

// Finds tests and gives each the lines from its first decorator to the next line that is not deeper.
class Scanner {
 public:
  Scanner(const ChangedFile& file, const Hunks& hunks) : file_(file), hunks_(hunks) {}

  std::vector<ChangedTest> Scan(const std::vector<Line>& lines) {
    static const Pattern class_definition = Pattern::Constant(R"(^class\s+(\w+))");
    for (const Line& line : lines) {
      const size_t indent = Indent(line.text);
      if (line.begins_hunk) End();
      if (indent == std::string_view::npos) {  // blank lines belong to what they stand in, but change nothing
        continue;
      }
      if (current_ && indent <= indent_ && line.text[indent] != ')' && line.text[indent] != '#') End();
      if (const auto match = class_definition.Find(line.text))
        class_ = match->groups[1];
      else if (indent == 0 && line.text[0] != '@' && line.text[0] != ')' && line.text[0] != '#' && !line.begins_hunk)
        class_ = {};
      if (line.text[indent] == '@' && !current_) {
        decorator_touched_ = decorator_touched_ || line.touched;
        continue;
      }
      if (const auto match = TestDefinition().Find(line.text)) {
        current_ = ChangedTest{file_.path, UntrustedText(std::string(indent == 0 ? std::string_view() : class_)),
                               UntrustedText(std::string(match->groups[1])), ""};
        indent_ = indent;
        if (line.added && !hunks_.removed.contains(match->groups[1]))
          current_->change = "added";
        else if (line.touched || decorator_touched_)
          current_->change = "modified";
        decorator_touched_ = false;
      } else if (current_ && line.touched && current_->change.empty()) {
        current_->change = "modified";
      } else if (!current_) {
        decorator_touched_ = false;
      }
    }
    End();
    return std::move(found_);
  }

 private:
  void End() {
    if (current_ && !current_->change.empty()) Take(std::move(*current_));
    current_.reset();
  }

  // Of two definitions of one name only the last counts in Python; here both stand for the one test.
  void Take(ChangedTest test) {
    for (ChangedTest& known : found_)
      if (known.class_name == test.class_name && known.name == test.name) {
        if (known.change != test.change) known.change = "modified";
        return;
      }
    found_.push_back(std::move(test));
  }

  const ChangedFile& file_;
  const Hunks& hunks_;
  std::vector<ChangedTest> found_;
  std::optional<ChangedTest> current_;
  std::string_view class_;
  size_t indent_ = 0;
  bool decorator_touched_ = false;
};

}  // namespace

bool IsTestFile(const UntrustedText& path) {
  static const Pattern pattern = Pattern::Constant(R"(^test/.*\.py$|(^|/)test_[^/]*\.py$|_test\.py$)");
  return pattern.FoundIn(path.ForMatching());
}

std::vector<ChangedTest> TestsIn(const ChangedFile& file, const std::optional<UntrustedText>& new_text) {
  if (!IsTestFile(file.path) || file.status == "removed") return {};
  const Hunks hunks = Read(file.patch.ForMatching());
  if (!new_text) return Scanner(file, hunks).Scan(hunks.visible);
  std::vector<Line> lines;
  std::string_view rest = new_text->ForMatching();
  for (size_t number = 1; !rest.empty(); ++number) {
    const std::string_view text = TakeLine(&rest);
    lines.push_back({text, hunks.touched.contains(number), hunks.added.contains(number)});
  }
  return Scanner(file, hunks).Scan(lines);
}

}  // namespace xpu_align
