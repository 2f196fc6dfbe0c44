// The sources of a spot check: items that a person named, instead of a window. What was named and is not there
// is said; a pull request whose head moved since it was named is refused. Used by collect.cc.
#pragma once
#include "pipeline/collect.h"
#include "pipeline/collect_sources.h"

namespace xpu_align {

// kNotFound names the reference that GitHub or the clone does not have.
Result<Sources> AskForReferences(const CollectRequest& request, const CollectPorts& ports);

}  // namespace xpu_align
