#include "app/exit_codes.h"

#include <algorithm>
#include <vector>

namespace xpu_align {
namespace {

constexpr ExitCodeEntry kEntries[] = {
    {ExitCode::kInterrupted, "interrupted by a signal", "run the same command again: it resumes"},
    {ExitCode::kBug, "a bug in xpu-align", "report it with the last lines of the log"},
    {ExitCode::kSandbox, "the sandbox can not be made as strong as asked", "`xpu-align doctor` names what is missing"},
    {ExitCode::kDevice, "interpreter or device unusable", "`xpu-align doctor` names the check that fails and its remedy"},
    {ExitCode::kFiles, "a file or repository can not be read or written", "check the path in the message, its permissions and the disk"},
    {ExitCode::kAuth, "GitHub refused the token", "check the token; public data of pytorch/pytorch needs no scope"},
    {ExitCode::kConfig, "wrong setting, or the run directory belongs to another scan", "the message names the field; `--fresh` starts anew"},
    {ExitCode::kUsage, "wrong command line", "`xpu-align COMMAND --help` shows an example"},
    {ExitCode::kNoSource, "no source answered at all", "check network, proxy and GITHUB_API_URL"},
    {ExitCode::kArtifact, "the artifact service did not store a file", "the files are kept in the run directory"},
    {ExitCode::kIncomplete, "incomplete: the report ends with a progress checkpoint", "run the command that the checkpoint names"},
    {ExitCode::kFindings, "complete, with findings at `--fail-on`", "read `reports/full_scan.md`"},
    {ExitCode::kComplete, "complete", ""},
};

}  // namespace

std::span<const ExitCodeEntry> ExitCodes() { return kEntries; }

ExitCode ExitCodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage: return ExitCode::kUsage;
    case ErrorKind::kConfig: return ExitCode::kConfig;
    case ErrorKind::kAuth: return ExitCode::kAuth;
    case ErrorKind::kNetwork: return ExitCode::kNoSource;
    // A source that can not go on now: what was collected stands, the run is partial.
    case ErrorKind::kRateLimited: return ExitCode::kIncomplete;
    case ErrorKind::kProtocol:
    case ErrorKind::kTooLarge:
    case ErrorKind::kNotFound:
    case ErrorKind::kFileSystem:
    case ErrorKind::kGit: return ExitCode::kFiles;
    case ErrorKind::kSandbox: return ExitCode::kSandbox;
    case ErrorKind::kDevice: return ExitCode::kDevice;
    case ErrorKind::kArtifact: return ExitCode::kArtifact;
    case ErrorKind::kCancelled: return ExitCode::kInterrupted;
  }
  CHECK(false);
}

ExitCode Worse(ExitCode a, ExitCode b) {
  for (const ExitCodeEntry& entry : kEntries)
    if (entry.code == a || entry.code == b) return entry.code;
  CHECK(false);
}

std::string RenderExitCodesPage() {
  std::string page =
      "# Exit codes\n\nGenerated from `src/app/exit_codes.cc`. 0 to 3 are about the result, 64 and above about the tool. "
      "When several apply, the\norder is: ";
  for (const ExitCodeEntry& entry : kEntries)
    page += (&entry == kEntries ? "" : ", ") + std::to_string(static_cast<int>(entry.code));
  page += ".\n\n| code | meaning | what to do |\n| --- | --- | --- |\n";
  std::vector<ExitCodeEntry> sorted(std::begin(kEntries), std::end(kEntries));
  std::ranges::sort(sorted, {}, &ExitCodeEntry::code);
  for (const ExitCodeEntry& entry : sorted)
    page += "| " + std::to_string(static_cast<int>(entry.code)) + " | " + entry.meaning + " | " + entry.remedy + " |\n";
  return page;
}

}  // namespace xpu_align
