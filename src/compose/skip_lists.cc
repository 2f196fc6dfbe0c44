#include "compose/skip_lists.h"

#include <algorithm>
#include <charconv>

#include "compose/python_tree.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxTests = 20'000;

// The literal parts of a string: {...} of an f-string and leading "../" are left out, quotes too.
std::string LiteralText(PyNode string) {
  static const Pattern prefix = Pattern::Constant(R"(^[A-Za-z]*(?:"""|'''|"|'))"), end = Pattern::Constant(R"((?:"""|'''|"|')$)");
  static const Pattern filled = Pattern::Constant(R"(\{[^}]*\})"), above = Pattern::Constant(R"(^/*(?:\.\.?/+)*)");
  std::string text = end.ReplaceAll(prefix.ReplaceAll(string.Text(), ""), "");
  if (std::string_view(string.Text()).substr(0, 2).find_first_of("fF") != std::string_view::npos)
    text = filled.ReplaceAll(text, "");
  return above.ReplaceAll(text, "");
}

std::vector<int64_t> NumbersIn(std::string_view comment, const Pattern& issue) {
  std::vector<int64_t> numbers;
  for (const PatternMatch& match : issue.FindAll(comment)) {
    const std::string_view digits = match.groups[1].data() ? match.groups[1] : match.groups[2];
    int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  }
  return numbers;
}

class ListReader {
 public:
  explicit ListReader(std::string_view repository)
      : issue_(Pattern::Constant("https?://github\\.com/" + EscapedName(repository) +
                                 R"(/issues/([1-9]\d{0,9})\b|(?:^|[\s(])#([1-9]\d{0,9})\b)")) {}

  std::vector<SkippedTest> Read(const PythonTree& tree) {
    for (const PyNode& node : tree.Nodes()) {
      if (tests_.size() == kMaxTests) break;
      if (node.Is("comment"))
        TakeComment(node);
      else if (node.Is("string"))
        TakeString(node);
    }
    return std::move(tests_);
  }

 private:
  static std::string EscapedName(std::string_view repository) {
    std::string escaped;
    for (const char c : repository) escaped += c == '.' ? std::string("\\.") : std::string(1, c);
    return escaped;
  }

  // On the line of a test it speaks of that one, else of the tests that follow without a blank or another comment.
  void TakeComment(PyNode node) {
    std::vector<int64_t> numbers = NumbersIn(node.Text(), issue_);
    if (!tests_.empty() && tests_.back().line == node.Line()) {
      std::ranges::copy(numbers, std::back_inserter(tests_.back().trackers));
      return;
    }
    if (!last_was_comment_ || node.Line() != spoken_line_ + 1) said_.clear();
    last_was_comment_ = true;
    std::ranges::copy(numbers, std::back_inserter(said_));
    spoken_line_ = node.Line();
  }

  void TakeString(PyNode node) {
    const PyNode pair = node.Enclosing("pair");
    if (!pair) return;
    const PyNode key = pair.Field("key");
    if (!key.Is("string") || key == node || pair.Field("value").Begin() > node.Begin()) return;
    const bool in_parts = node.Parent().Is("concatenated_string");
    if (in_parts && !(node.Parent().Children().front() == node)) return;
    std::string name;
    for (const PyNode& part : in_parts ? node.Parent().Children() : std::vector<PyNode>{node}) name += LiteralText(part);
    SkippedTest test{.file = UntrustedText(LiteralText(key)), .test = UntrustedText(std::move(name)), .line = node.Line()};
    // Several tests may stand under one comment, each on the next line.
    if (node.Line() == spoken_line_ + 1) {
      test.trackers = said_;
      spoken_line_ = node.Line();
    }
    last_was_comment_ = false;
    if (!test.test.Empty() && !test.file.Empty()) tests_.push_back(std::move(test));
  }

  Pattern issue_;
  std::vector<SkippedTest> tests_;
  std::vector<int64_t> said_;
  int spoken_line_ = -1;  // of the last comment, or of the last test that it speaks of
  bool last_was_comment_ = false;
};

}  // namespace

std::vector<SkippedTest> SkippedTestsIn(const UntrustedText& list, std::string_view repository) {
  return ListReader(repository).Read(PythonTree::Parse(std::string(list.ForMatching())));
}

bool IsSkipList(const UntrustedText& name) {
  static const Pattern pattern = Pattern::Constant(R"(^(skip_list_\w+|\w*skip_dict)\.py$)");
  return pattern.FoundIn(name.ForMatching());
}

}  // namespace xpu_align
