#include "pipeline/commit_trailers.h"

#include <algorithm>

#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxTrailers = 50;

std::string KeyOf(std::string_view text) {
  std::string key(text);
  for (char& c : key) c = c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return key;
}

}  // namespace

std::vector<Trailer> TrailersIn(const UntrustedText& message) {
  static const Pattern trailer = Pattern::Constant(
      R"(^(?i)(ghstack-(?:source|comment)-id|pull[ -]request[ -]resolved|differential[ -]revision|(?:reviewed|approved|signed-off|co-authored|tested|acked)[ -](?:off-)?by|cherry-picked-from|reverts):[ \t]*(.*\S))");
  static const Pattern revert = Pattern::Constant(R"(^(?i)this reverts commit ([0-9a-f]{7,40})\b)");
  static const Pattern address = Pattern::Constant(R"(\s*<[^<>\s]+@[^<>\s]*>)");
  std::vector<Trailer> trailers;
  std::string_view rest = message.ForMatching();
  for (bool title = true; !rest.empty() && trailers.size() < kMaxTrailers; title = false) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (title) continue;
    if (const auto match = trailer.Find(line)) {
      std::string value = address.ReplaceAll(match->groups[2], "");
      if (!value.empty()) trailers.push_back({KeyOf(match->groups[1]), UntrustedText(std::move(value))});
    } else if (const auto reverted = revert.Find(line)) {
      trailers.push_back({"reverts", UntrustedText(std::string(reverted->groups[1]))});
    }
  }
  return trailers;
}

}  // namespace xpu_align
