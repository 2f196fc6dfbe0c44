// Reference matrix: the members of an interface against the classes of each backend that should fill them, compared as
// text. A gap is a candidate for a person to check, never a bug. Called by build.
#pragma once
#include <string>
#include <vector>

#include "distill/build.h"

namespace xpu_align::distill {

Json ReferenceMatrixJson(const Scope& scope, const Grounded& grounded);
std::string ReferenceMatrixMarkdown(const Json& matrix);

}  // namespace xpu_align::distill
