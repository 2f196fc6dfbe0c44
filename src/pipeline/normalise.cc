#include "pipeline/normalise.h"

#include <algorithm>
#include <vector>

#include "text/pattern.h"
#include "text/utf8.h"

namespace xpu_align {
namespace {

constexpr size_t kTailLines = 40, kTailBytes = 8 << 10, kLineBytes = 2000;

struct Replacement {
  Pattern pattern;
  const char* text;
};

// In order: what is more specific comes first.
const std::vector<Replacement>& Replacements() {
  static const std::vector<Replacement> all = [] {
    std::vector<Replacement> list;
    const auto add = [&](const char* expression, const char* text) {
      list.push_back({Pattern::Constant(expression), text});
    };
    // [W1130 18:00:00.123456789 file.cpp:12] and W1130 18:00:00.123000 4242 torch/...: level, then time and thread
    add(R"(\b([WEIVDF])\d{4} \d\d:\d\d:\d\d\.\d+(?: \d+)?)", R"(\1 <time>)");
    add(R"(\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)", "<time>");
    add(R"(\b\d{1,2}:\d\d:\d\d(?:\.\d+)?\b)", "<time>");
    add(R"(0x[0-9a-fA-F]{4,})", "<address>");
    add(R"(/scratch/\.cache/[^\s:'"),]+)", "/scratch/.cache/<generated>");
    add(R"(/tmp/[^\s:'"),]+)", "/tmp/<name>");
    add(R"((?i)\b(pid|process|tid|thread)([ =:#]{1,2})\d+\b)", R"(\1\2<id>)");
    add(R"(\b\d+(?:\.\d+)?(?:e[-+]?\d+)? ?(?:ns|us|\x{b5}s|ms|s|sec|secs|seconds?|minutes?)\b)", "<duration>");
    return list;
  }();
  return all;
}

std::string NormaliseLine(std::string_view line) {
  // A progress bar rewrites its line; what stands in the end is what counts.
  while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (const size_t rewritten = line.rfind('\r'); rewritten != std::string_view::npos) line.remove_prefix(rewritten + 1);
  std::string text = ValidUtf8(line.substr(0, kLineBytes));
  for (const Replacement& replacement : Replacements()) text = replacement.pattern.ReplaceAll(text, replacement.text);
  return text;
}

}  // namespace

std::string NormaliseOutput(std::string_view output) {
  std::string normalised;
  while (!output.empty()) {
    const size_t end = output.find('\n');
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(end == std::string_view::npos ? output.size() : end + 1);
    if (line.find("File \"/harness/") != std::string_view::npos) continue;
    normalised += NormaliseLine(line) + "\n";
  }
  return normalised;
}

std::string DecisiveTail(const std::string& normalised) {
  size_t begin = normalised.size();
  for (size_t lines = 0; lines < kTailLines && begin > 0; ++lines) {
    const size_t previous = begin < 2 ? std::string::npos : normalised.rfind('\n', begin - 2);
    const size_t line_begin = previous == std::string::npos ? 0 : previous + 1;
    if (normalised.size() - line_begin > kTailBytes) break;
    begin = line_begin;
  }
  return normalised.substr(begin);
}

HarnessReport NormaliseReport(HarnessReport report) {
  const auto normalise = [](std::string_view text) {
    std::string normalised = NormaliseOutput(text);
    if (!text.empty() && !text.ends_with('\n') && !normalised.empty()) normalised.pop_back();  // it was not there
    return normalised;
  };
  if (report.exception) {
    report.exception->message = UntrustedText(normalise(report.exception->message.ForMatching()));
    for (auto& [type, message] : report.exception->causes) message = UntrustedText(normalise(message.ForMatching()));
  }
  report.exit_sync_error = normalise(report.exit_sync_error);
  report.result_line = normalise(report.result_line);
  return report;
}

}  // namespace xpu_align
