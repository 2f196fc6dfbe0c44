// ExplanationText: the answer of `explain` for a person at a terminal, one stage after the other. Called by explain.cc.
#pragma once
#include <string>

#include "json/json.h"

namespace xpu_align {

// `answer`: what `explain --json` prints. Every line is safe for a terminal.
std::string ExplanationText(const Json& answer);

}  // namespace xpu_align
