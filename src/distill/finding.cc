#include "distill/finding.h"

#include "text/error.h"

namespace xpu_align::distill {
namespace {

using enum CheckId;

constexpr CheckDescription kChecks[] = {
    {kScope, "the scope file parses, its schema and every key is known, ids are unique and ASCII",
     "correct the scope file at the place named"},
    {kPinForm, "a pin is the full id of a commit",
     "write the full commit id into the scope; a tag or short id can move"},
    {kPinObject, "the pinned commit, its tree and every blob are in the clone",
     "fetch the pin into the clone given with --repo"},
    {kLabel, "the label of a repository names its pin",
     "the pin decides; correct the label, or ask `distill drift` what changed between the two"},
    {kEmptyGlob, "every include pattern matches a file at the pin", "correct the pattern; the nearest paths are named"},
    {kBudget, "no area exceeds its budget of files, bytes, lines or facts",
     "narrow the patterns or the kinds of the area, give a window of lines, or raise the budget"},
    {kSkipReason, "every file left out has a reason, and no link, submodule or binary was read",
     "run `distill read` again; the readset was changed by hand"},
    {kCitedFile, "every cited file is in the readset with the same blob", "run `distill build` again"},
    {kBlobAtPin, "every blob is what the tree at the pin holds at that path",
     "do not trust the card; run `distill read` and `distill build` again"},
    {kRange, "every cited range lies inside its blob and inside the window", "run `distill build` again"},
    {kQuote, "the hash of a quote is that of the cited lines", "do not trust the fact; run `distill build` again"},
    {kReextraction, "extracting the file again gives the same fact",
     "run `distill build` again; the card was made by another version or changed by hand"},
    {kUniqueIds, "ids of facts are unique in an area and duplicates are numbered", "run `distill build` again"},
    {kValueInQuote, "what a fact says stands in the lines that it cites",
     "do not trust the fact; run `distill build` again"},
    {kFrontmatter, "the frontmatter of a SKILL.md obeys the Agent Skills specification",
     "correct title, summary and when of the area in the scope"},
    {kSkillSize, "a SKILL.md has at most 200 lines and about 5,000 tokens", "narrow the kinds of the area"},
    {kReferences, "every fact id and every link in a card or skill resolves",
     "run `distill build` again; never edit the files"},
    {kRegeneration, "every file is, byte for byte, what building again gives",
     "run `distill build` again; the files are generated and never edited"},
    {kNoLocalNames, "no output holds an absolute path, a home folder, a host or a credential",
     "remove it from the scope file"},
    {kStatus, "the status is candidate and the run not_run everywhere", "do not claim a result; nothing was run"},
    {kNoMeasurement, "no measurement is claimed outside a quoted fact", "remove the figure from the scope file"},
    {kOwner, "no path or skill of an existing owner is taken",
     "leave the path out of the area, or agree with the owner and change the scope"},
    {kAdmission, "the author is admitted by the policy of the scope",
     "let an admitted author submit the delivery; this is reported and can not be switched off"},
    {kLicence, "the licence of every quoted repository is recorded",
     "name license_path of the repository in the scope"},
    {kCoverage, "coverage equals a recount", "run `distill build` again"},
    {kMatrixCells, "every cell of a matrix has a citation or names the files that were searched",
     "run `distill build` again"},
    {kRegistry, "the registry and the folders of skills are one to one",
     "run `distill build` again into an empty folder"},
    {kDriftStates, "every old fact is in exactly one state and the counts add up", "run `distill drift` again"},
    {kDriftVanished, "a vanished fact has neither quote, tokens nor key in the new readset",
     "run `distill drift` again"},
};

}  // namespace

std::span<const CheckDescription> Checks() { return kChecks; }

std::string CheckName(CheckId check) { return "D" + std::to_string(static_cast<int>(check)); }

std::string FindingLine(const Finding& finding) {
  for (const CheckDescription& description : kChecks)
    if (description.check == finding.check)
      return CheckName(finding.check) + (finding.severity == Severity::kWarning ? " warning: " : " ") + finding.where +
             ": " + finding.message + ". To do: " + std::string(description.remedy) + ".";
  CHECK(false);
}

std::string RenderChecksPage() {
  std::string page =
      "# Checks of `distill`\n\nGenerated from `src/distill/finding.cc`. A finding makes the exit code 1 and is one "
      "line: "
      "the id, the place, what is wrong, what to do.\nIds never change their meaning.\n\n"
      "| id | what holds when it passes | what to do when it does not |\n| --- | --- | --- |\n";
  for (const CheckDescription& check : kChecks)
    page +=
        "| " + CheckName(check.check) + " | " + std::string(check.holds) + " | " + std::string(check.remedy) + " |\n";
  return page;
}

}  // namespace xpu_align::distill
