#include "report/quoted_block.h"

#include <algorithm>

#include "text/pattern.h"

namespace xpu_align {
namespace {

// A slash command, or a mention that is no Python decorator or names a bot.
bool IsCommand(std::string_view line) {
  static const Pattern slash = Pattern::Constant(R"(^\s*/[A-Za-z][A-Za-z-]*(\s|$))");
  static const Pattern mention = Pattern::Constant(R"(^\s*@)");
  static const Pattern decorator = Pattern::Constant(R"(^\s*@[A-Za-z_][A-Za-z0-9_.]*\s*(\(.*|#.*)?$)");
  static const Pattern bot = Pattern::Constant(R"((?i)^\s*@[a-z0-9_-]*(bot|copilot|claude|codex|dependabot)\b)");
  return slash.FoundIn(line) || (mention.FoundIn(line) && (!decorator.FoundIn(line) || bot.FoundIn(line)));
}

template <typename Action>
void ForEachLine(std::string_view text, const Action& action) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    action(line);
  }
}

}  // namespace

std::string QuotedBlock(const UntrustedText& text, std::string_view info, size_t max_bytes, Keep keep) {
  std::string marked;
  ForEachLine(text.ForMatching(), [&](std::string_view line) {
    if (IsCommand(line)) marked += "[quoted] ";
    marked.append(line) += '\n';
  });
  return Fence(UntrustedText(std::move(marked)), {.info = info, .max_bytes = max_bytes, .keep = keep, .indent = " "});
}

std::string VerbatimBlock(const std::string& code, std::string_view info, size_t max_bytes) {
  bool commands = false;
  size_t lines = 0;
  ForEachLine(code, [&](std::string_view line) { commands |= IsCommand(line), ++lines; });
  const UntrustedText text(code);
  const bool unchanged = text.ForMarkdownFence() == code || text.ForMarkdownFence() == code + "\n";
  constexpr size_t kRoomForFence = 1000;
  const bool fits = code.size() + lines + kRoomForFence + 2 * FenceFor(code).size() <= max_bytes;
  if (commands || !unchanged || !fits) return {};
  return Fence(text, {.info = info, .max_bytes = max_bytes, .indent = " "});
}

}  // namespace xpu_align
