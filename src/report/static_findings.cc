// What `distill map` knows about this window: cited contracts that a candidate changes, contracts of shared files that
// drifted, members that XPU lacks. Read from text, never rows, never findings of a run.
#include <algorithm>

#include "report/markdown.h"
#include "report/sections.h"

namespace xpu_align {
namespace {

constexpr size_t kListed = 20;

std::string PlaceOf(const Json& cite) {
  const Json::Array& lines = cite.ArrayOf("lines");
  std::string text = cite.StringOr("repo") + ":" + cite.StringOr("path");
  if (lines.size() == 2) text += ":" + std::to_string(lines[0].AsInt().value_or(0));
  return CodeSpan(text);
}

std::string More(size_t all) {
  return all > kListed ? "\n" + std::to_string(all - kListed) + " more are in artifacts/facts_touched.json.\n" : "";
}

std::string TouchedFacts(const Json& file) {
  std::vector<std::vector<std::string>> lines;
  for (const Json& candidate : file.ArrayOf("candidates"))
    for (const Json& fact : candidate.ArrayOf("facts"))
      lines.push_back({CodeSpan(candidate.StringOr("id")),
                       CodeSpan(fact.StringOr("area") + "/" + fact.StringOr("fact")), Prose(fact.StringOr("kind")),
                       CodeSpan(fact.StringOr("subject")), PlaceOf(fact)});
  if (lines.empty()) return {};
  const size_t all = lines.size();
  lines.resize(std::min(all, kListed));
  return "Candidates that change cited lines:\n\n" + Table({"candidate", "fact", "kind", "subject", "where"}, lines) +
         More(all);
}

std::string DriftedFacts(const Json& file) {
  std::vector<std::vector<std::string>> lines;
  for (const Json& fact : file.ArrayOf("drift"))
    lines.push_back({Prose(fact.StringOr("state")), CodeSpan(fact.StringOr("area") + "/" + fact.StringOr("fact")),
                     CodeSpan(fact.StringOr("key")), PlaceOf(fact)});
  if (lines.empty()) return {};
  const size_t all = lines.size();
  lines.resize(std::min(all, kListed));
  return "Facts of shared files that drifted since the pins:\n\n" +
         Table({"state", "fact", "about", "where it was"}, lines) + More(all);
}

std::string Gaps(const Json& file) {
  std::vector<std::vector<std::string>> lines;
  for (const Json& gap : file.ArrayOf("gaps"))
    lines.push_back({CodeSpan(gap.StringOr("member")), Prose(gap.StringOr("base_state")),
                     Prose(Joined(gap.StringsOf("filled_by"))), PlaceOf(gap["look_at"])});
  if (lines.empty()) return {};
  const size_t all = lines.size();
  lines.resize(std::min(all, kListed));
  return "Interface members that other backends fill and XPU does not:\n\n" +
         Table({"member", "base", "filled by", "line to test"}, lines) + More(all);
}

}  // namespace

std::string StaticFindings(const ReportInput& input) {
  std::string body;
  for (const std::string& part :
       {TouchedFacts(input.facts_touched), DriftedFacts(input.facts_touched), Gaps(input.facts_touched)})
    if (!part.empty()) body += (body.empty() ? "" : "\n") + part;
  if (body.empty()) return {};
  return "## Static findings\n\nBy comparing text at pinned commits; nothing of this was run, and none of it is a "
         "row.\n\n" +
         body;
}

}  // namespace xpu_align
