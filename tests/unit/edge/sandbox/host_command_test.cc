#include "edge/sandbox/host_command.h"

#include <gtest/gtest.h>

namespace xpu_align::sandbox {
namespace {

HostCommand Shell(const std::string& script) { return {.arguments = {"/bin/sh", "-c", script}}; }

TEST(HostCommandTest, OutputAndStatusComeBack) {
  const auto result = RunHostCommand(Shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->output, "out\nerr\n");
  EXPECT_EQ(result->exit_status, 3);
  EXPECT_FALSE(result->Good());
}

TEST(HostCommandTest, ItSeesTheNamedVariablesOnly) {
  ::setenv("GITHUB_TOKEN", "secret", 1);
  HostCommand command{.arguments = {"/usr/bin/env"}, .environment = {{"PATH", "/usr/bin:/bin"}, {"A", "b c"}}};
  const auto result = RunHostCommand(command);
  ::unsetenv("GITHUB_TOKEN");
  EXPECT_EQ(result->output, "A=b c\nPATH=/usr/bin:/bin\n");
}

TEST(HostCommandTest, WhatTakesTooLongIsKilledWithItsChildren) {
  HostCommand command = Shell("echo begun; sleep 600 & sleep 600");
  command.timeout_millis = 300;
  const auto result = RunHostCommand(command);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->timed_out);
  EXPECT_EQ(result->output, "begun\n");
}

TEST(HostCommandTest, AStopRequestEndsIt) {
  HostCommand command = Shell("sleep 600");
  command.stop_requested = [] { return true; };
  EXPECT_EQ(RunHostCommand(command).error().kind, ErrorKind::kCancelled);
}

TEST(HostCommandTest, ASignalIsToldApart) {
  EXPECT_EQ(RunHostCommand(Shell("kill -SEGV $$"))->exit_status, 128 + 11);
}

TEST(HostCommandTest, AProgramThatIsNotThereIsSaid) {
  const auto result = RunHostCommand({.arguments = {"/nowhere/program"}});
  EXPECT_EQ(result.error().kind, ErrorKind::kConfig);
  EXPECT_EQ(result.error().message, "/nowhere/program can not be started: No such file or directory");
}

TEST(HostCommandTest, LongOutputIsCapped) {
  HostCommand command = Shell("head -c 100000 /dev/zero | tr '\\0' x");
  command.output_cap = 1000;
  EXPECT_EQ(RunHostCommand(command)->output.size(), 1000u);
}

}  // namespace
}  // namespace xpu_align::sandbox
