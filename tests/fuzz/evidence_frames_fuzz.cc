// Any bytes of the evidence channel: frames with another nonce say nothing at all; a result is never taken from the
// channel; counts are counts; a report survives its file. The same bytes as output: a result line is one line of it.
#include "edge/sandbox/evidence_frames.h"
#include "fuzz/properties.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const std::string_view bytes = TextOf(data, size);
  const HarnessReport report = sandbox::ReportFromFrames(bytes, "n1");
  CHECK(report.result_line.empty());
  for (const auto* counts : {&report.live_tensors, &report.operators_by_device})
    for (const auto& [device, count] : *counts) CHECK(count >= 0);
  CHECK(report.device_peak_bytes >= 0 && report.compiled_graphs >= -1);
  CHECK(ToJson(HarnessReportFromJson(ToJson(report))) == ToJson(report));

  const HarnessReport stranger = sandbox::ReportFromFrames(bytes, "another nonce");
  CHECK(!stranger.complete && ToJson(stranger) == ToJson(HarnessReport{}));
  // A whole report is whole with these bytes only.
  if (report.complete) {
    CHECK(!sandbox::ReportFromFrames(bytes.substr(0, bytes.size() - 1), "n1").complete);
    CHECK(!sandbox::ReportFromFrames(std::string(bytes) + "x", "n1").complete);
  }
  const std::string result = sandbox::LastResultLine(bytes);
  CHECK(result.find('\n') == std::string::npos && result.size() <= 200);
  if (!result.empty()) CHECK(bytes.contains("RESULT: " + result));
  return 0;
}
