// Device injection: a script that names no accelerator gets the target: factory calls a `device=`,
// constructed modules and tensors from other sources a `.to(...)`. Called by adaptation.
#pragma once
#include "compose/edit_list.h"
#include "compose/names.h"

namespace xpu_align {

enum class Injected { kNothing, kSomething };

Injected InjectDevice(const PythonTree& tree, const Names& names, const std::string& device, EditList* edits);

}  // namespace xpu_align
