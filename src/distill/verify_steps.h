// The steps of verify, each a group of checks. They see the folder as it was given and what the objects say; none sees
// how the folder was built. Used by verify.cc only.
#pragma once
#include <set>

#include "distill/pinned_tree.h"
#include "distill/verify.h"

namespace xpu_align::distill {

struct VerifyWorld {
  const Scope& scope;
  const Clones& clones;
  const Outputs& given;
  const Grounded& grounded;                       // made from the objects just now
  const Built& built;                             // made from it just now
  std::map<std::string, Json, std::less<>> json;  // files of `given` that parse
  std::vector<Finding>* findings;
  VerifyFigures* figures;

  void Report(CheckId check, const std::string& where, std::string message) const {
    findings->push_back({check, where, std::move(message), Severity::kFinding});
  }
  // Null when the file is missing or no JSON; D304 tells of it.
  const Json& JsonOf(std::string_view path) const;
};

void CheckBytes(const VerifyWorld& world);    // D304
void CheckReadset(const VerifyWorld& world);  // D107
Status CheckFacts(const VerifyWorld& world);  // D201 to D207
void CheckSkills(const VerifyWorld& world);   // D301 to D303
void CheckClaims(const VerifyWorld& world);   // D305, D401, D402
void CheckTotals(const VerifyWorld& world);   // D501 to D503
Status CheckDrift(const VerifyWorld& world);  // D601, D602, when the folder holds a drift

// Does the text of a value stand in quoted lines, white space, quotes and comments aside?
bool StandsIn(const std::string& text, const std::string& quote, std::string_view path);

}  // namespace xpu_align::distill
