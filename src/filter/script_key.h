// ScriptKey: what makes two reports of one script equal. Taken from the fenced code of a body or comment that
// imports torch; blank lines, comments and trailing space do not count. Called by the filter stage for chains.
#pragma once
#include <string>

#include "model/details.h"

namespace xpu_align {

// SHA-256 of the longest such block; empty when there is none or it is too short to mean anything.
std::string ScriptKeyOf(const Details& details);

}  // namespace xpu_align
