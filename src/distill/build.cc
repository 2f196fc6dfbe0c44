#include "distill/build.h"

#include "digest/sha256.h"
#include "distill/card.h"
#include "distill/coverage.h"
#include "distill/reference_matrix.h"
#include "distill/review_note.h"
#include "distill/searchspace.h"
#include "distill/skill.h"

namespace xpu_align::distill {
namespace {

Json RegistryJson(const Scope& scope, const Readset& readset, const std::map<std::string, std::string>& card_hashes) {
  Json skills = Json::EmptyArray(), owners = Json::EmptyArray(), knowledge = Json::EmptyArray();
  for (const ScopeArea& area : scope.areas) {
    Json skill;
    skill.Set("id", area.id)
        .Set("area", area.id)
        .Set("path", "skills/" + area.id)
        .Set("description", DescriptionOf(area, scope.policy));
    skill.Set("status", kStatus).Set("run", kRun).Set("pins", PinsJson(RepositoriesOf(area, readset)));
    skill.Set("card_sha256", card_hashes.at(area.id))
        .Set("owner", scope.policy.author)
        .Set("supersedes", Json::EmptyArray());
    skill.SetIfAny("implement_in", area.implement_in);
    skills.Append(std::move(skill));
  }
  for (const ScopeOwner& owner : scope.owners) {
    Json one;
    owners.Append(one.Set("id", owner.id).Set("repo", owner.repo).Set("pin", owner.pin));
  }
  for (const GroundedRepository& repository : readset.repositories) {
    Json one;
    one.Set("repo", repository.id)
        .Set("slug", repository.slug)
        .Set("pin", repository.pin)
        .Set("role", "knowledge")
        .Set("runtime_target", false);
    knowledge.Append(one.Set("existing_skills", Json(repository.existing_owners)));
  }
  Json json;
  json.Set("schema", "distill/registry@1").Set("scope", scope.id).Set("skills", std::move(skills));
  return json.Set("owners", std::move(owners)).Set("knowledge_scopes", std::move(knowledge));
}

}  // namespace

Built Build(const Scope& scope, const Grounded& grounded, Admission admission, FactCache* cache) {
  Built built;
  built.findings = grounded.findings;
  built.areas = FactsOf(scope, grounded, cache, &built.figures, &built.findings);
  if (AdmissionOf(scope.policy) == AdmissionResult::kRefused)
    built.findings.push_back({CheckId::kAdmission, "policy", AdmissionText(scope.policy),
                              admission == Admission::kStrict ? Severity::kFinding : Severity::kWarning});
  const Readset& readset = grounded.readset;
  Outputs& out = built.outputs;
  std::map<std::string, std::string> card_hashes;
  for (size_t i = 0; i < scope.areas.size(); ++i) {
    const ScopeArea& area = scope.areas[i];
    const std::string folder = "skills/" + area.id + "/";
    const std::string& card = out[folder + "card.json"] = CardJson(area, readset, built.areas[i]);
    card_hashes[area.id] = Sha256Hex(card);
    out[folder + "card.md"] = CardMarkdown(area, readset, built.areas[i]);
    out[folder + "SKILL.md"] = SkillMarkdown(scope, area, readset, built.areas[i], card_hashes[area.id]);
  }
  const Json coverage = CoverageJson(scope, readset, built.areas), matrix = ReferenceMatrixJson(scope, grounded);
  const Json searchspace = SearchspaceJson(built.areas);
  out["readset.json"] = WriteJson(ToJson(readset));
  out["registry.json"] = WriteJson(RegistryJson(scope, readset, card_hashes));
  out["coverage.json"] = WriteJson(coverage);
  out["coverage.md"] = CoverageMarkdown(coverage);
  out["reference-matrix.json"] = WriteJson(matrix);
  out["reference-matrix.md"] = ReferenceMatrixMarkdown(matrix);
  out["searchspace-matrix.json"] = WriteJson(searchspace);
  out["searchspace-matrix.md"] = SearchspaceMarkdown(searchspace);
  out["admission.json"] = WriteJson(AdmissionJson(scope.policy));
  out["review-note.md"] = ReviewNote(scope, readset, coverage, matrix, built.findings);
  return built;
}

}  // namespace xpu_align::distill
