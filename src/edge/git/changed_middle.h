// The part of two texts in which they differ, with some equal lines around it: the line diff then hashes a few lines
// and not two whole files. Pure. Used by the diff reader.
#pragma once
#include <cstddef>
#include <string_view>

namespace xpu_align {

struct ChangedMiddle {
  std::string_view before, after;  // whole lines of the two texts
  std::string_view head;           // equal lines in front of both
  size_t head_lines = 0;
};

// Up to 16 equal lines are kept on each side: context, and room to slide a change that lies among equal lines.
ChangedMiddle MiddleOf(std::string_view before, std::string_view after);

// What git shows after the second @@ of a hunk: the last line of `text` that begins with a letter, '_' or '$', cut to
// 80 bytes. Empty when there is none.
std::string_view LastFunctionLine(std::string_view text);

}  // namespace xpu_align
