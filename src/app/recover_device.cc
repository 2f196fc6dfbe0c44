#include "app/recover_device.h"

#include "app/system_clock.h"
#include "edge/sandbox/host_command.h"

namespace xpu_align {

std::function<Status()> DeviceRecovery(const World& world) {
  const std::string& command = world.plan.device_recover_command;
  if (command.empty()) return {};
  return [&world, &command]() -> Status {
    world.progress.Note("the device does not answer; running --device-recover-cmd");
    const auto path = world.environment.find("PATH");
    const auto done = sandbox::RunHostCommand(
        {.arguments = {"/bin/sh", "-c", command},
         .environment = {{"PATH", path == world.environment.end() ? "/usr/sbin:/usr/bin:/sbin:/bin" : path->second}},
         .stop_requested = StopRequested});
    if (!done && done.error().kind == ErrorKind::kCancelled) return std::unexpected(done.error());
    if (!done) world.progress.Warn("--device-recover-cmd: " + done.error().message);
    if (done && !done->Good())
      world.progress.Warn("--device-recover-cmd " +
                          (done->timed_out ? "took too long" : "ended with " + std::to_string(done->exit_status)) + ": " +
                          UntrustedText(done->output).ForLogLine());
    return {};
  };
}

}  // namespace xpu_align
