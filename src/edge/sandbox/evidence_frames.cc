#include "edge/sandbox/evidence_frames.h"

#include <string>
#include <vector>

namespace xpu_align::sandbox {
namespace {

struct Frames {
  std::vector<Json> frames;
  bool intact = true;
};

Frames Split(std::string_view bytes) {
  Frames out;
  while (!bytes.empty()) {
    if (bytes.size() < 4) return out.intact = false, out;
    size_t length = 0;
    for (int i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(bytes[i]);
    bytes.remove_prefix(4);
    if (length > kMaxFrameBytes || length > bytes.size()) return out.intact = false, out;
    auto frame = ParseJson(bytes.substr(0, length), {.max_bytes = kMaxFrameBytes, .max_depth = 16});
    if (!frame || !frame->IsObject()) return out.intact = false, out;
    out.frames.push_back(std::move(*frame));
    bytes.remove_prefix(length);
  }
  return out;
}

bool MayFollow(std::string_view last, std::string_view kind) {
  if (kind == "started") return last.empty();
  if (kind == "reached") return last == "started";
  return kind == "report" && (last == "started" || last == "reached");
}

}  // namespace

HarnessReport ReportFromFrames(std::string_view bytes, std::string_view nonce) {
  const Frames split = Split(bytes.substr(0, kMaxEvidenceBytes));
  bool complete = split.intact && bytes.size() <= kMaxEvidenceBytes;
  std::string last;
  HarnessReport report;
  for (size_t i = 0; i < split.frames.size(); ++i) {
    const Json& frame = split.frames[i];
    const std::string kind = frame.StringOr("kind");
    const bool ours = frame.StringOr("nonce") == nonce && frame.IntOr("sequence", -1) == static_cast<int64_t>(i) &&
                      MayFollow(last, kind);
    if (!ours) {
      complete = false;
      break;
    }
    if (kind == "reached") report.operators_by_device = HarnessReportFromJson(frame["body"]).operators_by_device;
    if (kind == "report") report = HarnessReportFromJson(frame["body"]);
    last = kind;
  }
  report.complete = complete && last == "report";
  report.result_line.clear();  // comes from the output only
  return report;
}

std::string LastResultLine(std::string_view output) {
  constexpr std::string_view kMark = "RESULT: ";
  for (size_t end = output.size(); end > 0;) {
    const size_t begin = output.rfind('\n', end - 1) + 1;  // npos + 1 is 0
    std::string_view line = output.substr(begin, end - begin);
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
    if (line.starts_with(kMark)) return std::string(line.substr(kMark.size(), 200));
    end = begin == 0 ? 0 : begin - 1;
  }
  return {};
}

}  // namespace xpu_align::sandbox
