// Pattern: an RE2 regular expression for rules on untrusted text; linear time, bounded memory. The only
// user of RE2. std::regex is never used.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/error.h"

namespace re2 {
class RE2;
}

namespace xpu_align {

struct PatternMatch {
  // groups[0] is the whole match; a group that did not take part is empty with data() == nullptr.
  std::vector<std::string_view> groups;
  size_t offset = 0;  // of the whole match, in bytes
};

class Pattern {
 public:
  // kConfig when RE2 refuses the expression. (?i) and (?m) inside the expression work as usual.
  static Result<Pattern> Compile(std::string_view expression);
  // For expressions that are constants of the program: a refused one is a bug and aborts.
  static Pattern Constant(std::string_view expression);

  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  bool FoundIn(std::string_view text) const;
  // The first match at or after `from`.
  std::optional<PatternMatch> Find(std::string_view text, size_t from = 0) const;
  std::vector<PatternMatch> FindAll(std::string_view text) const;
  // `text` with every match replaced; \1 to \9 name groups.
  std::string ReplaceAll(std::string_view text, std::string_view replacement) const;

 private:
  explicit Pattern(std::unique_ptr<re2::RE2> compiled);
  std::unique_ptr<re2::RE2> compiled_;
};

}  // namespace xpu_align
