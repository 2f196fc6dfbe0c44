#include "compose/traceback.h"

#include <cstdlib>

#include "compose/repairs.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxMessageLines = 12;

// After the frames: source lines are indented, so the first line that is not is the exception.
const Pattern& ExceptionLine() {
  static const Pattern pattern =
      Pattern::Constant(R"(^((?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*|[A-Z]\w*)(?:: ?(.*))?$)");
  return pattern;
}

// torch/_inductor/lowering.py for a file of the installation, <script> for one of the reporter's.
std::string PortableFile(std::string_view file) {
  for (const std::string_view root : {"site-packages/", "dist-packages/"})
    if (const size_t at = file.rfind(root); at != std::string_view::npos) return std::string(file.substr(at + root.size()));
  static const Pattern standard = Pattern::Constant(R"(/lib/python[\d.]+/(.*)$)");
  if (const auto match = standard.Find(file)) return std::string(match->groups[1]);
  static const Pattern checkout = Pattern::Constant(R"((?:^|/)(torch/(?:[\w.]+/)*\w+\.py)$)");
  if (const auto match = checkout.Find(file)) return std::string(match->groups[1]);
  if (file.starts_with("<frozen") || file.starts_with("<eval_with_key>")) return std::string(file);
  return "<script>";
}

std::string_view Unquoted(std::string_view line) {
  // Markdown quotes and the prefix of a rank or of pytest.
  static const Pattern prefix = Pattern::Constant(R"(^(?:> ?|\[rank\d+\]: ?|E  +)+)");
  if (const auto match = prefix.Find(line)) line.remove_prefix(match->groups[0].size());
  return line;
}

bool EndsMessage(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with("```") ||
         line.starts_with("~~~") || line.starts_with("Traceback (most") || line.starts_with("</details>");
}

void TakeMessage(const std::vector<std::string>& lines, size_t at, ReportedException* exception) {
  for (size_t i = at + 1; i < lines.size() && i < at + kMaxMessageLines; ++i) {
    const std::string_view line = Unquoted(lines[i]);
    // The numbers of a comparison stand after an empty line, and are its fingerprint.
    const bool numbers = i + 1 < lines.size() && Unquoted(lines[i + 1]).starts_with("Mismatched elements");
    if (EndsMessage(line) && !numbers) break;
    exception->message += "\n" + std::string(line);
  }
}

}  // namespace

std::optional<ReportedException> LastTraceback(std::string_view text) {
  static const Pattern frame = Pattern::Constant(R"re(^\s*File "([^"]+)", line (\d{1,9})(?:, in (.+?))?\s*$)re");
  const std::vector<std::string> lines = SplitLines(text);
  std::optional<ReportedException> last;
  std::vector<Frame> frames;
  bool inside = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = Unquoted(lines[i]);
    if (line.find("Traceback (most recent call last)") != std::string_view::npos) {
      inside = true;
      frames.clear();
      continue;
    }
    if (!inside) continue;
    if (const auto match = frame.Find(line)) {
      frames.push_back({PortableFile(match->groups[1]), std::string(match->groups[3]),
                        std::atoi(std::string(match->groups[2]).c_str())});
      continue;
    }
    const auto match = ExceptionLine().Find(line);
    if (!match || frames.empty()) continue;
    last = ReportedException{std::string(match->groups[1]), std::string(match->groups[2]), frames, std::string(line)};
    TakeMessage(lines, i, &*last);
    inside = false;
  }
  return last;
}

std::optional<ReportedException> LoneException(std::string_view text) {
  static const Pattern inside_line = Pattern::Constant(
      "(?:^|[`\"'\\s(>])((?:torch\\.[\\w.]+\\.)?[A-Z]\\w*(?:Error|Exception|Unsupported)): ([^`\\n]*[^`\\s][^`\\n]*)");
  // `except OSError: pass` of a script names what it handles, not what was reported.
  static const Pattern handler = Pattern::Constant("^\\s*(?:\\.\\.\\. *)?except\\s+[\\w.]+:");
  for (const std::string& raw : SplitLines(text)) {
    const std::string_view line = Unquoted(raw);
    if (handler.FoundIn(line)) continue;
    const auto match = inside_line.Find(line);
    if (match) return ReportedException{std::string(match->groups[1]), std::string(match->groups[2]), {}, std::string(line)};
  }
  return std::nullopt;
}

}  // namespace xpu_align
