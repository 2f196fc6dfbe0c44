#include <algorithm>

#include "distill/markdown_text.h"
#include "distill/verify_steps.h"
#include "text/pattern.h"
#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

constexpr size_t kMostLines = 200, kMostTokens = 5000, kMostDescription = 1024;

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

struct Frontmatter {
  std::map<std::string, std::string> fields, metadata;
  size_t end = 0;     // line behind the closing ---
  std::string wrong;  // empty when it is well formed
};

// Stricter than YAML: every scalar is double quoted, metadata is the only map.
Frontmatter ParseFrontmatter(const std::vector<std::string>& lines) {
  static const Pattern kField = Pattern::Constant(R"re(^(  )?([a-z-]+): "((?:[^"\\]|\\["\\])*)"$)re");
  Frontmatter out;
  if (lines.empty() || lines[0] != "---") return out.wrong = "the first line is not ---", out;
  bool in_metadata = false;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i] == "---") return out.end = i + 1, out;
    if (lines[i] == "metadata:") {
      in_metadata = true;
      continue;
    }
    const auto match = kField.Find(lines[i]);
    if (!match || (match->groups[1].empty() == false && !in_metadata))
      return out.wrong = "line " + std::to_string(i + 1) + " is no quoted field", out;
    auto& target = match->groups[1].empty() ? out.fields : out.metadata;
    if (!target.emplace(match->groups[2], match->groups[3]).second) return out.wrong = "a field is given twice", out;
  }
  out.wrong = "it is not closed";
  return out;
}

void CheckFrontmatter(const VerifyWorld& world, const std::string& path, const std::string& folder,
                      const Frontmatter& front) {
  static const Pattern kName = Pattern::Constant("^[a-z0-9]+(-[a-z0-9]+)*$");
  static const std::set<std::string> kFields = {"name", "description", "license", "compatibility"};
  const auto report = [&](const std::string& message) { world.Report(CheckId::kFrontmatter, path, message); };
  if (!front.wrong.empty()) return report(front.wrong);
  for (const auto& [name, value] : front.fields)
    if (!kFields.contains(name)) report("field " + name + " is not in the specification");
  const auto field = [&](const char* name) {
    const auto found = front.fields.find(name);
    return found == front.fields.end() ? std::string() : found->second;
  };
  if (const std::string name = field("name"); !kName.FoundIn(name) || name.size() > 64 || name != folder)
    report("name '" + UntrustedText(name).ForLogLine(80) +
           "' is not the folder's, or not lower-case ASCII with single hyphens");
  const std::string description = field("description");
  if (description.empty() || description.size() > std::min(kMostDescription, world.scope.policy.max_description))
    report("the description has " + std::to_string(description.size()) + " characters");
  if (field("license").empty()) report("there is no license");
  for (const char* name : {"distill-status", "distill-run", "distill-pins", "distill-card"})
    if (!front.metadata.contains(name)) report(std::string("metadata has no ") + name);
}

void CheckReferences(const VerifyWorld& world, const std::string& folder, const std::string& file,
                     const std::string& text) {
  static const Pattern kId = Pattern::Constant("`(F-[0-9a-f]+)`");
  static const Pattern kLink = Pattern::Constant(R"(\]\(([^)\s]+)\))");
  const std::string path = "skills/" + folder + "/" + file;
  std::set<std::string, std::less<>> ids;
  for (const Json& fact : world.JsonOf("skills/" + folder + "/card.json").ArrayOf("facts"))
    ids.insert(fact.StringOr("id"));
  for (const PatternMatch& match : kId.FindAll(text))
    if (!ids.contains(match.groups[1]))
      world.Report(CheckId::kReferences, path, "fact " + std::string(match.groups[1]) + " is not in card.json");
  const std::string prose = WithoutCodeSpans(text);
  for (const PatternMatch& match : kLink.FindAll(prose)) {
    const std::string target(match.groups[1]);
    if (target.contains('/') || target.contains("..") || !world.given.contains("skills/" + folder + "/" + target))
      world.Report(CheckId::kReferences, path,
                   "link " + UntrustedText(target).ForLogLine(100) + " does not resolve in the folder of the skill");
  }
}

}  // namespace

void CheckSkills(const VerifyWorld& world) {
  for (const auto& [path, text] : world.given) {
    if (!path.starts_with("skills/")) continue;
    const size_t slash = path.find('/', 7);
    if (slash == std::string::npos) continue;
    const std::string folder = path.substr(7, slash - 7), file = path.substr(slash + 1);
    if (file == "card.md") CheckReferences(world, folder, file, text);
    if (file != "SKILL.md") continue;
    if (text.starts_with("\xEF\xBB\xBF") || text.contains('\r'))
      world.Report(CheckId::kFrontmatter, path, "has a byte order mark or CR");
    const std::vector<std::string> lines = LinesOf(text);
    const Frontmatter front = ParseFrontmatter(lines);
    CheckFrontmatter(world, path, folder, front);
    if (lines.size() > kMostLines || text.size() / 4 > kMostTokens)
      world.Report(CheckId::kSkillSize, path,
                   std::to_string(lines.size()) + " lines, about " + std::to_string(text.size() / 4) + " tokens");
    CheckReferences(world, folder, file, text);
  }
}

}  // namespace xpu_align::distill
