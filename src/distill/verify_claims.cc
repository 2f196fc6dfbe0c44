#include "distill/markdown_text.h"
#include "distill/verify_steps.h"
#include "text/pattern.h"
#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

// Members that quote a repository: what stands there is its text, not a claim of ours.
bool IsQuoted(std::string_view name) {
  static const std::set<std::string_view> kQuoted = {
      "value",     "subject", "key",    "signature", "member",     "members", "defaults", "allowed",
      "conflicts", "path",    "detail", "name",      "precedence", "id",      "unread",   "file"};
  return kQuoted.contains(name);
}

void OwnTexts(const Json& json, std::string* out) {
  if (json.IsString()) *out += *json.AsString() + "\n";
  if (const auto* array = json.AsArray())
    for (const Json& one : *array) OwnTexts(one, out);
  if (const auto* object = json.AsObject())
    for (const auto& [name, member] : *object)
      if (!IsQuoted(name)) OwnTexts(member, out);
}

std::string OwnText(const VerifyWorld& world, const std::string& path, const std::string& bytes) {
  if (path.ends_with(".json")) {
    std::string text;
    OwnTexts(world.JsonOf(path), &text);
    return text;
  }
  return WithoutCodeSpans(bytes);
}

void CheckStatus(const VerifyWorld& world, const std::string& path, const Json& json) {
  if (const auto* array = json.AsArray())
    for (const Json& one : *array) CheckStatus(world, path, one);
  if (const auto* object = json.AsObject())
    for (const auto& [name, member] : *object) {
      if (name == "value") continue;
      const std::string text = member.IsString() ? *member.AsString() : "";
      if ((name == "status" && text != "candidate") || ((name == "run" || name == "measured") && text != "not_run"))
        world.Report(CheckId::kStatus, path, name + " is '" + UntrustedText(text).ForLogLine(40) + "'");
      CheckStatus(world, path, member);
    }
}

}  // namespace

void CheckClaims(const VerifyWorld& world) {
  static const Pattern kLocal = Pattern::Constant(
      R"((?:^|[\s"'(=])(?:/(?:home|root|Users|tmp|var|work|mnt|opt|etc)/|[A-Za-z]:\\|~/|file://)|\b[a-z][a-z0-9+.-]*://|localhost|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b)");
  static const Pattern kCredential = Pattern::Constant(
      R"(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY|://[^/\s:@]+:[^/\s@]+@)");
  static const Pattern kMeasured = Pattern::Constant(
      R"((?i)\d(?:\.\d+)?\s?(?:ms|us|ns|GB/s|MB/s|GiB/s|tok/s|tokens/s|TFLOPS|it/s)\b|\d(?:\.\d+)?\s?(?:x|%|times)\s+(?:faster|slower)|\bspeed-?up\b)");
  static const Pattern kPassed = Pattern::Constant(R"(\bPASS(?:ED)?\b|\b[Vv]erified\b)");
  for (const auto& [path, bytes] : world.given) {
    const std::string text = OwnText(world, path, bytes);
    if (const auto found = kLocal.Find(text))
      world.Report(CheckId::kNoLocalNames, path,
                   "holds '" + UntrustedText(std::string(found->groups[0])).ForLogLine(40) + "'");
    if (kCredential.FoundIn(bytes)) world.Report(CheckId::kNoLocalNames, path, "holds what looks like a credential");
    if (const auto found = kMeasured.Find(text))
      world.Report(CheckId::kNoMeasurement, path,
                   "claims '" + UntrustedText(std::string(found->groups[0])).ForLogLine(40) + "'");
    if (const auto found = kPassed.Find(text))
      world.Report(CheckId::kStatus, path, "says '" + std::string(found->groups[0]) + "'");
    if (path.ends_with(".json")) CheckStatus(world, path, world.JsonOf(path));
  }
  // Of each skill, in its frontmatter, too.
  for (const auto& [path, bytes] : world.given)
    if (path.ends_with("/SKILL.md") &&
        (!bytes.contains("\n  distill-status: \"candidate\"\n") || !bytes.contains("\n  distill-run: \"not_run\"\n")))
      world.Report(CheckId::kStatus, path, "the frontmatter does not say candidate and not_run");
}

}  // namespace xpu_align::distill
