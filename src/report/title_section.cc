// The head of the report: what was scanned, with what, and whether all of it was seen.
#include "report/markdown.h"
#include "report/row_facts.h"
#include "report/sections.h"

namespace xpu_align {
namespace {

std::string Title(const ReportInput& input) {
  std::string title = "# XPU alignment scan " + FormatDate(input.window.start) + " to " + FormatDate(input.window.end);
  if (!input.run_name.empty() && input.run_name != input.window.Name()) title += " (" + Prose(input.run_name, 80) + ")";
  if (input.source != "live") title += " (" + Prose(input.source, 40) + ")";
  return title + "\n";
}

std::string Completeness(const Json& collection) {
  if (!collection.IsObject()) return "unknown (no artifacts/collection.json)";
  std::vector<std::string> complete, partial;
  for (const Json& source : collection.ArrayOf("sources")) {
    const std::string name = Prose(source.StringOr("name", "unnamed source"), 60);
    if (source.BoolOr("complete", false)) {
      complete.push_back(name + " " + std::to_string(source.IntOr("items")));
    } else {
      partial.push_back(name + " (" + Prose(source.StringOr("reason", "no reason recorded")) + ")");
    }
  }
  if (complete.empty() && partial.empty()) return "unknown (no source is recorded)";
  std::string words = partial.empty() ? "every source is complete: " : "PARTIAL: " + Joined(partial);
  if (!partial.empty() && !complete.empty()) words += "; complete: ";
  words += Joined(complete);
  if (const std::string limits = collection.StringOr("limits"); !limits.empty()) words += "; " + Prose(limits);
  return words;
}

// Nights before the window that were missed; empty when there are none.
std::string Gaps(const Json& collection) {
  std::vector<std::string> gaps;
  for (const Json& gap : collection.ArrayOf("gaps")) {
    const auto start = ParseDate(gap.StringOr("start")), end = ParseDate(gap.StringOr("end"));
    if (start && end) gaps.push_back(FormatDate(*start) + " to " + FormatDate(*end));
  }
  return gaps.empty() ? "" : "- Not covered by any complete scan before this one: " + Joined(gaps) + "\n";
}

std::string Environment(const Json& environment) {
  if (!environment.IsObject()) return "unknown (preflight has not run here)";
  std::vector<std::string> parts = {"torch " + CodeSpan(environment.StringOr("torch_version"))};
  if (const std::string commit = environment.StringOr("git_version"); !commit.empty())
    parts.push_back("commit " + CodeSpan(commit.substr(0, 12)));
  parts.push_back("Python " + CodeSpan(environment.StringOr("python_version")));
  parts.push_back("device " + CodeSpan(environment.StringOr("device_name", "none")));
  parts.push_back("sandbox " + CodeSpan(environment.StringOr("sandbox_level")));
  return Joined(parts);
}

}  // namespace

std::string TitleSection(const ReportInput& input) {
  std::string out = Title(input);
  if (!GivesXpuEvidence(input.target))
    out += "Target: " + Prose(input.target.name, 40) + ". No XPU evidence in this report.\n";
  out += "\n- Completeness: " + Completeness(input.collection) + "\n";
  out += Gaps(input.collection);
  out += "- Environment: " + Environment(input.environment) + "\n";
  out +=
      "- Repository: " + Prose(input.repository, 100) + ", items " + Prose(input.events, 40) + " in the window (UTC)\n";
  return out;
}

}  // namespace xpu_align
