// API map: torch.cuda.* (and what else the target profile lists) rewritten to the target's names. A profile
// entry is a name, an expression, or a call template with `...` for the arguments that were given. A name
// without counterpart is not rewritten: it is reported. Called by adaptation.
#pragma once
#include <string>

#include "compose/edit_list.h"
#include "compose/names.h"
#include "model/target_profile.h"

namespace xpu_align {

struct ApiFindings {
  std::string without_counterpart;  // the first such symbol; empty when there is none
  bool uses_accelerator_api = false;  // the script names an accelerator's module at all
  bool asks_availability = false;
  bool asks_capability = false;
};

ApiFindings MapApi(const PythonTree& tree, const Names& names, const TargetProfile& target, EditList* edits);

}  // namespace xpu_align
