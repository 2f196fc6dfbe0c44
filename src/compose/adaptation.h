// Adaptation: a script written for CUDA, or for no device at all, made to run on the target by span edits.
// Every edit has a rule id; everything else is byte-identical. Strings change in device positions only;
// names without counterpart are reported, never guessed. Called by composer.
#pragma once
#include <string>
#include <vector>

#include "compose/edit_list.h"
#include "compose/names.h"
#include "model/composition.h"
#include "model/target_profile.h"

namespace xpu_align {

struct Adaptation {
  std::string code;
  std::vector<Edit> edits;
  std::vector<std::string> device_positions;  // literal, call, injected, default-device
  std::vector<std::string> prelude;           // statements that must run before the script
  std::vector<std::string> notes;
  std::string without_counterpart;  // refuse: the symbol
  std::string second_device;        // refuse: the text that names a device other than the first
};

// `tree` is well formed; `names` are its names and those of imports that will stand before it; `first`
// holds edits of the same tree that stand before all others.
Adaptation Adapt(const PythonTree& tree, const Names& names, const TargetProfile& target, EditList first);

}  // namespace xpu_align
