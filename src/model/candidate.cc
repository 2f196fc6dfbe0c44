#include "model/candidate.h"

#include <algorithm>
#include <charconv>

namespace xpu_align {
namespace {

struct KindName {
  Kind kind;
  std::string_view name;
};
constexpr KindName kKinds[] = {{Kind::kIssue, "issue"}, {Kind::kPullRequest, "pr"}, {Kind::kCommit, "commit"}};

bool IsLowerHex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string_view AfterDash(std::string_view id) { return id.substr(id.find('-') + 1); }

int64_t NumberOf(std::string_view id) {
  int64_t number = 0;
  const std::string_view digits = AfterDash(id);
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

std::string_view Name(Kind kind) {
  for (const KindName& entry : kKinds)
    if (entry.kind == kind) return entry.name;
  CHECK(false);
}

std::optional<Kind> KindNamed(std::string_view name) {
  for (const KindName& entry : kKinds)
    if (entry.name == name) return entry.kind;
  return std::nullopt;
}

bool IsFullSha(std::string_view text) { return text.size() == 40 && IsLowerHex(text); }

bool IsItemNumber(int64_t number) { return number > 0 && number <= 999'999'999'999; }

CandidateId CandidateId::OfIssue(int64_t number) {
  CHECK(IsItemNumber(number));
  return CandidateId("issue-" + std::to_string(number));
}
CandidateId CandidateId::OfPullRequest(int64_t number) {
  CHECK(IsItemNumber(number));
  return CandidateId("pr-" + std::to_string(number));
}
CandidateId CandidateId::OfCommit(std::string_view sha) {
  CHECK(IsFullSha(sha));
  return CandidateId("commit-" + std::string(sha.substr(0, 12)));
}

std::optional<CandidateId> CandidateId::Parse(std::string_view text) {
  const auto kind = KindNamed(text.substr(0, text.find('-')));
  if (!kind || !text.contains('-')) return std::nullopt;
  const std::string_view rest = AfterDash(text);
  const bool valid = *kind == Kind::kCommit
                         ? rest.size() == 12 && IsLowerHex(rest)
                         : !rest.empty() && rest.size() <= 12 && rest[0] != '0' &&
                               rest.find_first_not_of("0123456789") == std::string_view::npos;
  if (!valid) return std::nullopt;
  return CandidateId(std::string(text));
}

Kind CandidateId::kind() const { return *KindNamed(std::string_view(text_).substr(0, text_.find('-'))); }

std::strong_ordering CandidateId::operator<=>(const CandidateId& other) const {
  if (kind() != other.kind()) return kind() <=> other.kind();
  if (kind() == Kind::kCommit) return text_ <=> other.text_;
  return NumberOf(text_) <=> NumberOf(other.text_);
}

Json ToJson(const Candidate& candidate) {
  Json events = Json::EmptyArray();
  for (const Event& event : candidate.events) events.Append(Json().Set("name", event.name).Set("at", event.at));
  Json json;
  json.Set("id", candidate.id.Text())
      .Set("kind", Name(candidate.kind()))
      .Set("title", candidate.title.ForJson())
      .Set("url", candidate.url)
      .SetIfAny("sha", candidate.sha)
      .SetIfAny("state", candidate.state)
      .SetIfAny("author", candidate.author.ForJson())
      .SetIfAny("labels", candidate.labels)
      .SetIfAny("created_at", candidate.created_at)
      .SetIfAny("updated_at", candidate.updated_at)
      .SetIfAny("closed_at", candidate.closed_at)
      .SetIfAny("text_sha256", candidate.text_sha256)
      .Set("events", events);
  if (candidate.number) json.Set("number", candidate.number);
  return json;
}

Result<Candidate> CandidateFromJson(const Json& json) {
  TRY_ASSIGN(const std::string id_text, json.String("id"));
  const auto id = CandidateId::Parse(id_text);
  if (!id) return Fail(ErrorKind::kProtocol, "not a candidate id: " + UntrustedText(id_text).ForLogLine());
  if (json.StringOr("kind") != Name(id->kind()))
    return Fail(ErrorKind::kProtocol, id->Text() + ": \"kind\" does not fit the id");
  Candidate candidate{.id = *id};
  TRY_ASSIGN(std::string title, json.String("title"));
  candidate.title = UntrustedText(std::move(title));
  TRY_ASSIGN(candidate.url, json.String("url"));
  candidate.number = json.IntOr("number");
  candidate.sha = json.StringOr("sha");
  if (id->kind() == Kind::kCommit && !IsFullSha(candidate.sha))
    return Fail(ErrorKind::kProtocol, id->Text() + ": \"sha\" must be 40 hex digits");
  candidate.state = json.StringOr("state");
  candidate.author = UntrustedText(json.StringOr("author"));
  candidate.labels = json.StringsOf("labels");
  candidate.created_at = json.StringOr("created_at");
  candidate.updated_at = json.StringOr("updated_at");
  candidate.closed_at = json.StringOr("closed_at");
  candidate.text_sha256 = json.StringOr("text_sha256");
  for (const Json& event : json.ArrayOf("events"))
    candidate.events.push_back({event.StringOr("name"), event.StringOr("at")});
  return candidate;
}

}  // namespace xpu_align
