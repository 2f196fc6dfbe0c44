// Any JSON as the plan that the launcher reads: what it understood it says again, and writes the same a second time;
// what it did not understand takes the defaults, never a wider limit.
#include "edge/sandbox/sandbox_plan.h"
#include "fuzz/properties.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const auto json = ParseJson(TextOf(data, size));
  if (!json) return 0;
  const sandbox::SandboxPlan plan = sandbox::SandboxPlanFromJson(*json);
  const Json written = ToJson(plan);
  CHECK(ToJson(sandbox::SandboxPlanFromJson(written)) == written);
  CHECK(ToJson(sandbox::SandboxPlanFromJson(*ParseJson(WriteJsonLine(written)))) == *ParseJson(WriteJsonLine(written)));
  const sandbox::SandboxPlan defaults;
  for (const auto& [key, limit, standard] :
       {std::tuple("writable_bytes", plan.writable_bytes, defaults.writable_bytes), std::tuple("file_bytes", plan.file_bytes, defaults.file_bytes),
        std::tuple("processes", plan.processes, defaults.processes), std::tuple("open_files", plan.open_files, defaults.open_files),
        std::tuple("user", plan.user, defaults.user)})
    CHECK((*json)[key].IsInt() ? limit == *(*json)[key].AsInt() : limit == standard || (*json)[key].AsInt() == limit);
  return 0;
}
