#include <algorithm>
#include <filesystem>
#include <set>

#include "audit/checks.h"
#include "digest/sha256.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

// Typed again here on purpose: the auditor does not ask the writer which buckets exist.
const std::set<std::string, std::less<>> kBuckets = {
    "confirmed",        "related-failure", "not-reproduced",       "blocked-env",
    "blocked-platform", "blocked-fetch",   "blocked-script-error", "needs-performance-harness"};

void Add(AuditFindings* findings, std::string check, const std::string& text) {
  findings->push_back({std::move(check), UntrustedText(text).ForLogLine(400)});
}

// What two attempts must share to agree: how the process ended and what it raised.
std::string BehaviourOf(const Json& attempt) {
  const Json& outcome = attempt["outcome"];
  return outcome.StringOr("kind") + "/" + std::to_string(outcome.IntOr("exit_status")) + "/" +
         outcome.StringOr("signal") + "/" + attempt["report"]["exception"].StringOr("type");
}

bool TwoVerdictAttemptsAgree(const Json& evidence) {
  std::set<std::pair<std::string, int64_t>> seen;  // behaviour, attempt number
  for (const Json& attempt : evidence.ArrayOf("attempts")) {
    if (attempt.StringOr("arm") != "target" || attempt.StringOr("role") != "verdict") continue;
    const std::string behaviour = BehaviourOf(attempt);
    const int64_t number = attempt.IntOr("number");
    for (const auto& [other, other_number] : seen)
      if (other == behaviour && other_number != number) return true;
    seen.insert({behaviour, number});
  }
  return false;
}

bool CountsOnDevice(const Json& counts) {
  const auto* object = counts.AsObject();
  return object && std::ranges::any_of(*object, [](const auto& entry) {
           return entry.first != "cpu" && entry.first != "meta" && entry.second.AsInt().value_or(0) > 0;
         });
}

bool RanOnDevice(const Json& evidence) {
  return std::ranges::any_of(evidence.ArrayOf("attempts"), [](const Json& attempt) {
    const Json& report = attempt["report"];
    return attempt.StringOr("arm") == "target" &&
           (CountsOnDevice(report["live_tensors"]) || CountsOnDevice(report["operators_by_device"]) ||
            report.IntOr("device_peak_bytes") > 0);
  });
}

}  // namespace

std::string TargetOf(const AuditedRun& run) {
  const std::string identity = run.manifest["identity"].StringOr("target");
  return identity.empty() ? run.environment.StringOr("target") : identity;
}

void CheckIds(const AuditedRun& run, AuditFindings* findings) {
  if (!run.raw.IsObject()) return Add(findings, "ids", "artifacts/raw_candidates.json is missing or damaged");
  std::set<std::string> raw, ledger;
  for (const Json& candidate : run.raw.ArrayOf("candidates")) raw.insert(candidate.StringOr("id"));
  for (const AuditedRow& row : run.rows) ledger.insert(row.id);
  for (const std::string& id : raw)
    if (!ledger.contains(id)) Add(findings, "ids", id + " was collected and is not in the ledger");
  for (const std::string& id : ledger)
    if (!raw.contains(id)) Add(findings, "ids", id + " is in the ledger and was not collected");
}

void CheckStates(const AuditedRun& run, AuditFindings* findings) {
  const auto one_of = [](const std::string& state, std::initializer_list<const char*> states) {
    return std::ranges::find(states, state) != states.end();
  };
  for (const AuditedRow& row : run.rows) {
    if (!one_of(row.title_status, {"pass", "reject"}) || !one_of(row.deep_status, {"pending", "pass", "reject"}) ||
        !one_of(row.local_status, {"pending", "done"}))
      Add(findings, "states", row.id + " has a state that is none of the procedure's");
    if (!row.bucket.empty() && !kBuckets.contains(row.bucket))
      Add(findings, "states", row.id + " has the unknown bucket " + row.bucket);
    if (row.Done() && row.Rejected()) Add(findings, "states", row.id + " is rejected and done");
    if (row.Done() && row.bucket.empty()) Add(findings, "states", row.id + " is done and has no bucket");
    if (!row.Done() && !row.bucket.empty()) Add(findings, "states", row.id + " is not done and has a bucket");
    if (row.title_status == "pass" && row.deep_status != "reject" && row.local_status == "pending")
      Add(findings, "pending-rows", row.id + " is pending");
  }
}

void CheckProof(const AuditedRun& run, AuditFindings* findings) {
  const std::string target = TargetOf(run);
  for (const AuditedRow& row : run.rows) {
    if (row.bucket != "confirmed") continue;
    const Json evidence = ReadJsonInside(run, "artifacts/evidence/" + row.id + ".json");
    if (!evidence.IsObject()) {
      Add(findings, "proof", row.id + " is confirmed and has no evidence");
      continue;
    }
    const std::string ran_on = evidence.StringOr("target");
    if (evidence.StringOr("id") != row.id)
      Add(findings, "proof", row.id + " is confirmed by the evidence of another id");
    if (!target.empty() && ran_on != target)
      Add(findings, "proof", row.id + " is confirmed by a run on " + ran_on + ", the target is " + target);
    if (!TwoVerdictAttemptsAgree(evidence))
      Add(findings, "proof", row.id + " is confirmed without two attempts that agree");
    if (ran_on != "cpu" && !RanOnDevice(evidence))
      Add(findings, "proof", row.id + " is confirmed and nothing shows that it ran on the device");
  }
}

void CheckHashes(const AuditedRun& run, AuditFindings* findings) {
  const auto* files = run.manifest["files"].AsObject();
  std::error_code error;
  if (!run.manifest.IsObject() && std::filesystem::exists(run.directory / "artifacts/manifest.json", error))
    Add(findings, "hashes", "artifacts/manifest.json is damaged: nothing vouches for the files");
  if (!files) return;  // a directory made by hand has none
  for (const auto& [path, hash] : *files) {
    const auto bytes = ReadInside(run, path);
    if (!bytes) {
      Add(findings, "hashes", path + " is in the manifest and is no readable file");
    } else if (const std::string* expected = hash.AsString(); !expected || Sha256Hex(*bytes) != *expected) {
      Add(findings, "hashes", path + " differs from the manifest");
    }
  }
}

}  // namespace xpu_align
