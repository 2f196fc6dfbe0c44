// RunIdentity: what must be equal for a run directory to be resumed. Kept in artifacts/manifest.json; a
// different value is refused and named, so two scans never mix their rows. Used by src/app before any stage.
#pragma once
#include <optional>
#include <string>

#include "ports/run_store.h"

namespace xpu_align {

struct RunIdentity {
  std::string repository;    // pytorch/pytorch
  std::string window;        // Window::Name, or spot-<id>
  std::string events;        // created
  std::string target;        // profile name
  std::string rules_sha256;  // over all embedded rules, the harness and own rules
  // Known from the moment preflight has run; empty before, and then not compared.
  std::string torch_version;
  std::string build;  // commit that torch was built from, or unknown

  bool operator==(const RunIdentity&) const = default;
};

// Where the data came from: GitHub, a stand-in for it, or a recording. Only live drafts can be filed.
enum class RunSource { kLive, kDemo, kReplayed };
std::string_view Name(RunSource source);

struct ClaimedRun {
  RunIdentity identity;
  RunSource source = RunSource::kLive;
  Json own_rules;  // what the manifest says of them; null: none
};

// The identity of the directory, if it has one. kProtocol when the manifest is damaged.
Result<std::optional<ClaimedRun>> ReadClaim(RunStore& store);

// A directory that was filled from a recording is not filled from elsewhere, and the other way round: kConfig.
Status CheckSource(RunStore& store, RunSource source);

// Writes the identity into a new directory; in a claimed one compares, member by member. kConfig names the
// member that differs and both values.
Status ClaimRun(RunStore& store, const ClaimedRun& run);

}  // namespace xpu_align
