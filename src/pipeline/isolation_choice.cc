#include "pipeline/isolation_choice.h"

#include "pipeline/canaries.h"

namespace xpu_align {
namespace {

struct Child {
  const char* name;
  const char* last_line;
  OutcomeKind expected;
};

constexpr Child kChildren[] = {{"fork_healthy.py", "", OutcomeKind::kExited},
                               {"fork_dies.py", "import os\nos.abort()\n", OutcomeKind::kSignalled},
                               {"fork_after.py", "", OutcomeKind::kExited}};

}  // namespace

Result<IsolationChoice> ChooseIsolation(const TargetProfile& target, int64_t timeout_millis, SandboxRunner& runner) {
  const std::string operation = EagerCanary(target).script;
  for (const Child& child : kChildren) {
    AttemptRequest request{.script = operation + child.last_line, .file_name = child.name};
    request.isolation = Isolation::kForkServer;
    request.timeout_millis = timeout_millis;
    TRY_ASSIGN(const AttemptResult result, runner.Run(request));
    if (result.isolation != Isolation::kForkServer) return IsolationChoice{.reason = result.isolation_reason};
    if (result.outcome.kind != child.expected || result.outcome.exit_status != 0)
      return IsolationChoice{.reason = std::string(child.name) + ": " + WhyItFailed(result)};
  }
  return IsolationChoice{.isolation = Isolation::kForkServer};
}

}  // namespace xpu_align
