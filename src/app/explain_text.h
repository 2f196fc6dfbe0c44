// ExplanationText: the answer of `explain` for a person at a terminal, one stage after the other. Takes the JSON form
// of the answer, so that both say the same. Called by explain.cc.
#pragma once
#include <string>

#include "json/json.h"

namespace xpu_align {

// `answer`: what `explain --json` prints. Every line is safe for a terminal.
std::string ExplanationText(const Json& answer);

}  // namespace xpu_align
