// HostCommand: runs a program of the machine's owner beside the sandbox: --device-recover-cmd, and pip for
// --upgrade-nightly. It gets exactly the variables that are named, no input, and a limit of time after which its whole
// process group is killed. Never used for anything that a stranger wrote.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "text/error.h"

namespace xpu_align::sandbox {

struct HostCommand {
  std::vector<std::string> arguments;  // the program first, by its path
  std::map<std::string, std::string> environment;
  int64_t timeout_millis = 120'000;
  size_t output_cap = 1 << 20;
  std::function<bool()> stop_requested;  // asked while it runs; true ends it with kCancelled. May be empty
};

struct HostCommandResult {
  int exit_status = 0;  // 128 and the signal's number when a signal ended it
  bool timed_out = false;
  std::string output;  // stdout and stderr

  bool Good() const { return exit_status == 0 && !timed_out; }
};

// kConfig when it can not be started.
Result<HostCommandResult> RunHostCommand(const HostCommand& command);

}  // namespace xpu_align::sandbox
