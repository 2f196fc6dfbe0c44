#include "model/ledger_row.h"

#include <utility>

namespace xpu_align {
namespace {

template <typename E>
using NameOf = std::pair<E, std::string_view>;

constexpr NameOf<TitleStatus> kTitleStatuses[] = {{TitleStatus::kPass, "pass"}, {TitleStatus::kReject, "reject"}};
constexpr NameOf<DeepStatus> kDeepStatuses[] = {
    {DeepStatus::kPending, "pending"}, {DeepStatus::kPass, "pass"}, {DeepStatus::kReject, "reject"}};
constexpr NameOf<LocalStatus> kLocalStatuses[] = {{LocalStatus::kPending, "pending"}, {LocalStatus::kDone, "done"}};
constexpr NameOf<Bucket> kBuckets[] = {
    {Bucket::kConfirmed, "confirmed"},
    {Bucket::kRelatedFailure, "related-failure"},
    {Bucket::kNotReproduced, "not-reproduced"},
    {Bucket::kBlockedEnv, "blocked-env"},
    {Bucket::kBlockedPlatform, "blocked-platform"},
    {Bucket::kBlockedFetch, "blocked-fetch"},
    {Bucket::kBlockedScriptError, "blocked-script-error"},
    {Bucket::kNeedsPerformanceHarness, "needs-performance-harness"},
};
constexpr NameOf<Verdict> kVerdicts[] = {
    {Verdict::kNeedsXpuFix, "needs-xpu-fix"}, {Verdict::kTrackUpstream, "track-upstream"},
    {Verdict::kFixed, "fixed"},               {Verdict::kNonIssue, "non-issue"},
    {Verdict::kDuplicate, "duplicate"},       {Verdict::kVerificationGap, "verification-gap"},
};
constexpr NameOf<DecidedBy> kDecidedBy[] = {{DecidedBy::kFetch, "fetch"},
                                            {DecidedBy::kPrecheck, "precheck"},
                                            {DecidedBy::kRun, "run"},
                                            {DecidedBy::kIncident, "incident"}};
constexpr NameOf<FixState> kFixStates[] = {{FixState::kUnknown, "unknown"},
                                           {FixState::kInBuild, "in-build"},
                                           {FixState::kNotInBuild, "not-in-build"},
                                           {FixState::kNoFix, "no-fix"}};

template <typename E, size_t N>
std::string_view NameIn(const NameOf<E> (&table)[N], E value) {
  for (const auto& [entry, name] : table)
    if (entry == value) return name;
  CHECK(false);
}

template <typename E, size_t N>
std::optional<E> ValueIn(const NameOf<E> (&table)[N], std::string_view name) {
  for (const auto& [entry, entry_name] : table)
    if (entry_name == name) return entry;
  return std::nullopt;
}

// A state that must be there and be one of `table`.
template <typename E, size_t N>
Result<E> Required(const NameOf<E> (&table)[N], const Json& json, std::string_view key) {
  TRY_ASSIGN(const std::string name, json.String(key));
  if (const auto value = ValueIn(table, name)) return *value;
  return Fail(ErrorKind::kProtocol,
              "\"" + std::string(key) + "\" has the unknown value " + UntrustedText(name).ForLogLine(60));
}

template <typename E, size_t N>
Result<std::optional<E>> Optional(const NameOf<E> (&table)[N], const Json& json, std::string_view key) {
  if (json[key].IsNull() || json.StringOr(key, "?").empty()) return std::nullopt;
  TRY_ASSIGN(E value, Required(table, json, key));
  return value;
}

Json ToJson(const Reason& reason) {
  return reason.rule.empty() ? Json() : Json().Set("rule", reason.rule).Set("text", reason.text);
}

Reason ReasonFrom(const Json& json) { return {json.StringOr("rule"), json.StringOr("text")}; }

}  // namespace

std::string_view Name(TitleStatus value) { return NameIn(kTitleStatuses, value); }
std::string_view Name(DeepStatus value) { return NameIn(kDeepStatuses, value); }
std::string_view Name(LocalStatus value) { return NameIn(kLocalStatuses, value); }
std::string_view Name(Bucket value) { return NameIn(kBuckets, value); }
std::string_view Name(Verdict value) { return NameIn(kVerdicts, value); }
std::string_view Name(DecidedBy value) { return NameIn(kDecidedBy, value); }
std::string_view Name(FixState value) { return NameIn(kFixStates, value); }
std::optional<Bucket> BucketNamed(std::string_view name) { return ValueIn(kBuckets, name); }
std::optional<Verdict> VerdictNamed(std::string_view name) { return ValueIn(kVerdicts, name); }

const std::vector<Bucket>& AllBuckets() {
  static const std::vector<Bucket> all = [] {
    std::vector<Bucket> values;
    for (const auto& entry : kBuckets) values.push_back(entry.first);
    return values;
  }();
  return all;
}

const std::vector<Verdict>& AllVerdicts() {
  static const std::vector<Verdict> all = [] {
    std::vector<Verdict> values;
    for (const auto& entry : kVerdicts) values.push_back(entry.first);
    return values;
  }();
  return all;
}

Json ToJson(const LedgerRow& row) {
  Json json = row.other.IsObject() ? row.other : Json::EmptyObject();
  json.Set("id", row.id.Text())
      .Set("kind", Name(row.id.kind()))
      .Set("title", row.title.ForJson())
      .Set("url", row.url)
      .Set("title_status", Name(row.title_status))
      .Set("deep_status", Name(row.deep_status))
      .Set("local_status", Name(row.local_status))
      .Set("local_bucket", row.bucket ? Json(Name(*row.bucket)) : Json())
      .SetIfAny("title_rule", row.title_rule)
      .SetIfAny("deep_reason", ToJson(row.deep_reason))
      .SetIfAny("areas", row.areas)
      .SetIfAny("strategy", row.strategy)
      .SetIfAny("script_sha256", row.script_sha256)
      .SetIfAny("evidence_sha256", row.evidence_sha256)
      .SetIfAny("bucket_reason", ToJson(row.bucket_reason))
      .SetIfAny("verdict_reason", ToJson(row.verdict_reason))
      .SetIfAny("suspected_component", row.suspected_component)
      .SetIfAny("recheck_after", row.recheck_after)
      .SetIfAny("hold", row.hold);
  if (row.chain)
    json.Set("chain",
             Json()
                 .Set("key", row.chain->key)
                 .Set("leader", row.chain->leader)
                 .Set("members", row.chain->members)
                 .SetIfAny("state", row.chain->state)
                 .SetIfAny("commit", row.chain->commit));
  if (row.decided_by) json.Set("decided_by", Name(*row.decided_by));
  if (row.verdict) json.Set("verdict", Name(*row.verdict));
  if (!row.signature.signature_class.empty())
    json.Set("signature", Json()
                              .Set("class", row.signature.signature_class)
                              .Set("text", row.signature.text)
                              .SetIfAny("fingerprint", row.signature.fingerprint));
  if (row.fix_state) json.Set("fix", Json().SetIfAny("commit", row.fix_commit).Set("state", Name(*row.fix_state)));
  if (!row.route_repository.empty())
    json.Set("route", Json().Set("repository", row.route_repository).Set("rule", row.route_rule));
  if (!row.history.empty()) {
    Json events = Json::EmptyArray();
    for (const HistoryEvent& event : row.history)
      events.Append(Json().Set("event", event.name).SetIfAny("text", event.text));
    json.Set("history", events);
  }
  return json;
}

Result<LedgerRow> LedgerRowFromJson(const Json& json) {
  TRY_ASSIGN(const std::string id_text, json.String("id"));
  const auto id = CandidateId::Parse(id_text);
  if (!id) return Fail(ErrorKind::kProtocol, "not a candidate id: " + UntrustedText(id_text).ForLogLine());
  LedgerRow row{.id = *id};
  TRY_ASSIGN(std::string title, json.String("title"));
  row.title = UntrustedText(std::move(title));
  row.url = json.StringOr("url");
  TRY_ASSIGN(row.title_status, Required(kTitleStatuses, json, "title_status"));
  TRY_ASSIGN(row.deep_status, Required(kDeepStatuses, json, "deep_status"));
  TRY_ASSIGN(row.local_status, Required(kLocalStatuses, json, "local_status"));
  TRY_ASSIGN(row.bucket, Optional(kBuckets, json, "local_bucket"));
  if (row.bucket && (row.local_status != LocalStatus::kDone || row.title_status == TitleStatus::kReject ||
                     row.deep_status == DeepStatus::kReject))
    return Fail(ErrorKind::kProtocol, id->Text() + ": a row that is rejected or not done can not have a bucket");
  row.title_rule = json.StringOr("title_rule");
  row.deep_reason = ReasonFrom(json["deep_reason"]);
  row.areas = json.StringsOf("areas");
  if (const Json& chain = json["chain"]; chain.IsObject())
    row.chain = Chain{chain.StringOr("key"), chain.StringOr("leader"), chain.StringsOf("members"),
                      chain.StringOr("state"), chain.StringOr("commit")};
  row.strategy = json.StringOr("strategy");
  row.script_sha256 = json.StringOr("script_sha256");
  row.evidence_sha256 = json.StringOr("evidence_sha256");
  TRY_ASSIGN(row.decided_by, Optional(kDecidedBy, json, "decided_by"));
  row.bucket_reason = ReasonFrom(json["bucket_reason"]);
  row.signature = {json["signature"].StringOr("class"), json["signature"].StringOr("text"),
                   json["signature"].StringOr("fingerprint")};
  TRY_ASSIGN(row.verdict, Optional(kVerdicts, json, "verdict"));
  row.verdict_reason = ReasonFrom(json["verdict_reason"]);
  row.fix_commit = json["fix"].StringOr("commit");
  TRY_ASSIGN(row.fix_state, Optional(kFixStates, json["fix"], "state"));
  row.route_repository = json["route"].StringOr("repository");
  row.route_rule = json["route"].StringOr("rule");
  row.suspected_component = json.StringOr("suspected_component");
  row.recheck_after = json.StringOr("recheck_after");
  row.hold = json.StringOr("hold");
  for (const Json& event : json.ArrayOf("history"))
    row.history.push_back({event.StringOr("event"), event.StringOr("text")});
  row.other = json;
  for (const char* known :
       {"id", "kind", "title", "url", "title_status", "deep_status", "local_status", "local_bucket", "title_rule",
        "deep_reason", "areas", "chain", "strategy", "script_sha256", "evidence_sha256", "decided_by", "bucket_reason",
        "signature", "verdict", "verdict_reason", "fix", "route", "suspected_component", "recheck_after", "hold",
        "history"})
    row.other.Remove(known);
  return row;
}

}  // namespace xpu_align
