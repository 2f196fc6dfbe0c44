// Verify: checks an output folder against the objects, trusting nothing in it: resolves every citation again, extracts
// and builds again and compares bytes, and holds each file to its rules. Called by the command; writes nothing.
#pragma once
#include <vector>

#include "distill/build.h"

namespace xpu_align::distill {

struct VerifyFigures {
  size_t facts = 0, citations = 0, files = 0;
};

struct Verified {
  std::vector<Finding> findings;  // sorted, none twice
  VerifyFigures figures;
};

// kGit as GroundReadset.
Result<Verified> Verify(const Scope& scope, const Clones& clones, const Outputs& outputs, Admission admission);

}  // namespace xpu_align::distill
