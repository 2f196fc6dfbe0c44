#include "edge/sandbox/evidence_frames.h"

#include <gtest/gtest.h>

namespace xpu_align::sandbox {
namespace {

constexpr const char* kNonce = "0123";

std::string Framed(const std::string& text) {
  std::string frame;
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>(text.size() >> shift & 0xFF);
  return frame + text;
}

std::string Frame(int sequence, const char* kind, const char* body = "{}", const char* nonce = kNonce) {
  return Framed(std::string(R"({"nonce":")") + nonce + R"(","sequence":)" + std::to_string(sequence) + R"(,"kind":")" +
                kind + R"(","body":)" + body + "}");
}

TEST(EvidenceFramesTest, TwoFramesInOrderAreComplete) {
  const auto report = ReportFromFrames(
      Frame(0, "started") + Frame(1, "report", R"({"live_tensors":{"xpu":2},"exception":{"type":"E","message":"m"}})"),
      kNonce);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.live_tensors.at("xpu"), 2);
  EXPECT_EQ(report.exception->type, "E");
}

TEST(EvidenceFramesTest, ReachedTheDeviceOutlivesACrash) {
  const std::string reached =
      Frame(0, "started") + Frame(1, "reached", R"({"operators_by_device":{"xpu":1},"live_tensors":{"xpu":9}})");
  const auto crashed = ReportFromFrames(reached, kNonce);
  EXPECT_FALSE(crashed.complete);
  EXPECT_EQ(crashed.operators_by_device, (std::map<std::string, int>{{"xpu", 1}}));
  EXPECT_TRUE(crashed.live_tensors.empty());  // only a report speaks of them
  const auto finished = ReportFromFrames(reached + Frame(2, "report", R"({"operators_by_device":{"xpu":7}})"), kNonce);
  EXPECT_TRUE(finished.complete);
  EXPECT_EQ(finished.operators_by_device.at("xpu"), 7);
}

TEST(EvidenceFramesTest, ReachedOutOfPlaceIsStray) {
  const std::string started = Frame(0, "started"), body = R"({"operators_by_device":{"xpu":1}})";
  for (const std::string& bytes :
       {Frame(0, "reached", body.c_str()), started + Frame(1, "reached", body.c_str(), "other"),
        started + Frame(1, "report") + Frame(2, "reached", body.c_str())}) {
    const auto report = ReportFromFrames(bytes, kNonce);
    EXPECT_FALSE(report.complete) << bytes;
    EXPECT_TRUE(report.operators_by_device.empty()) << bytes;
  }
  EXPECT_FALSE(ReportFromFrames(started + Frame(1, "reached") + Frame(2, "reached") + Frame(3, "report"), kNonce).complete);
}

TEST(EvidenceFramesTest, AnythingElseIsIncomplete) {
  const std::string started = Frame(0, "started"), report = Frame(1, "report");
  const std::string whole = started + report;
  for (const std::string& bytes :
       {std::string(), started, report, report + started, started + started, whole + report, whole + Frame(2, "report"),
        whole + "x", whole + Framed("{}"), started + Frame(1, "report", "{}", "other"), started + Frame(0, "report"),
        started + Framed("not json"), started + Framed("[]"), started + std::string("\xff\xff\xff\xff", 4),
        started + Framed(std::string(kMaxFrameBytes + 1, ' ')), whole + std::string(kMaxEvidenceBytes, 'x')})
    EXPECT_FALSE(ReportFromFrames(bytes, kNonce).complete) << bytes.substr(0, 200);
  for (size_t cut = 0; cut < whole.size(); ++cut)
    EXPECT_FALSE(ReportFromFrames(whole.substr(0, cut), kNonce).complete) << cut;
  EXPECT_TRUE(ReportFromFrames(whole, kNonce).complete);
}

TEST(EvidenceFramesTest, AScriptCanNotClaimCompletenessOrAResult) {
  const auto report = ReportFromFrames(Frame(0, "report", R"({"complete":true,"result_line":"confirmed"})"), kNonce);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.result_line, "");
}

TEST(EvidenceFramesTest, LastResultLineWins) {
  EXPECT_EQ(LastResultLine("RESULT: a\nRESULT: b\nlate noise\n"), "b");
  EXPECT_EQ(LastResultLine("RESULT: a"), "a");
  EXPECT_EQ(LastResultLine("RESULT: a\r\n\n"), "a");
  EXPECT_EQ(LastResultLine(" RESULT: a\nxRESULT: b\nRESULT:c\n"), "");
  EXPECT_EQ(LastResultLine(""), "");
  EXPECT_EQ(LastResultLine("\n\n"), "");
}

TEST(EvidenceFramesTest, CountsThatAreNoneBecomeTheNearest) {
  const auto report = ReportFromFrames(
      Frame(0, "started", "{}") + Frame(1, "report",
            R"({"live_tensors":{"xpu":-5,"cuda":9999999999},"device_peak_bytes":-1,"compiled_graphs":-7000000000})"),
      kNonce);
  EXPECT_EQ(report.live_tensors.at("xpu"), 0);
  EXPECT_EQ(report.live_tensors.at("cuda"), 2147483647);
  EXPECT_EQ(report.device_peak_bytes, 0);
  EXPECT_EQ(report.compiled_graphs, -1);
}

}  // namespace
}  // namespace xpu_align::sandbox
