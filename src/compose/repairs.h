// Repairs: small, recorded changes that make the text of a block parse as Python: typographic quotes,
// prompts, an indentation of the whole. Keeps one line for each line. Called by script_choice.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/composition.h"

namespace xpu_align {

struct RepairedCode {
  std::string code;
  std::vector<Repair> repairs;  // empty when the text parsed as it was
};

// The first of: as it is, one repair, all repairs in order. Empty when none of them parses.
std::optional<RepairedCode> ParseableForm(const std::string& code);

// Lines of `text` without their line ends.
std::vector<std::string> SplitLines(std::string_view text);

}  // namespace xpu_align
