// Opens a bare clone, makes or repairs our own one, and fetches into it. Runs that share a clone take turns
// by a lock file. Refuses every address but http and https. Used by repository.cc.
#pragma once
#include "edge/git/handles.h"
#include "edge/git/repository.h"

namespace xpu_align {

inline std::string TrunkRef(const std::string& branch) { return "refs/heads/" + branch; }

// The clone at `settings.directory`; one that can not be read is moved aside to `<directory>.damaged` and
// begun anew.
Result<Repository> OpenOrCreate(const CloneSettings& settings);

// Fetches trunk, nightly, release branches and the heads of `pull_requests`. The new trunk, read before the lock
// is given back, so that another run's fetch can not change it in between.
Result<std::string> Fetch(git_repository* repository, const CloneSettings& settings,
                          std::span<const int64_t> pull_requests);

}  // namespace xpu_align
