#include "distill/path_glob.h"

#include <algorithm>

#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

constexpr size_t kMaxAlternatives = 256;

// Braces expanded, one level at a time, leftmost first; nesting is refused by the caller.
std::vector<std::string> Expanded(std::string_view pattern) {
  const size_t open = pattern.find('{');
  if (open == std::string_view::npos) return {std::string(pattern)};
  const size_t close = pattern.find('}', open);
  std::vector<std::string> out;
  for (size_t at = open + 1; at <= close;) {
    const size_t end = std::min(pattern.find(',', at), close);
    std::string head(pattern.substr(0, open));
    head += pattern.substr(at, end - at);
    head += pattern.substr(close + 1);
    for (std::string& whole : Expanded(head)) out.push_back(std::move(whole));
    if (out.size() > kMaxAlternatives) return out;
    at = end + 1;
  }
  return out;
}

std::vector<std::string> Parts(std::string_view path) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    parts.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool NameMatches(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, star = std::string_view::npos, retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool PartsMatch(const std::vector<std::string>& pattern, size_t p, const std::vector<std::string>& path, size_t n) {
  for (; p < pattern.size(); ++p, ++n) {
    if (pattern[p] == "**") {
      if (p + 1 == pattern.size()) return n < path.size();  // what lies below, not the folder itself
      for (size_t rest = n; rest <= path.size(); ++rest)
        if (PartsMatch(pattern, p + 1, path, rest)) return true;
      return false;
    }
    if (n == path.size() || !NameMatches(pattern[p], path[n])) return false;
  }
  return n == path.size();
}

}  // namespace

Result<PathGlob> PathGlob::Parse(std::string_view pattern) {
  const auto refuse = [&](const char* why) {
    return Fail(ErrorKind::kConfig, "pattern '" + UntrustedText(std::string(pattern)).ForLogLine(200) + "' " + why);
  };
  if (pattern.empty() || pattern.size() > 400) return refuse("is empty or too long");
  if (pattern.front() == '/' || (pattern.size() > 1 && pattern[1] == ':')) return refuse("is absolute");
  for (const char c : pattern)
    if (static_cast<unsigned char>(c) < 0x20 || c == '\\') return refuse("holds a control character or a backslash");
  int depth = 0;
  for (const char c : pattern) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth < 0 || depth > 1) return refuse("has braces that do not pair, or nest");
  }
  if (depth != 0) return refuse("has braces that do not pair, or nest");
  PathGlob glob;
  glob.text_ = pattern;
  glob.literal_prefix_ = std::min(pattern.find_first_of("*?{"), pattern.size());
  const std::vector<std::string> expanded = Expanded(pattern);
  if (expanded.size() > kMaxAlternatives) return refuse("has too many alternatives");
  for (const std::string& one : expanded) {
    glob.alternatives_.push_back(Parts(one));
    for (const std::string& part : glob.alternatives_.back()) {
      if (part.empty()) return refuse("has an empty part");
      if (part == "." || part == "..") return refuse("leaves the repository: '.' and '..' are refused");
      if (part.contains("**") && part != "**") return refuse("has ** beside other text in one part");
    }
  }
  return glob;
}

bool PathGlob::Matches(std::string_view path) const {
  const std::vector<std::string> parts = Parts(path);
  return std::ranges::any_of(alternatives_, [&](const auto& one) { return PartsMatch(one, 0, parts, 0); });
}

bool PathGlob::MayMatchBelow(std::string_view folder) const {
  if (folder.empty()) return true;
  const std::vector<std::string> parts = Parts(folder);
  for (const std::vector<std::string>& one : alternatives_) {
    size_t at = 0;
    while (at < one.size() && at < parts.size() && one[at] != "**" && NameMatches(one[at], parts[at])) ++at;
    if ((at < one.size() && one[at] == "**") || (at == parts.size() && at < one.size())) return true;
  }
  return false;
}

bool PathGlob::IsUnbounded() const {
  return std::ranges::any_of(alternatives_, [](const auto& one) { return one.front() == "**"; });
}

}  // namespace xpu_align::distill
