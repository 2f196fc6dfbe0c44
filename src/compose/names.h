// Names in a script: what it binds, what it uses without binding (free), what its imports stand for. One
// flat scope for the whole text: enough to find a missing import or a block that needs an earlier one.
// Called by script_choice, adaptation, precheck and test_extraction.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "compose/python_tree.h"

namespace xpu_align {

struct Names {
  std::set<std::string> bound;         // anywhere: assignments, parameters, definitions, imports
  std::set<std::string> module_bound;  // at module level
  std::set<std::string> used;          // read anywhere
  std::set<std::string> free;          // used, never bound, no builtin; empty with a star import
  // Local name -> what it stands for: nn -> torch.nn, synchronize -> torch.cuda.synchronize.
  std::map<std::string, std::string> imports;
};

Names NamesOf(const PythonTree& tree);

// `name` with its first part replaced by what it was imported as.
std::string Resolved(const Names& names, const std::string& dotted_name);
// The resolved dotted name of the function of a call; "" for every other expression.
std::string CalleeOf(const Names& names, PyNode call);
// The node itself, not an attribute, keyword or import that spells the same.
bool IsNameUse(PyNode identifier);
// Not inside a function, lambda or class.
bool AtModuleLevel(PyNode node);
bool IsPythonBuiltin(std::string_view name);

// Adds what `imports`, lines of import statements, stand for.
void AddImports(const std::vector<std::string>& imports, Names* names);

// The import line for a name that scripts forget and that means one thing: np -> import numpy as np.
// Null when the name is not in the table.
const char* UnambiguousImport(std::string_view name);

}  // namespace xpu_align
