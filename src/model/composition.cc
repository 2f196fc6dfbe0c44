#include "model/composition.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/schema.h"

namespace xpu_align {
namespace {

constexpr std::pair<OracleKind, std::string_view> kOracles[] = {
    {OracleKind::kNone, "none"},          {OracleKind::kException, "exception"},
    {OracleKind::kAssertion, "assertion"}, {OracleKind::kComparison, "comparison"},
    {OracleKind::kNonFinite, "non-finite"}, {OracleKind::kCrash, "crash"},
    {OracleKind::kHang, "hang"},          {OracleKind::kMissingError, "missing-error"},
};
constexpr std::pair<Refusal, std::string_view> kRefusals[] = {
    {Refusal::kAbsentApiOracle, "absent-api-oracle"}, {Refusal::kSourceTextOracle, "source-text-oracle"},
    {Refusal::kNoTargetOperation, "no-target-operation"}, {Refusal::kBroadExcept, "broad-except"},
    {Refusal::kPerfOnly, "perf-only"}, {Refusal::kNoOracle, "no-oracle"},
    {Refusal::kNeedsMultiDevice, "needs-multi-device"}, {Refusal::kNeedsModel, "needs-model"},
    {Refusal::kNeedsFile, "needs-file"}, {Refusal::kNoCounterpart, "no-counterpart"},
    {Refusal::kNotPython, "not-python"}, {Refusal::kUnsafeHarnessAccess, "unsafe-harness-access"},
};

template <typename E, size_t N>
std::optional<E> Lookup(const std::pair<E, std::string_view> (&table)[N], std::string_view name) {
  for (const auto& [value, entry] : table)
    if (entry == name) return value;
  return std::nullopt;
}

Json OracleToJson(const Oracle& oracle) {
  Json frames = Json::EmptyArray();
  for (const Frame& frame : oracle.frames) frames.Append(ToJson(frame));
  return Json()
      .Set("kind", Name(oracle.kind))
      .SetIfAny("exception_type", oracle.exception_type)
      .SetIfAny("message", oracle.message.ForJson())
      .SetIfAny("frames", frames)
      .SetIfAny("signal", oracle.signal)
      .SetIfAny("source", oracle.source)
      .SetIfAny("text", oracle.text.ForJson());
}

Result<Oracle> OracleFromJson(const Json& json) {
  Oracle oracle;
  const auto kind = OracleKindNamed(json.StringOr("kind", "none"));
  if (!kind) return Fail(ErrorKind::kProtocol, "\"oracle\" has an unknown kind");
  oracle.kind = *kind;
  oracle.exception_type = json.StringOr("exception_type");
  oracle.message = UntrustedText(json.StringOr("message"));
  for (const Json& frame : json.ArrayOf("frames")) oracle.frames.push_back(FrameFromJson(frame));
  oracle.signal = json.StringOr("signal");
  oracle.source = json.StringOr("source");
  oracle.text = UntrustedText(json.StringOr("text"));
  return oracle;
}

}  // namespace

std::string_view Name(OracleKind kind) {
  for (const auto& [value, name] : kOracles)
    if (value == kind) return name;
  CHECK(false);
}
std::optional<OracleKind> OracleKindNamed(std::string_view name) { return Lookup(kOracles, name); }

std::string_view Name(Refusal refusal) {
  for (const auto& [value, name] : kRefusals)
    if (value == refusal) return name;
  CHECK(false);
}
std::optional<Refusal> RefusalNamed(std::string_view name) { return Lookup(kRefusals, name); }

Json ToJson(const Frame& frame) {
  return Json().Set("file", frame.file).Set("function", frame.function).Set("line", frame.line);
}
Frame FrameFromJson(const Json& json) {
  return {json.StringOr("file"), json.StringOr("function"), static_cast<int>(std::clamp<int64_t>(json.IntOr("line"), 0, std::numeric_limits<int>::max()))};
}

Json ToJson(const Composition& c) {
  Json spans = Json::EmptyArray();
  for (const SourceSpan& span : c.spans)
    spans.Append(Json()
                     .Set("part", span.part)
                     .Set("first_line", span.first_line)
                     .Set("last_line", span.last_line)
                     .Set("sha256", span.sha256));
  Json repairs = Json::EmptyArray();
  for (const Repair& repair : c.repairs) repairs.Append(Json().Set("rule", repair.rule).Set("line", repair.line));
  Json edits = Json::EmptyArray();
  for (const Edit& edit : c.edits)
    edits.Append(Json()
                     .Set("rule", edit.rule)
                     .Set("line", edit.line)
                     .Set("begin", edit.begin)
                     .Set("end", edit.end)
                     .Set("before", edit.before.ForJson())
                     .Set("after", edit.after));
  Json json = c.other.IsObject() ? c.other : Json::EmptyObject();
  json.Set("schema", SchemaOf("composition"))
      .Set("id", c.id.Text())
      .Set("target", c.target)
      .Set("strategy", c.strategy)
      .SetIfAny("spans", spans)
      .SetIfAny("repairs", repairs)
      .SetIfAny("edits", edits)
      .Set("oracle", OracleToJson(c.oracle))
      .Set("compiled", c.compile_use == CompileUse::kCompiled)
      .SetIfAny("device_positions", c.device_positions)
      .SetIfAny("notes", c.notes)
      .SetIfAny("script_sha256", c.script_sha256)
      .SetIfAny("reference_script_sha256", c.reference_script_sha256);
  if (c.refusal) json.Set("refusal", Json().Set("rule", Name(*c.refusal)).Set("text", c.refusal_text));
  return json;
}

Result<Composition> CompositionFromJson(const Json& json) {
  TRY(CheckSchema(json, "composition"));
  TRY_ASSIGN(const std::string id_text, json.String("id"));
  const auto id = CandidateId::Parse(id_text);
  if (!id) return Fail(ErrorKind::kProtocol, "not a candidate id: " + UntrustedText(id_text).ForLogLine());
  Composition c{.id = *id};
  c.target = json.StringOr("target");
  c.strategy = json.StringOr("strategy");
  for (const Json& span : json.ArrayOf("spans"))
    c.spans.push_back({span.StringOr("part"), static_cast<int>(span.IntOr("first_line")),
                       static_cast<int>(span.IntOr("last_line")), span.StringOr("sha256")});
  for (const Json& repair : json.ArrayOf("repairs"))
    c.repairs.push_back({repair.StringOr("rule"), static_cast<int>(repair.IntOr("line"))});
  for (const Json& edit : json.ArrayOf("edits"))
    c.edits.push_back({edit.StringOr("rule"), static_cast<int>(edit.IntOr("line")),
                       static_cast<size_t>(edit.IntOr("begin")), static_cast<size_t>(edit.IntOr("end")),
                       UntrustedText(edit.StringOr("before")), edit.StringOr("after")});
  TRY_ASSIGN(c.oracle, OracleFromJson(json["oracle"]));
  c.compile_use = json.BoolOr("compiled", false) ? CompileUse::kCompiled : CompileUse::kEager;
  c.device_positions = json.StringsOf("device_positions");
  c.notes = json.StringsOf("notes");
  c.script_sha256 = json.StringOr("script_sha256");
  c.reference_script_sha256 = json.StringOr("reference_script_sha256");
  if (const Json& refusal = json["refusal"]; refusal.IsObject()) {
    c.refusal = RefusalNamed(refusal.StringOr("rule"));
    if (!c.refusal) return Fail(ErrorKind::kProtocol, id->Text() + ": \"refusal\" has an unknown rule");
    c.refusal_text = refusal.StringOr("text");
  }
  c.other = json;
  for (const char* known :
       {"schema", "id", "target", "strategy", "spans", "repairs", "edits", "oracle", "compiled", "device_positions",
        "notes", "script_sha256", "reference_script_sha256", "refusal"})
    c.other.Remove(known);
  return c;
}

}  // namespace xpu_align
