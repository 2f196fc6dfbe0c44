#include "filter/script_key.h"

#include <algorithm>
#include <string_view>

#include "digest/sha256.h"

namespace xpu_align {
namespace {

constexpr std::ptrdiff_t kFewestLines = 3;  // `import torch` and one call say nothing

std::string_view Trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

// The run of backticks or tildes that opens or closes a fence; empty: an ordinary line.
std::string_view FenceOf(std::string_view line) {
  const std::string_view text = Trimmed(line);
  if (!text.starts_with("```") && !text.starts_with("~~~")) return {};
  return text.substr(0, std::min(text.find_first_not_of(text[0]), text.size()));
}

bool ImportsTorch(std::string_view code) {
  return code.starts_with("import torch") || code.starts_with("from torch") || code.contains("\nimport torch") ||
         code.contains("\nfrom torch");
}

// The longest block of `text` that is a script, as its lines that count.
std::string LongestScript(std::string_view text) {
  std::string best, block;
  std::string_view open;
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text = newline == std::string_view::npos ? std::string_view() : text.substr(newline + 1);
    const std::string_view fence = FenceOf(line);
    if (open.empty()) {
      open = fence;
      block.clear();
    } else if (fence.starts_with(open)) {
      if (block.size() > best.size() && ImportsTorch(block) && std::ranges::count(block, '\n') >= kFewestLines) best = block;
      open = {};
    } else if (const std::string_view code = Trimmed(line); !code.empty() && code[0] != '#') {
      // Indentation counts: it is Python.
      block += line.substr(0, line.find_last_not_of(" \t\r") + 1);
      block += '\n';
    }
  }
  return best;
}

}  // namespace

std::string ScriptKeyOf(const Details& details) {
  std::string script = LongestScript(details.body.ForMatching());
  for (const Comment& comment : details.comments)
    if (script.empty()) script = LongestScript(comment.body.ForMatching());
  return script.empty() ? "" : Sha256Hex(script);
}

}  // namespace xpu_align
