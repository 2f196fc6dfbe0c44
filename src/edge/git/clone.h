// Opens our bare clone, makes it, or begins it anew when it is damaged. Refuses every address but http and https.
// Runs that share a clone take turns (clone_lock.h). Used by repository.cc and fetch.cc.
#pragma once
#include "edge/git/handles.h"
#include "edge/git/repository.h"

namespace xpu_align {

inline std::string TrunkRef(const std::string& branch) { return "refs/heads/" + branch; }

// The clone at `settings.directory`; one that can not be read is moved aside to `<directory>.damaged`.
Result<Repository> OpenOrCreate(const CloneSettings& settings);

// For the next opening: an object could not be read although it should be there.
void MarkDamaged(const std::filesystem::path& directory);

// What a process that was killed in a fetch left behind: unfinished packs and lock files. With the CloneLock only.
void RemoveLeftovers(const std::filesystem::path& directory);

// One sentence for each repository that can not be read whole: sha256 objects, reftable references, partial clones.
Status RefuseUnreadable(const std::filesystem::path& git_directory);

}  // namespace xpu_align
