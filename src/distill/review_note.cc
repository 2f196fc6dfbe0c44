#include "distill/review_note.h"

#include <algorithm>

#include "distill/markdown_text.h"

namespace xpu_align::distill {
namespace {

constexpr size_t kUnreadShown = 10;

std::string DeliveryText(const ScopePolicy& policy) {
  std::string text;
  if (AdmissionOf(policy) == AdmissionResult::kRefused)
    text = "Blocker: author " + policy.author +
           " is not among the admitted authors. The candidate is complete; an admitted author has to submit it.";
  else
    text = "No blocker is known from the scope. A person submits and merges; this program does neither.";
  return policy.delivery.empty()
             ? text
             : text + " Recorded in the scope: " + policy.delivery + (policy.delivery.ends_with('.') ? "" : ".");
}

}  // namespace

AdmissionResult AdmissionOf(const ScopePolicy& policy) {
  if (!policy.has_allow_list) return AdmissionResult::kNoPolicy;
  return std::ranges::find(policy.authors_allowed, policy.author) != policy.authors_allowed.end()
             ? AdmissionResult::kAdmitted
             : AdmissionResult::kRefused;
}

std::string AdmissionText(const ScopePolicy& policy) {
  switch (AdmissionOf(policy)) {
    case AdmissionResult::kAdmitted:
      return "admitted: author " + policy.author + " is on the list of the scope";
    case AdmissionResult::kRefused:
      return "refused: author " + policy.author +
             " is not on the list of the scope; the outputs are written, the refusal is recorded and not bypassed";
    case AdmissionResult::kNoPolicy:
      return "no-policy: the scope has no list of authors; the receiving repository decides about " + policy.author;
  }
  return {};
}

Json AdmissionJson(const ScopePolicy& policy) {
  const AdmissionResult result = AdmissionOf(policy);
  Json json;
  json.Set("schema", "distill/admission@1").Set("author", policy.author);
  json.Set("authors_allowed", policy.has_allow_list ? Json(policy.authors_allowed) : Json());
  json.Set("result", result == AdmissionResult::kAdmitted  ? "admitted"
                     : result == AdmissionResult::kRefused ? "refused"
                                                           : "no-policy");
  return json.Set("statement", AdmissionText(policy));
}

std::string ReviewNote(const Scope& scope, const Readset& readset, const Json& coverage, const Json& matrix,
                       const std::vector<Finding>& findings) {
  std::string page = "# Review note: " + scope.title + "\n\nStatus: candidate. Run: not_run.\n\n## Pins\n\n";
  for (const GroundedRepository& one : readset.repositories)
    page += "- " + one.id + ": " + one.slug + " at `" + one.pin + "`, tree `" + one.tree + "`" +
            (one.label.empty() ? "" : ", label " + one.label) + ", licence " + one.license +
            ". Role: knowledge, never a target to run.\n";
  page +=
      "\n## Readsets and coverage\n\n| area | files | lines | facts | skipped | patterns without a file | unread "
      "beside |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  int64_t files = 0, lines = 0, facts = 0;
  for (const Json& area : coverage.ArrayOf("areas")) {
    files += area.IntOr("files_read"), lines += area.IntOr("lines_read"), facts += area.IntOr("facts");
    page += "| " + area.StringOr("id") + " | " + std::to_string(area.IntOr("files_read")) + " | " +
            std::to_string(area.IntOr("lines_read")) + " | " + std::to_string(area.IntOr("facts")) + " | " +
            std::to_string(area.ArrayOf("skipped").size()) + " | " +
            std::to_string(area.ArrayOf("empty_globs").size()) + " | " + std::to_string(area.ArrayOf("unread").size()) +
            " |\n";
  }
  page += "\n" + std::to_string(files) + " files, " + std::to_string(lines) + " lines, " + std::to_string(facts) +
          " facts; recall per area stands in coverage.md.\n\n## Out of scope\n\n";
  for (const Exclusion& exclusion : scope.exclusions) {
    page += "- " + exclusion.reason + (exclusion.repo.empty() ? "" : " (" + exclusion.repo + ")") + ":";
    for (const PathGlob& path : exclusion.paths) page += " " + CodeSpan(path.Text(), 300);
    page += "\n";
  }
  if (scope.exclusions.empty()) page += "The scope excludes nothing.\n";
  page += "\n## Owners respected\n\n";
  for (const ScopeOwner& owner : scope.owners) {
    page += "- " + owner.id + (owner.pin.empty() ? "" : " at " + owner.pin) + ":";
    for (const PathGlob& path : owner.paths) page += " " + CodeSpan(path.Text(), 300);
    page += "\n";
  }
  for (const GroundedRepository& one : readset.repositories)
    if (!one.existing_owners.empty())
      page += "- " + std::to_string(one.existing_owners.size()) + " skills that exist in " + one.id +
              " keep their names.\n";
  if (scope.owners.empty()) page += "The scope names no owner.\n";
  page += "\n## Gaps in the reference matrix\n\n" + std::to_string(matrix.ArrayOf("gaps").size()) +
          " candidates for a person to check; see reference-matrix.md.\n\n## Unread areas\n\n";
  for (const Json& area : coverage.ArrayOf("areas")) {
    const auto unread = area.StringsOf("unread");
    if (unread.empty()) continue;
    page += "- " + area.StringOr("id") + ": " + std::to_string(unread.size()) + " files beside the readset";
    for (size_t i = 0; i < unread.size() && i < kUnreadShown; ++i)
      page += (i == 0 ? ": " : ", ") + CodeSpan(unread[i], 200);
    page += unread.size() > kUnreadShown ? ", and more\n" : "\n";
  }
  page += "\n## Findings\n\n";
  bool any = false;
  for (const Finding& finding : findings) {
    // A label or the depth of a clone is no property of the delivery.
    if (finding.check == CheckId::kLabel || finding.check == CheckId::kPinObject) continue;
    any = true;
    page += "- " + CheckName(finding.check) + " " + CodeSpan(finding.where, 300) + ": " +
            CodeSpan(finding.message, 400) + "\n";
  }
  if (!any) page += "None.\n";
  page += "\n## Admission\n\n" + AdmissionText(scope.policy) + ".\n\n## Delivery\n\n" + DeliveryText(scope.policy) +
          "\n\n## Not executed\n\n- No device, no build and no test of the repositories. No measurement; `PASS` is not "
          "claimed anywhere.\n"
          "- No preprocessor condition was evaluated, no macro expanded, no code generator run.\n"
          "- The DisCo command line was not executed; the method of scope, ground, construct and verify was followed.\n"
          "- Nothing was fetched, pushed, filed or merged.\n";
  return page;
}

}  // namespace xpu_align::distill
