#include "pipeline/normalise.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

TEST(NormaliseTest, WhatDiffersBetweenRunsBecomesASlot) {
  const std::pair<const char*, const char*> cases[] = {
      {"<Foo object at 0x7f12ab34cd56>", "<Foo object at <address>>"},
      {"W1130 18:00:00.123456 4242 torch/x.py:3] slow", "W <time> torch/x.py:3] slow"},
      {"[E1130 18:00:00.123456789 file.cpp:12] boom", "[E <time> file.cpp:12] boom"},
      {"at 2026-11-30T18:00:00.5Z", "at <time>"},
      {"2026-11-30 18:00:00,123 INFO", "<time> INFO"},
      {"took 12.5 s, 3ms, 4 seconds", "took <duration>, <duration>, <duration>"},
      {"pid 1234, PID=77 process: 9", "pid <id>, PID=<id> process: <id>"},
      {"open /tmp/tmpab12cd34/x.so failed", "open /tmp/<name> failed"},
      {"/scratch/.cache/inductor/ab/cabc.py:7", "/scratch/.cache/<generated>:7"},
      {" 10%|#   |\r100%|####| done", "100%|####| done"},
      {"x\r", "x"},
      {"bad \xff byte", "bad \uFFFD byte"},
  };
  for (const auto& [raw, expected] : cases) EXPECT_EQ(NormaliseOutput(raw), std::string(expected) + "\n") << raw;
}

TEST(NormaliseTest, ValuesAndShapesStay) {
  for (const char* text : {"expected 3 got 4", "tensor([0.1250, 3.0000e-05])", "size [2, 3] stride 16", "float32 0x1f",
                           "RESULT: confirmed", "  File \"/scratch/repro_issue-1.py\", line 12, in <module>",
                           "items 3 sizes 4 msgs", "torch.int64"})
    EXPECT_EQ(NormaliseOutput(text), std::string(text) + "\n");
}

TEST(NormaliseTest, FramesOfTheHarnessAreLeftOut) {
  EXPECT_EQ(
      NormaliseOutput("  File \"/scratch/a.py\", line 2 in f\n  File \"/harness/run_script.py\", line 9 in run\nend"),
      "  File \"/scratch/a.py\", line 2 in f\nend\n");
}

TEST(NormaliseTest, TailIsTheLastFortyLines) {
  std::string text;
  for (int i = 1; i <= 50; ++i) text += std::to_string(i) + "\n";
  EXPECT_EQ(DecisiveTail(text), text.substr(text.find("11\n")));
  EXPECT_EQ(DecisiveTail("a\nb\n"), "a\nb\n");
  EXPECT_EQ(DecisiveTail(""), "");
  const std::string wide = std::string(5000, 'a') + "\n" + std::string(5000, 'b') + "\n";
  EXPECT_EQ(DecisiveTail(wide), std::string(5000, 'b') + "\n");
}

TEST(NormaliseTest, ReportsAreNormalisedToo) {
  HarnessReport report;
  report.exception = RaisedException{.type = "E", .message = UntrustedText("at 0x7fffffff1234\nline 2")};
  report.exit_sync_error = "lost after 3.5 s";
  const HarnessReport normalised = NormaliseReport(report);
  EXPECT_EQ(normalised.exception->message, UntrustedText("at <address>\nline 2"));
  EXPECT_EQ(normalised.exit_sync_error, "lost after <duration>");
  EXPECT_EQ(normalised.result_line, "");
}

TEST(NormaliseTest, AReportThatIsNormalisedStaysAsItIs) {
  HarnessReport report;
  report.exit_sync_error = "lost\n\n";
  const HarnessReport once = NormaliseReport(report);
  EXPECT_EQ(once.exit_sync_error, "lost\n\n");
  EXPECT_EQ(NormaliseReport(once).exit_sync_error, "lost\n\n");
}

}  // namespace
}  // namespace xpu_align
