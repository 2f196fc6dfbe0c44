#include "model/reference.h"

#include <algorithm>
#include <charconv>

#include "text/pattern.h"

namespace xpu_align {
namespace {

int64_t NumberOf(std::string_view digits) {
  int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// OWNER/NAME inside an expression: of its characters only the dot means something there.
std::string Escaped(std::string_view repository) {
  std::string escaped;
  for (const char c : repository) escaped += c == '.' ? std::string("\\.") : std::string(1, c);
  return escaped;
}

// https://github.com/OWNER/NAME/(issues|pull|commit)/..., with a tail that must not go on as a word.
Pattern UrlPattern(std::string_view repository) {
  return Pattern::Constant("https://github\\.com/" + Escaped(repository) +
                           "/(?:(issues|pull)/([1-9][0-9]{0,11})|commit/([0-9a-f]{40}))(?:[^0-9A-Za-z]|$)");
}

Reference FromUrl(const PatternMatch& match) {
  if (match.groups[3].data()) return {Kind::kCommit, 0, std::string(match.groups[3])};
  return {match.groups[1] == "pull" ? Kind::kPullRequest : Kind::kIssue, NumberOf(match.groups[2]), ""};
}

}  // namespace

CandidateId Reference::Id() const {
  switch (kind) {
    case Kind::kIssue: return CandidateId::OfIssue(number);
    case Kind::kPullRequest: return CandidateId::OfPullRequest(number);
    case Kind::kCommit: return CandidateId::OfCommit(sha);
  }
  CHECK(false);
}

Result<Reference> ParseReference(std::string_view text, std::string_view repository) {
  static const Pattern kShort =
      Pattern::Constant("^(?:issue:([1-9][0-9]{0,11})|pr:([1-9][0-9]{0,11})(?:@([0-9a-f]{40}))?|commit:([0-9a-f]{40}))$");
  if (const auto match = kShort.Find(text)) {
    const auto& groups = match->groups;
    if (groups[1].data()) return Reference{Kind::kIssue, NumberOf(groups[1]), ""};
    if (groups[2].data()) return Reference{Kind::kPullRequest, NumberOf(groups[2]), std::string(groups[3])};
    return Reference{Kind::kCommit, 0, std::string(groups[4])};
  }
  if (const auto match = UrlPattern(repository).Find(text); match && match->offset == 0) return FromUrl(*match);
  return Fail(ErrorKind::kUsage, "not a reference: '" + UntrustedText(std::string(text)).ForLogLine(80) +
                                     "'; write issue:N, pr:N, pr:N@SHA, commit:SHA (40 hex digits) or a URL of " +
                                     std::string(repository));
}

std::vector<Reference> ReferencesInEvent(const Json& event, std::string_view repository) {
  std::vector<Reference> found;
  const auto add = [&found](Reference reference) {
    if (std::find(found.begin(), found.end(), reference) == found.end()) found.push_back(std::move(reference));
  };
  const Json& pull_request = event["pull_request"];
  const Json& item = pull_request.IsObject() ? pull_request : event["issue"];
  if (event["repository"].StringOr("full_name") == repository) {
    const int64_t number = item.IntOr("number");
    const bool is_pull_request = pull_request.IsObject() || item["pull_request"].IsObject();
    const std::string head = pull_request["head"].StringOr("sha");
    if (IsItemNumber(number))
      add({is_pull_request ? Kind::kPullRequest : Kind::kIssue, number, IsFullSha(head) ? head : std::string()});
    return found;
  }
  const std::string text = item.StringOr("title") + "\n" + item.StringOr("body");
  for (const PatternMatch& match : UrlPattern(repository).FindAll(text)) add(FromUrl(match));
  const Pattern short_form = Pattern::Constant("(?:^|[^0-9A-Za-z/_.-])" + Escaped(repository) + "#([1-9][0-9]{0,11})\\b");
  // The text does not say whether N is a pull request; collect finds out.
  for (const PatternMatch& match : short_form.FindAll(text)) add({Kind::kIssue, NumberOf(match.groups[1]), ""});
  return found;
}

}  // namespace xpu_align
