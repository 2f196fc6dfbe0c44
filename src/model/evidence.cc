#include "model/evidence.h"

#include <algorithm>
#include <limits>

#include "model/schema.h"

namespace xpu_align {
namespace {

constexpr std::pair<Arm, std::string_view> kArms[] = {
    {Arm::kTarget, "target"}, {Arm::kCpu, "cpu"}, {Arm::kEager, "eager"}};
constexpr std::pair<OutcomeKind, std::string_view> kOutcomes[] = {{OutcomeKind::kExited, "exited"},
                                                                  {OutcomeKind::kSignalled, "signalled"},
                                                                  {OutcomeKind::kTimedOut, "timed-out"},
                                                                  {OutcomeKind::kMemoryExceeded, "memory-exceeded"},
                                                                  {OutcomeKind::kNotStarted, "not-started"}};

Json CountsToJson(const std::map<std::string, int>& counts) {
  Json json = Json::EmptyObject();
  for (const auto& [key, count] : counts) json.Set(key, count);
  return json;
}

// A stranger's script can say anything: what no count can be becomes the nearest one that can.
int Within(int64_t value, int least) {
  return static_cast<int>(std::clamp<int64_t>(value, least, std::numeric_limits<int>::max()));
}

std::map<std::string, int> CountsFromJson(const Json& json) {
  std::map<std::string, int> counts;
  if (const auto* object = json.AsObject())
    for (const auto& [key, value] : *object) counts[key] = Within(value.AsInt().value_or(0), 0);
  return counts;
}

Json ExceptionToJson(const RaisedException& raised) {
  Json frames = Json::EmptyArray();
  for (const Frame& frame : raised.frames) frames.Append(ToJson(frame));
  Json causes = Json::EmptyArray();
  for (const auto& [type, message] : raised.causes)
    causes.Append(Json().Set("type", type).Set("message", message.ForJson()));
  return Json()
      .Set("type", raised.type)
      .Set("message", raised.message.ForJson())
      .SetIfAny("frames", frames)
      .SetIfAny("causes", causes);
}

RaisedException ExceptionFromJson(const Json& json) {
  RaisedException raised{.type = json.StringOr("type"), .message = UntrustedText(json.StringOr("message"))};
  for (const Json& frame : json.ArrayOf("frames")) raised.frames.push_back(FrameFromJson(frame));
  for (const Json& cause : json.ArrayOf("causes"))
    raised.causes.emplace_back(cause.StringOr("type"), UntrustedText(cause.StringOr("message")));
  return raised;
}

Json AttemptToJson(const Attempt& a) {
  return Json()
      .Set("arm", Name(a.arm))
      .Set("role", Name(a.role))
      .Set("number", a.number)
      .Set("isolation", a.isolation)
      .SetIfAny("isolation_reason", a.isolation_reason)
      .Set("outcome", Json()
                          .Set("kind", Name(a.outcome.kind))
                          .Set("exit_status", a.outcome.exit_status)
                          .SetIfAny("signal", a.outcome.signal)
                          .SetIfAny("detail", a.outcome.detail))
      .Set("report", ToJson(a.report))
      .Set("script_sha256", a.script_sha256)
      .Set("log", a.log)
      .Set("output_sha256", a.output_sha256)
      .Set("output_capped", a.output_capped)
      .Set("tail", a.tail.ForJson());
}

Result<Attempt> AttemptFromJson(const Json& json) {
  Attempt a;
  const auto arm = ArmNamed(json.StringOr("arm"));
  const std::string role = json.StringOr("role");
  const auto kind = OutcomeKindNamed(json["outcome"].StringOr("kind"));
  if (!arm || !kind || (role != Name(Role::kVerdict) && role != Name(Role::kProof)))
    return Fail(ErrorKind::kProtocol, "an attempt has an unknown arm, role or outcome");
  a.arm = *arm;
  a.role = role == Name(Role::kProof) ? Role::kProof : Role::kVerdict;
  a.number = static_cast<int>(json.IntOr("number", 1));
  a.isolation = json.StringOr("isolation");
  a.isolation_reason = json.StringOr("isolation_reason");
  a.outcome = {*kind, static_cast<int>(json["outcome"].IntOr("exit_status")), json["outcome"].StringOr("signal"),
               json["outcome"].StringOr("detail")};
  a.report = HarnessReportFromJson(json["report"]);
  a.script_sha256 = json.StringOr("script_sha256");
  a.log = json.StringOr("log");
  a.output_sha256 = json.StringOr("output_sha256");
  a.output_capped = json.BoolOr("output_capped", false);
  a.tail = UntrustedText(json.StringOr("tail"));
  return a;
}

}  // namespace

std::string_view Name(Arm arm) {
  for (const auto& [value, name] : kArms)
    if (value == arm) return name;
  CHECK(false);
}
std::optional<Arm> ArmNamed(std::string_view name) {
  for (const auto& [value, entry] : kArms)
    if (entry == name) return value;
  return std::nullopt;
}
std::string_view Name(Role role) { return role == Role::kProof ? "proof" : "verdict"; }
std::string_view Name(OutcomeKind kind) {
  for (const auto& [value, name] : kOutcomes)
    if (value == kind) return name;
  CHECK(false);
}
std::optional<OutcomeKind> OutcomeKindNamed(std::string_view name) {
  for (const auto& [value, entry] : kOutcomes)
    if (entry == name) return value;
  return std::nullopt;
}

Json ToJson(const HarnessReport& r) {
  Json json = r.other.IsObject() ? r.other : Json::EmptyObject();
  json.Set("complete", r.complete)
      .Set("live_tensors", CountsToJson(r.live_tensors))
      .SetIfAny("operators_by_device", CountsToJson(r.operators_by_device))
      .SetIfAny("fallback_operators", r.fallback_operators)
      .Set("device_peak_bytes", r.device_peak_bytes)
      .Set("compiled_graphs", r.compiled_graphs)
      .SetIfAny("exit_sync_error", r.exit_sync_error)
      .SetIfAny("result_line", r.result_line);
  if (r.exception) json.Set("exception", ExceptionToJson(*r.exception));
  return json;
}

HarnessReport HarnessReportFromJson(const Json& json) {
  HarnessReport r;
  r.complete = json.BoolOr("complete", false);
  if (json["exception"].IsObject()) r.exception = ExceptionFromJson(json["exception"]);
  r.live_tensors = CountsFromJson(json["live_tensors"]);
  r.operators_by_device = CountsFromJson(json["operators_by_device"]);
  r.fallback_operators = json.StringsOf("fallback_operators");
  r.device_peak_bytes = std::max<int64_t>(0, json.IntOr("device_peak_bytes"));
  r.compiled_graphs = Within(json.IntOr("compiled_graphs", -1), -1);
  r.exit_sync_error = json.StringOr("exit_sync_error");
  r.result_line = json.StringOr("result_line");
  r.other = json;
  for (const char* known : {"complete", "exception", "live_tensors", "operators_by_device", "fallback_operators",
                            "device_peak_bytes", "compiled_graphs", "exit_sync_error", "result_line"})
    r.other.Remove(known);
  return r;
}

Json ToJson(const Evidence& e) {
  Json json = e.other.IsObject() ? e.other : Json::EmptyObject();
  Json canaries = Json::EmptyArray();
  for (const CanaryResult& canary : e.canaries)
    canaries.Append(
        Json().Set("name", canary.name).Set("passed", canary.passed).SetIfAny("detail", canary.detail));
  Json attempts = Json::EmptyArray();
  for (const Attempt& attempt : e.attempts) attempts.Append(AttemptToJson(attempt));
  return json.Set("schema", SchemaOf("evidence"))
      .Set("id", e.id.Text())
      .Set("target", e.target)
      .Set("torch_version", e.torch_version)
      .Set("sandbox_level", e.sandbox_level)
      .Set("canaries", canaries)
      .Set("attempts", attempts)
      .SetIfAny("incident", e.incident);
}

Result<Evidence> EvidenceFromJson(const Json& json) {
  TRY(CheckSchema(json, "evidence"));
  TRY_ASSIGN(const std::string id_text, json.String("id"));
  const auto id = CandidateId::Parse(id_text);
  if (!id) return Fail(ErrorKind::kProtocol, "not a candidate id: " + UntrustedText(id_text).ForLogLine());
  Evidence e{.id = *id};
  e.target = json.StringOr("target");
  e.torch_version = json.StringOr("torch_version");
  e.sandbox_level = json.StringOr("sandbox_level");
  for (const Json& canary : json.ArrayOf("canaries"))
    e.canaries.push_back({canary.StringOr("name"), canary.BoolOr("passed", false), canary.StringOr("detail")});
  for (const Json& attempt : json.ArrayOf("attempts")) {
    TRY_ASSIGN(Attempt parsed, AttemptFromJson(attempt));
    e.attempts.push_back(std::move(parsed));
  }
  e.incident = json.StringOr("incident");
  e.other = json;
  for (const char* known :
       {"schema", "id", "target", "torch_version", "sandbox_level", "canaries", "attempts", "incident"})
    e.other.Remove(known);
  return e;
}

}  // namespace xpu_align
