#include "distill/verify.h"

#include <algorithm>

#include "distill/verify_steps.h"

namespace xpu_align::distill {

const Json& VerifyWorld::JsonOf(std::string_view path) const {
  static const Json kNone;
  const auto found = json.find(path);
  return found == json.end() ? kNone : found->second;
}

void CheckBytes(const VerifyWorld& world) {
  for (const auto& [path, bytes] : world.built.outputs) {
    const auto given = world.given.find(path);
    if (given == world.given.end()) {
      world.Report(CheckId::kRegeneration, path, "is missing");
    } else if (given->second != bytes) {
      const auto [a, b] = std::ranges::mismatch(given->second, bytes);
      const auto line = std::count(given->second.begin(), a, '\n') + 1;
      world.Report(CheckId::kRegeneration, path,
                   "differs from what building again gives, first at line " + std::to_string(line));
    }
  }
  for (const auto& [path, bytes] : world.given)
    if (!world.built.outputs.contains(path) && path != "drift.json" && path != "drift.md")
      world.Report(CheckId::kRegeneration, path, "is no file that building gives");
}

Result<Verified> Verify(const Scope& scope, const Clones& clones, const Outputs& outputs, Admission admission) {
  TRY_ASSIGN(const Grounded grounded, GroundReadset(scope, clones));
  const Built built = Build(scope, grounded, admission, nullptr);
  Verified verified;
  verified.findings = built.findings;
  verified.figures.files = outputs.size();
  VerifyWorld world{scope, clones, outputs, grounded, built, {}, &verified.findings, &verified.figures};
  for (const auto& [path, bytes] : outputs)
    if (path.ends_with(".json"))
      if (auto json = ParseJson(bytes)) world.json[path] = std::move(*json);
  CheckBytes(world);
  CheckReadset(world);
  TRY(CheckFacts(world));
  CheckSkills(world);
  CheckClaims(world);
  CheckTotals(world);
  TRY(CheckDrift(world));
  std::ranges::sort(verified.findings);
  const auto [first, last] = std::ranges::unique(verified.findings);
  verified.findings.erase(first, last);
  return verified;
}

}  // namespace xpu_align::distill
