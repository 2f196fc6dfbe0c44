// Script choice: which code blocks of a report are its reproducer, repaired until they parse, joined when
// one needs another. The body first, then comments of the author and of members. Called by composer.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/composition.h"
#include "model/details.h"

namespace xpu_align {

struct ChosenScript {
  std::string code;
  std::vector<SourceSpan> spans;
  std::vector<Repair> repairs;
  std::vector<std::string> notes;
  bool parses = false;  // false: the best text of the report that no repair makes parse
};

// Empty when there is no block that could be a script.
std::optional<ChosenScript> ChooseScript(const Details& details);

// A span of lines [first, last] of `text`, which is the named part of the details.
SourceSpan SpanOf(const std::string& part, std::string_view text, int first, int last);

}  // namespace xpu_align
