// What to say when a pin is not in its clone: where the clone stands, which tags are near, and the command that brings
// the pin. Never falls back to a near commit. Used by ground.cc and the commands.
#pragma once
#include <string>

#include "distill/readset.h"

namespace xpu_align::distill {

// The pinned commit. kUsage without a clone, kConfig when the id is of a tag, tree or blob, kGit when it is missing.
Result<PinnedCommit> PinIn(const ScopeRepository& repository, const Clones& clones);

// git -C DIR fetch origin PIN
std::string FetchCommand(const ScopeRepository& repository, const Clones& clones);

}  // namespace xpu_align::distill
