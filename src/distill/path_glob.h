// PathGlob: a pattern of paths in a repository: `*` within a name, `**` over folders, `{a,b}` alternatives, `?`.
// Refuses absolute patterns, `..`, backslashes and empty parts. Used by scope, readset and map.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "text/error.h"

namespace xpu_align::distill {

class PathGlob {
 public:
  // kConfig with the reason.
  static Result<PathGlob> Parse(std::string_view pattern);

  bool Matches(std::string_view path) const;
  // Could a path below `folder` match? "" is the root.
  bool MayMatchBelow(std::string_view folder) const;
  // The longest leading text without a wildcard: decides which of several patterns is more specific.
  size_t LiteralPrefix() const { return literal_prefix_; }
  // Names one path, with no wildcard in it.
  bool IsLiteral() const { return literal_prefix_ == text_.size(); }
  // Everything: `**` and its like; such a pattern needs a budget of files.
  bool IsUnbounded() const;
  const std::string& Text() const { return text_; }

  bool operator==(const PathGlob& other) const { return text_ == other.text_; }

 private:
  std::string text_;
  std::vector<std::vector<std::string>> alternatives_;  // braces expanded, each split at '/'
  size_t literal_prefix_ = 0;
};

}  // namespace xpu_align::distill
