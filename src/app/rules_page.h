// docs/rules.md: every rule that decides something, in the order in which it is asked, with its id and reason.
// Made from the embedded rules and from what the stages say about their own rules, so that the page can not
// tell another story than the program. Compared with the committed page by a test.
#pragma once
#include <string>

#include "text/error.h"

namespace xpu_align {

// kConfig when an embedded rule does not parse.
Result<std::string> RenderRulesPage();

}  // namespace xpu_align
