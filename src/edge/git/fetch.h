// One fetch into our clone: what the server advertises, the references of it that are needed, the pack. Bounded: the
// list of references in bytes, a pack in objects and by the room on the disk, one object in bytes. Used by repository.cc.
#pragma once
#include <map>
#include <span>
#include <string>

#include "edge/git/handles.h"
#include "edge/git/repository.h"

namespace xpu_align {

struct Fetched {
  std::string trunk;                             // what this run's server says, whatever another run fetches later
  std::map<std::string, std::string> ghstack_bases;  // sha of a pull request's head -> sha of its base branch
};

// `depth` 0: a whole clone stays whole, and a shallow one as deep as it is. The trunk is read before the lock is given
// back. A stopped or broken fetch leaves what was there before.
Result<Fetched> Fetch(git_repository* repository, const CloneSettings& settings, std::span<const int64_t> pull_requests,
                      int depth);

// The head of one pull request so many commits deep, and nothing else.
Status FetchHead(git_repository* repository, const CloneSettings& settings, int64_t pull_request, int depth);

// kFileSystem, with both figures, when a first clone would not fit.
Status CheckSpace(const CloneSettings& settings);

}  // namespace xpu_align
