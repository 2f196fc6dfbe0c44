#include "distill/missing_pin.h"

#include <algorithm>
#include <chrono>

#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

std::string DayOf(int64_t seconds) {
  const std::chrono::year_month_day day{
      std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(seconds)))};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                static_cast<unsigned>(day.day()));
  return text;
}

size_t SharedPrefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

// By name, as far as a label is given; newest first among equals.
std::string NearestTags(const std::string& label, std::vector<NamedCommit> tags) {
  std::ranges::stable_sort(tags, [&](const NamedCommit& a, const NamedCommit& b) {
    return SharedPrefix(a.name, label) > SharedPrefix(b.name, label);
  });
  std::string text;
  for (size_t i = 0; i < tags.size() && i < 3; ++i)
    text += (i == 0 ? "" : ", ") + UntrustedText(tags[i].name).ForLogLine(100) + " = " + tags[i].commit + " (" +
            DayOf(tags[i].committed_at) + ")";
  return text.empty() ? "none" : text;
}

}  // namespace

std::string FetchCommand(const ScopeRepository& repository, const Clones& clones) {
  const auto clone = clones.find(repository.id);
  const std::string directory = clone == clones.end() ? "DIR" : clone->second.directory;
  return "git -C " + directory + " fetch origin " + repository.pin;
}

Result<PinnedCommit> PinIn(const ScopeRepository& repository, const Clones& clones) {
  const auto clone = clones.find(repository.id);
  if (clone == clones.end())
    return Fail(ErrorKind::kUsage, "there is no clone for repository " + repository.id + " (" + repository.slug +
                                       "); give one with --repo " + repository.id + "=DIR");
  GitObjects& objects = *clone->second.objects;
  const ObjectKind kind = objects.KindOf(repository.pin);
  if (kind == ObjectKind::kCommit) return objects.CommitAt(repository.pin);
  const std::string name = "pin " + repository.pin + " of " + repository.id + " (" + repository.slug + ")";
  if (kind != ObjectKind::kMissing) {
    const auto commit = objects.CommitNamed(repository.pin);
    return Fail(ErrorKind::kConfig,
                CheckName(CheckId::kPinForm) + " " + name + " is no commit" +
                    (commit ? "; it is a tag of commit " + *commit + ": write that into the scope" : ""));
  }
  std::vector<NamedCommit> tags = objects.Tags();
  std::string newest;
  if (const auto head = objects.CommitNamed("HEAD"))
    if (const auto commit = objects.CommitAt(*head))
      newest = "; the clone stands at " + *head + " of " + DayOf(commit->committed_at);
  return Fail(ErrorKind::kGit, CheckName(CheckId::kPinObject) + " " + name +
                                   (repository.label.empty() ? "" : ", label " + repository.label) +
                                   ", is not in the clone " + clone->second.directory + newest +
                                   "; nearest tags: " + NearestTags(repository.label, std::move(tags)) +
                                   ". No other commit is taken in its place. Bring it with `" +
                                   FetchCommand(repository, clones) + "` and run the same command again");
}

std::string PinToPaste(const ScopeRepository& repository, const Clones& clones) {
  const auto clone = clones.find(repository.id);
  const auto commit = clone == clones.end() ? std::nullopt : clone->second.objects->CommitNamed(repository.pin);
  if (!commit) return {};
  return UntrustedText(repository.pin).ForLogLine(60) + " is commit " + *commit + " in " + clone->second.directory +
         "; if that is meant, write the full id";
}

}  // namespace xpu_align::distill
