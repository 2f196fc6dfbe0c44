#include "pipeline/run_identity.h"

#include "model/schema.h"

namespace xpu_align {
namespace {

struct Member {
  const char* key;
  std::string RunIdentity::*value;
  bool known_late;  // may be empty until preflight has run
};
constexpr Member kMembers[] = {
    {"repository", &RunIdentity::repository, false}, {"window", &RunIdentity::window, false},
    {"events", &RunIdentity::events, false},         {"target", &RunIdentity::target, false},
    {"rules_sha256", &RunIdentity::rules_sha256, false}, {"torch_version", &RunIdentity::torch_version, true},
    {"build", &RunIdentity::build, true},
};

Result<Json> ReadManifest(RunStore& store) {
  auto bytes = store.Read(paths::kManifest);
  if (!bytes && bytes.error().kind == ErrorKind::kNotFound) return Json();
  TRY(bytes);
  auto manifest = ParseJson(*bytes);
  if (!manifest) return Fail(manifest.error(), std::string(paths::kManifest));
  if (const Status known = CheckSchema(*manifest, "manifest"); !known)
    return Fail(known.error(), std::string(paths::kManifest));
  return *manifest;
}

}  // namespace

std::string_view Name(RunSource source) {
  switch (source) {
    case RunSource::kLive: return "live";
    case RunSource::kDemo: return "demo";
    case RunSource::kReplayed: return "replayed";
  }
  CHECK(false);
}

Result<std::optional<ClaimedRun>> ReadClaim(RunStore& store) {
  TRY_ASSIGN(const Json manifest, ReadManifest(store));
  if (!manifest["identity"].IsObject()) return std::nullopt;
  ClaimedRun run;
  for (const Member& member : kMembers) run.identity.*member.value = manifest["identity"].StringOr(member.key);
  for (const RunSource source : {RunSource::kDemo, RunSource::kReplayed})
    if (manifest.StringOr("source") == Name(source)) run.source = source;
  run.own_rules = manifest["own_rules"];
  return run;
}

Status CheckSource(RunStore& store, RunSource source) {
  TRY_ASSIGN(const auto claimed, ReadClaim(store));
  if (!claimed || (claimed->source == RunSource::kReplayed) == (source == RunSource::kReplayed)) return {};
  return Fail(ErrorKind::kConfig, "the source of this run directory is '" + std::string(Name(claimed->source)) +
                                      "', asked for is '" + std::string(Name(source)) +
                                      "'; use --fresh to move it aside, or another --workspace");
}

Status ClaimRun(RunStore& store, const ClaimedRun& run) {
  TRY_ASSIGN(Json manifest, ReadManifest(store));
  const Json claimed = manifest["identity"];
  Json identity = claimed.IsObject() ? claimed : Json::EmptyObject();
  for (const Member& member : kMembers) {
    const std::string before = claimed.StringOr(member.key);
    const std::string& now = run.identity.*member.value;
    if (claimed.IsObject() && !(member.known_late && (before.empty() || now.empty())) && before != now)
      return Fail(ErrorKind::kConfig, "this run directory belongs to another scan: its " + std::string(member.key) +
                                          " is '" + before + "', asked for is '" + now +
                                          "'; use --fresh to move it aside, or another --workspace");
    if (!now.empty()) identity.Set(member.key, now);
  }
  identity.Set("schema_version", 1);
  Json updated = manifest;
  updated.Set("schema", SchemaOf("manifest")).Set("identity", identity);
  if (!updated.Has("source")) updated.Set("source", Name(run.source));
  updated.SetIfAny("own_rules", run.own_rules);
  if (updated == manifest) return {};
  return store.Write(paths::kManifest, WriteJson(updated));
}

}  // namespace xpu_align
