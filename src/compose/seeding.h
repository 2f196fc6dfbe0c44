// Seeding: which random sources a script uses without seeding them, and the statements that seed them, so
// that two runs see the same numbers. Called by adaptation.
#pragma once
#include <string>
#include <vector>

#include "compose/names.h"

namespace xpu_align {

struct Seeding {
  std::vector<std::string> statements;  // for the prelude; empty when the script is seeded or not random
};

Seeding SeedingFor(const PythonTree& tree, const Names& names);

}  // namespace xpu_align
