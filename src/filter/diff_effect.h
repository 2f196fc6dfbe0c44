// DiffEffect: does a file's diff change behaviour, or only white space, comments and type annotations?
// Conservative: what it can not tell (no patch, other languages, moved code, strings) is not called harmless.
// Called by DeepFilter.
#pragma once
#include "model/details.h"

namespace xpu_align {

enum class DiffEffect {
  kUnknown,  // no patch, or a language whose comments are not known here
  kNone,     // only white space, comments, annotations
  kSome,
};

DiffEffect EffectOf(const ChangedFile& file);

}  // namespace xpu_align
