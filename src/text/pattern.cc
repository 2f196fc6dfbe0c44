#include "text/pattern.h"

#include <re2/re2.h>

namespace xpu_align {

Pattern::Pattern(std::unique_ptr<re2::RE2> compiled) : compiled_(std::move(compiled)) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::Compile(std::string_view expression) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto compiled = std::make_unique<re2::RE2>(re2::StringPiece(expression.data(), expression.size()), options);
  if (!compiled->ok())
    return Fail(ErrorKind::kConfig, "not an RE2 expression: " + std::string(expression) + ": " + compiled->error());
  return Pattern(std::move(compiled));
}

Pattern Pattern::Constant(std::string_view expression) {
  Result<Pattern> pattern = Compile(expression);
  CHECK(pattern.has_value());
  return std::move(*pattern);
}

bool Pattern::FoundIn(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

std::optional<PatternMatch> Pattern::Find(std::string_view text, size_t from) const {
  const int count = compiled_->NumberOfCapturingGroups() + 1;
  std::vector<re2::StringPiece> groups(static_cast<size_t>(count));
  const re2::StringPiece input(text.data(), text.size());
  if (from > text.size() ||
      !compiled_->Match(input, from, text.size(), re2::RE2::UNANCHORED, groups.data(), count))
    return std::nullopt;
  PatternMatch match;
  for (const re2::StringPiece& group : groups) match.groups.emplace_back(group.data(), group.size());
  match.offset = static_cast<size_t>(groups[0].data() - text.data());
  return match;
}

std::vector<PatternMatch> Pattern::FindAll(std::string_view text) const {
  std::vector<PatternMatch> all;
  size_t from = 0;
  while (auto match = Find(text, from)) {
    from = match->offset + std::max<size_t>(1, match->groups[0].size());
    all.push_back(std::move(*match));
  }
  return all;
}

std::string Pattern::ReplaceAll(std::string_view text, std::string_view replacement) const {
  std::string out(text);
  re2::RE2::GlobalReplace(&out, *compiled_, re2::StringPiece(replacement.data(), replacement.size()));
  return out;
}

}  // namespace xpu_align
