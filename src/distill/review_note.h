// The review note and the admission report: what a reviewer needs to accept or refuse a delivery. Neither can be
// switched off. Called by build.
#pragma once
#include <string>
#include <vector>

#include "distill/build.h"

namespace xpu_align::distill {

enum class AdmissionResult { kAdmitted, kRefused, kNoPolicy };
AdmissionResult AdmissionOf(const ScopePolicy& policy);
Json AdmissionJson(const ScopePolicy& policy);
// One sentence.
std::string AdmissionText(const ScopePolicy& policy);

std::string ReviewNote(const Scope& scope, const Readset& readset, const Json& coverage, const Json& matrix,
                       const std::vector<Finding>& findings);

}  // namespace xpu_align::distill
