// DiffEffect: does a file's diff change behaviour, or only white space, comments, type annotations and the words of
// messages? Conservative: what it can not tell (no patch, other languages, moved code, other strings) is not harmless.
// Called by DeepFilter.
#pragma once
#include "model/details.h"

namespace xpu_align {

enum class DiffEffect {
  kUnknown,  // no patch, or a language whose comments are not known here
  kNone,     // only white space, comments, annotations
  kWords,    // besides those, only the words of messages
  kSome,
};

DiffEffect EffectOf(const ChangedFile& file);

// A new file, or added lines that import or export something and nothing else.
bool AddsOnly(const ChangedFile& file);

}  // namespace xpu_align
