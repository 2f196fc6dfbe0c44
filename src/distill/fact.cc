#include "distill/fact.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "digest/sha256.h"

namespace xpu_align::distill {
namespace {

constexpr std::string_view kKindNames[] = {"reg",  "dispatch", "env",   "env-set", "cfg",      "enum", "state", "check",
                                           "warn", "const",    "field", "virtual", "override", "api",  "macro"};
constexpr std::string_view kConfidenceNames[] = {"literal", "derived", "partial"};
constexpr size_t kIdDigits = 8;

Status RefuseOthers(const Json& json, std::set<std::string, std::less<>> known, const char* what) {
  if (!json.IsObject()) return Fail(ErrorKind::kProtocol, std::string(what) + " is no object");
  for (const auto& [name, value] : *json.AsObject())
    if (!known.contains(name)) return Fail(ErrorKind::kProtocol, std::string(what) + " has an unknown member");
  return {};
}

Result<Citation> CitationFromJson(const Json& json) {
  TRY(RefuseOthers(json, {"repo", "path", "lines", "blob", "quote", "tokens"}, "a citation"));
  Citation cite;
  TRY_ASSIGN(cite.repo, json.String("repo"));
  TRY_ASSIGN(cite.path, json.String("path"));
  TRY_ASSIGN(cite.blob, json.String("blob"));
  TRY_ASSIGN(cite.quote, json.String("quote"));
  TRY_ASSIGN(cite.tokens, json.String("tokens"));
  const Json::Array& lines = json.ArrayOf("lines");
  const auto small = [](const Json& value) { return value.AsInt().value_or(-1) >= 0 && *value.AsInt() < 100'000'000; };
  if (lines.size() != 2 || !small(lines[0]) || !small(lines[1]))
    return Fail(ErrorKind::kProtocol, "lines of a citation are two numbers");
  cite.lines = {static_cast<int>(*lines[0].AsInt()), static_cast<int>(*lines[1].AsInt())};
  return cite;
}

}  // namespace

std::string_view KindName(FactKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::optional<FactKind> KindNamed(std::string_view name) {
  for (const FactKind kind : AllKinds())
    if (KindName(kind) == name) return kind;
  return std::nullopt;
}

const std::vector<FactKind>& AllKinds() {
  static const std::vector<FactKind> kAll = [] {
    std::vector<FactKind> kinds;
    for (size_t i = 0; i < std::size(kKindNames); ++i) kinds.push_back(static_cast<FactKind>(i));
    return kinds;
  }();
  return kAll;
}

Json ToJson(const Citation& citation) {
  Json json;
  json.Set("repo", citation.repo).Set("path", citation.path).Set("blob", citation.blob);
  json.Set("lines", Json::Array{citation.lines.first, citation.lines.last});
  json.Set("quote", citation.quote).Set("tokens", citation.tokens);
  return json;
}

Json ToJson(const Fact& fact) {
  Json json;
  json.Set("id", fact.id).Set("kind", KindName(fact.kind)).Set("subject", fact.subject).Set("key", fact.key);
  json.Set("value", fact.value).Set("rule", fact.rule).Set("nth", fact.nth).Set("of", fact.of);
  json.Set("confidence", kConfidenceNames[static_cast<size_t>(fact.confidence)]);
  json.Set("audience", Json(fact.audience));
  Json cites = Json::EmptyArray();
  for (const Citation& cite : fact.cites) cites.Append(ToJson(cite));
  json.Set("cite", std::move(cites));
  return json;
}

Result<Fact> FactFromJson(const Json& json) {
  TRY(RefuseOthers(json,
                   {"id", "kind", "subject", "key", "value", "rule", "nth", "of", "confidence", "audience", "cite"},
                   "a fact"));
  Fact fact;
  TRY_ASSIGN(fact.id, json.String("id"));
  TRY_ASSIGN(const std::string kind, json.String("kind"));
  TRY_ASSIGN(fact.subject, json.String("subject"));
  TRY_ASSIGN(fact.key, json.String("key"));
  TRY_ASSIGN(fact.rule, json.String("rule"));
  TRY_ASSIGN(const std::string confidence, json.String("confidence"));
  TRY_ASSIGN(const int64_t nth, json.Int("nth"));
  TRY_ASSIGN(const int64_t of, json.Int("of"));
  const auto known = KindNamed(kind);
  const auto* name = std::ranges::find(kConfidenceNames, confidence);
  if (!known || name == std::end(kConfidenceNames) || !json["value"].IsObject() || json.ArrayOf("cite").empty() ||
      nth < 1 || of < nth || of > 1'000'000)
    return Fail(ErrorKind::kProtocol, "a fact has a kind, a confidence, a value, a citation or a number that is none");
  fact.kind = *known;
  fact.confidence = static_cast<Confidence>(name - kConfidenceNames);
  fact.nth = static_cast<int>(nth), fact.of = static_cast<int>(of);
  fact.value = json["value"];
  fact.audience = json.StringsOf("audience");
  for (const Json& cite : json.ArrayOf("cite")) {
    TRY_ASSIGN(Citation parsed, CitationFromJson(cite));
    fact.cites.push_back(std::move(parsed));
  }
  return fact;
}

bool Precedes(const Fact& a, const Fact& b) {
  return std::tie(a.kind, a.Cite().repo, a.Cite().path, a.Cite().lines, a.key) <
         std::tie(b.kind, b.Cite().repo, b.Cite().path, b.Cite().lines, b.key);
}

void NumberFacts(std::vector<Fact>* facts) {
  std::ranges::stable_sort(*facts, Precedes);
  std::map<std::string, int> counts, seen;
  const auto identity = [](const Fact& fact) {
    std::string text = fact.Cite().repo;
    text += '|';
    text += KindName(fact.kind);
    text += '|';
    return text + fact.key;
  };
  for (const Fact& fact : *facts) ++counts[identity(fact)];
  std::set<std::string> taken;
  for (Fact& fact : *facts) {
    const std::string name = identity(fact);
    fact.of = counts[name];
    fact.nth = ++seen[name];
    const std::string hash = Sha256Hex(fact.nth == 1 ? name : name + "|" + std::to_string(fact.nth));
    size_t digits = kIdDigits;
    do fact.id = "F-" + hash.substr(0, digits++);
    while (!taken.insert(fact.id).second);
  }
}

}  // namespace xpu_align::distill
