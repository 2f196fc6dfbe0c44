// Script text: header comment, prelude, upstream code, epilogue of scripts/repro_<id>.py. Runs with plain
// `python` anywhere and prints `RESULT: <bucket>` last. Upstream words in the header can not leave their
// comment line. Called by composer.
#pragma once
#include <string>
#include <vector>

#include "model/composition.h"
#include "model/details.h"
#include "model/target_profile.h"

namespace xpu_align {

struct ScriptParts {
  const Details& details;
  const Composition& record;
  const TargetProfile& target;
  std::string code;                   // adapted upstream code; empty when there is none
  std::vector<std::string> edits_of;  // header lines of this arm's edits
  std::vector<std::string> imports;   // import lines that upstream forgot
  std::vector<std::string> prelude;   // statements before the code: seeds, default device
  std::vector<std::string> epilogue;  // lines after the code: a comparison, the call of a test
};

std::string ScriptText(const ScriptParts& parts);

// "device-literal, line 3: "cuda" -> "xpu"", one safe line each.
std::vector<std::string> EditLines(const std::vector<Edit>& edits);

}  // namespace xpu_align
