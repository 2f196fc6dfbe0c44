// Finding: what one check of `distill` found wrong, and where. A finding is data, not an error: the run goes on and
// ends with 1. The table of checks gives each id its sentence. Made by scope, readset and verify.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xpu_align::distill {

// D101 to D602. The number is the id and never changes its meaning.
enum class CheckId : int {
  kScope = 101,
  kPinForm = 102,
  kPinObject = 103,
  kLabel = 104,
  kEmptyGlob = 105,
  kBudget = 106,
  kSkipReason = 107,
  kCitedFile = 201,
  kBlobAtPin = 202,
  kRange = 203,
  kQuote = 204,
  kReextraction = 205,
  kUniqueIds = 206,
  kValueInQuote = 207,
  kFrontmatter = 301,
  kSkillSize = 302,
  kReferences = 303,
  kRegeneration = 304,
  kNoLocalNames = 305,
  kStatus = 401,
  kNoMeasurement = 402,
  kOwner = 403,
  kAdmission = 404,
  kLicence = 405,
  kCoverage = 501,
  kMatrixCells = 502,
  kRegistry = 503,
  kDriftStates = 601,
  kDriftVanished = 602,
};

// A warning is shown and does not change the exit code.
enum class Severity { kFinding, kWarning };

struct Finding {
  CheckId check;
  std::string where;    // repository:path, area, file of the output
  std::string message;  // what is wrong, one clause; upstream text in it is already safe for a log line
  Severity severity = Severity::kFinding;

  auto operator<=>(const Finding&) const = default;
};

struct CheckDescription {
  CheckId check;
  std::string_view holds;   // what holds when the check passes
  std::string_view remedy;  // what to do when it does not
};

// Every check, in order of its number.
std::span<const CheckDescription> Checks();

// "D204".
std::string CheckName(CheckId check);
// "D204 out/card.json: ... Do this." One line.
std::string FindingLine(const Finding& finding);
// The page of all checks, for docs/distill-checks.md.
std::string RenderChecksPage();

}  // namespace xpu_align::distill
