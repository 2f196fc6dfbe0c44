// The lines of a commit message that tools wrote and tools read: which pull request it resolves, its ghstack id, who
// reviewed it, what it reverts. E-mail addresses are left out. Pure. Used by the collect stage.
#pragma once
#include <vector>

#include "model/details.h"

namespace xpu_align {

// In the order of the message, at most 50. Keys are lower case with '-': "ghstack-source-id", "pull-request-resolved".
std::vector<Trailer> TrailersIn(const UntrustedText& message);

}  // namespace xpu_align
