// Joins a removed and an added file to a rename when their contents are equal or at least half alike, as git does by
// default. Looks at no more than 200 removed and 200 added files of unequal content. Used by the diff reader.
#pragma once
#include <vector>

#include "edge/git/tree_changes.h"

namespace xpu_align {

// A rename stands where the added file stood.
void JoinRenames(ObjectCache& objects, std::vector<TreeChange>* changes);

}  // namespace xpu_align
