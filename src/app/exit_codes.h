// The exit codes: one table that decides, prints docs/exit-codes.md and orders codes when several apply.
// Used by run.cc only.
#pragma once
#include <span>
#include <string>

#include "text/error.h"

namespace xpu_align {

enum class ExitCode : int {
  kComplete = 0,
  kFindings = 1,
  kIncomplete = 3,
  kUsage = 64,
  kNoSource = 69,
  kBug = 70,
  kSandbox = 71,
  kDevice = 72,
  kArtifact = 73,
  kFiles = 74,
  kAuth = 77,
  kConfig = 78,
  kInterrupted = 130,
};

struct ExitCodeEntry {
  ExitCode code;
  const char* meaning;
  const char* remedy;
};

// In order of precedence: when several apply, the first of them is the exit code.
std::span<const ExitCodeEntry> ExitCodes();

ExitCode ExitCodeOf(ErrorKind kind);

// The one of the two that precedes.
ExitCode Worse(ExitCode a, ExitCode b);

// docs/exit-codes.md.
std::string RenderExitCodesPage();

}  // namespace xpu_align
