#include "model/target_profile.h"

#include "model/schema.h"

namespace xpu_align {
namespace {

std::map<std::string, std::string> StringMap(const Json& json) {
  std::map<std::string, std::string> out;
  if (const auto* object = json.AsObject())
    for (const auto& [key, value] : *object)
      if (const auto* text = value.AsString()) out[key] = *text;
  return out;
}

}  // namespace

Result<TargetProfile> TargetProfileFromJson(const Json& json) {
  TRY(CheckSchema(json, "target-profile"));
  TargetProfile p;
  TRY_ASSIGN(p.name, json.String("name"));
  TRY_ASSIGN(p.module, json.String("module"));
  TRY_ASSIGN(p.device, json.String("device"));
  TRY_ASSIGN(p.dispatch_key, json.String("dispatch_key"));
  TRY_ASSIGN(p.availability, json.String("availability"));
  p.startup = json.StringOr("startup");
  p.is_reference = json.BoolOr("is_reference", false);
  p.has_compiler = json.BoolOr("has_compiler", true);
  p.memory_limit = json.StringOr("memory_limit", "resident");
  p.collective_backend = json.StringOr("collective_backend");
  p.device_nodes = json.StringsOf("device_nodes");
  p.environment = StringMap(json["environment"]);
  p.forbidden_environment = json.StringsOf("forbidden_environment");
  p.fallback_texts = json.StringsOf("fallback_texts");
  p.fallback_registrations = json.StringsOf("fallback_registrations");
  p.host_operators = json.StringsOf("host_operators");
  p.api_renames = StringMap(json["api_renames"]);
  p.api_without_counterpart = json.StringsOf("api_without_counterpart");
  p.kernel_repository = json.StringOr("kernel_repository");
  for (const Json& entry : json.ArrayOf("adaptation_errors")) {
    const auto bucket = BucketNamed(entry.StringOr("bucket"));
    if (!bucket)
      return Fail(ErrorKind::kConfig, p.name + ": adaptation error '" + entry.StringOr("id") + "' has no known bucket");
    p.adaptation_errors.push_back({entry.StringOr("id"), entry.StringOr("exception_type"), entry.StringOr("pattern"),
                                   *bucket, entry.StringOr("text")});
  }
  p.other = json;
  return p;
}

}  // namespace xpu_align
