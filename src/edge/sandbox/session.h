// Session: the parent's side of one sandbox. Starts the launcher, hands requests to the supervisor, drains
// the script's output with a cap, and never waits without limit. Its end kills everything inside.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "edge/sandbox/channel.h"
#include "edge/sandbox/control_group.h"
#include "edge/sandbox/sandbox_plan.h"

namespace xpu_align::sandbox {

// What a request left behind.
struct Captured {
  Json answer;  // the supervisor's; {"kind": "timed-out"} when the supervisor itself did not answer
  std::string output;
  bool output_capped = false;  // more came than the cap; it was read and dropped
  std::string evidence;
};

class Session {
 public:
  // `program` is started as `program sandbox-launch`. kSandbox says what is missing and the remedy.
  // `stop_requested` may be empty; once it is true, requests end with kCancelled and so does everything inside.
  static Result<std::unique_ptr<Session>> Start(const SandboxPlan& plan, const std::string& program,
                                                std::function<bool()> stop_requested);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& level() const { return level_; }
  int landlock_abi() const { return landlock_abi_; }

  // See supervisor.h for requests. kSandbox when the sandbox has ended.
  Result<Captured> Run(const Json& request, std::string_view script, size_t output_cap);
  // kSandbox with the reason that the interpreter gave, and the last of its output.
  Status Serve(const Json& request, size_t output_cap);

  // Ends everything inside. kDevice when a process does not die (a driver holds it).
  Status Stop();

 private:
  explicit Session(std::function<bool()> stop_requested) : stop_requested_(std::move(stop_requested)) {}
  // Reads until the answer is there and the pipes are at their end.
  Result<Captured> Exchange(const Json& request, Descriptor output, Descriptor evidence, size_t output_cap);

  // `first` and the doors of the control group.
  Status SendRequest(const Json& request, std::vector<int> first);

  std::function<bool()> stop_requested_;
  ControlGroup group_;
  Descriptor channel_, process_;
  std::string level_;
  int landlock_abi_ = 0;
};

}  // namespace xpu_align::sandbox
