#include "compose/names.h"

#include <algorithm>
#include <array>

namespace xpu_align {
namespace {

// Sorted; builtins of Python 3.12 and the module attributes that always exist.
constexpr std::string_view kBuiltins[] = {
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
    "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionError", "DeprecationWarning",
    "EOFError", "Ellipsis", "EnvironmentError", "Exception", "ExceptionGroup", "False", "FileExistsError",
    "FileNotFoundError", "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError",
    "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError", "KeyError",
    "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "None",
    "NotADirectoryError", "NotImplemented", "NotImplementedError", "OSError", "OverflowError", "PermissionError",
    "ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning", "RuntimeError", "RuntimeWarning",
    "StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning", "SystemError", "SystemExit", "TabError",
    "TimeoutError", "True", "TypeError", "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError",
    "UnicodeError", "UserWarning", "ValueError", "Warning", "ZeroDivisionError", "__build_class__", "__builtins__",
    "__debug__", "__doc__", "__file__", "__import__", "__name__", "__package__", "__spec__", "_", "abs", "aiter", "all",
    "anext", "any", "ascii", "bin", "bool", "breakpoint", "bytearray", "bytes", "callable", "chr", "classmethod",
    "compile", "complex", "copyright", "credits", "delattr", "dict", "dir", "divmod", "enumerate", "eval", "exec",
    "exit", "filter", "float", "format", "frozenset", "getattr", "globals", "hasattr", "hash", "help", "hex", "id",
    "input", "int", "isinstance", "issubclass", "iter", "len", "license", "list", "locals", "map", "max", "memoryview",
    "min", "next", "object", "oct", "open", "ord", "pow", "print", "property", "quit", "range", "repr", "reversed",
    "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "vars",
    "zip"};

struct KnownImport {
  std::string_view name;
  const char* line;
};
constexpr KnownImport kImports[] = {
    {"torch", "import torch"},
    {"nn", "import torch.nn as nn"},
    {"F", "import torch.nn.functional as F"},
    {"np", "import numpy as np"},
    {"numpy", "import numpy"},
    {"math", "import math"},
    {"os", "import os"},
    {"sys", "import sys"},
    {"gc", "import gc"},
    {"copy", "import copy"},
    {"random", "import random"},
    {"functools", "import functools"},
    {"itertools", "import itertools"},
    {"contextlib", "import contextlib"},
    {"warnings", "import warnings"},
    {"unittest", "import unittest"},
    {"TestCase", "from unittest import TestCase"},
    {"triton", "import triton"},
    {"tl", "import triton.language as tl"},
    {"jit", "from torch import jit"},
    {"tensor", "from torch import tensor"},
    {"Tensor", "from torch import Tensor"},
    {"make_tensor", "from torch.testing import make_tensor"},
    {"FileCheck", "from torch.testing import FileCheck"},
    {"CompileCounter", "from torch._dynamo.testing import CompileCounter"},
    {"CompileCounterWithBackend", "from torch._dynamo.testing import CompileCounterWithBackend"},
    {"rand_strided", "from torch._dynamo.testing import rand_strided"},
    {"same", "from torch._dynamo.utils import same"},
    {"run_and_get_code", "from torch._inductor.utils import run_and_get_code"},
    {"make_fx", "from torch.fx.experimental.proxy_tensor import make_fx"},
    {"FakeTensorMode", "from torch._subclasses.fake_tensor import FakeTensorMode"},
    {"partial", "from functools import partial"},
};

bool IsOneOf(std::string_view type, std::initializer_list<std::string_view> types) {
  return std::ranges::find(types, type) != types.end();
}

// Is the identifier a target of a binding (as a name of its own, not the object of an attribute)?
bool IsBinding(PyNode node) {
  PyNode parent = node.Parent();
  while (IsOneOf(parent.Type(), {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern",
                                 "dictionary_splat_pattern", "tuple", "list", "parenthesized_expression"})) {
    if (IsOneOf(parent.Type(), {"tuple", "list", "parenthesized_expression"}) && !parent.Enclosing("as_pattern_target"))
      break;
    node = parent;
    parent = parent.Parent();
  }
  const std::string_view type = parent.Type();
  if (IsOneOf(type, {"function_definition", "class_definition", "default_parameter", "typed_default_parameter",
                     "named_expression"}))
    return parent.Field("name") == node;
  if (IsOneOf(type, {"parameters", "lambda_parameters", "as_pattern_target", "global_statement", "nonlocal_statement",
                     "case_pattern", "type_parameter"}))
    return true;
  if (type == "typed_parameter") return parent.Children().front() == node;
  if (IsOneOf(type, {"assignment", "augmented_assignment", "for_statement", "for_in_clause"}))
    return parent.Field("left") == node;
  return false;
}

void Bind(const std::string& name, PyNode where, Names* names) {
  names->bound.insert(name);
  if (AtModuleLevel(where)) names->module_bound.insert(name);
}

// import a.b, import a.b as c
void BindImport(PyNode statement, Names* names) {
  for (const PyNode& child : statement.Children()) {
    std::string local, full;
    if (child.Is("aliased_import")) {
      local = child.Field("alias").Text();
      full = child.Field("name").Text();
    } else {
      full = child.Text().substr(0, child.Text().find('.'));
      local = full;
    }
    names->imports[local] = full;
    Bind(local, statement, names);
  }
}

// from a.b import c, d as e
bool BindFromImport(PyNode statement, Names* names) {
  const PyNode module = statement.Field("module_name");
  bool star = false;
  for (const PyNode& child : statement.Children()) {
    if (child == module) continue;
    if (child.Is("wildcard_import")) {
      star = true;
      continue;
    }
    const PyNode name = child.Is("aliased_import") ? child.Field("name") : child;
    const std::string local(child.Is("aliased_import") ? child.Field("alias").Text() : name.Text());
    if (module) names->imports[local] = std::string(module.Text()) + "." + std::string(name.Text());
    Bind(local, statement, names);
  }
  return star;
}

}  // namespace

bool AtModuleLevel(PyNode node) {
  // The name of a definition belongs to the scope around it.
  if (const PyNode parent = node.Parent(); parent.Field("name") == node &&
      IsOneOf(parent.Type(), {"function_definition", "class_definition"}))
    node = parent;
  for (PyNode up = node.Parent(); up; up = up.Parent())
    if (IsOneOf(up.Type(), {"function_definition", "class_definition", "lambda", "list_comprehension",
                            "set_comprehension", "dictionary_comprehension", "generator_expression"}))
      return false;
  return true;
}

bool IsNameUse(PyNode node) {
  const PyNode parent = node.Parent();
  if (parent.Is("attribute")) return parent.Field("object") == node;
  if (parent.Is("keyword_argument")) return parent.Field("value") == node;
  return !IsOneOf(parent.Type(), {"dotted_name", "aliased_import"}) && !IsBinding(node);
}

bool IsPythonBuiltin(std::string_view name) {
  return std::ranges::find(kBuiltins, name) != std::end(kBuiltins);
}

const char* UnambiguousImport(std::string_view name) {
  for (const KnownImport& known : kImports)
    if (known.name == name) return known.line;
  return nullptr;
}

Names NamesOf(const PythonTree& tree) {
  Names names;
  bool star = false;
  for (const PyNode& node : tree.Nodes()) {
    if (node.Is("import_statement")) {
      BindImport(node, &names);
    } else if (IsOneOf(node.Type(), {"import_from_statement", "future_import_statement"})) {
      star |= BindFromImport(node, &names);
    } else if (node.Is("identifier")) {
      if (IsNameUse(node))
        names.used.insert(std::string(node.Text()));
      else if (IsBinding(node))
        Bind(std::string(node.Text()), node, &names);
    }
  }
  if (!star)
    std::ranges::copy_if(names.used, std::inserter(names.free, names.free.end()), [&names](const std::string& name) {
      return !names.bound.contains(name) && !IsPythonBuiltin(name);
    });
  return names;
}

void AddImports(const std::vector<std::string>& imports, Names* names) {
  std::string text;
  for (const std::string& line : imports) text += line + "\n";
  names->imports.merge(NamesOf(PythonTree::Parse(text)).imports);
}

std::string Resolved(const Names& names, const std::string& dotted_name) {
  const size_t dot = std::min(dotted_name.find('.'), dotted_name.size());
  const auto found = names.imports.find(dotted_name.substr(0, dot));
  return found == names.imports.end() ? dotted_name : found->second + dotted_name.substr(dot);
}

std::string CalleeOf(const Names& names, PyNode call) {
  return call.Is("call") ? Resolved(names, DottedName(call.Field("function"))) : std::string();
}

}  // namespace xpu_align
