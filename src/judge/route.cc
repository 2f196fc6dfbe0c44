#include "judge/route.h"

#include <algorithm>

namespace xpu_align {
namespace {

constexpr char kUpstreamRepository[] = "pytorch/pytorch";

enum class Destination { kUpstream, kKernelRepository };

struct RouteRule {
  const char* id;
  const char* asks;
  Destination destination;
  bool (*holds)(const SettleInput&, const TargetProfile&);
};

bool IsOneOf(const std::string& value, std::initializer_list<const char*> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool ReferenceTarget(const SettleInput&, const TargetProfile& target) { return target.is_reference; }

bool CpuSame(const SettleInput& input, const TargetProfile&) { return input.judgement.cpu_same; }

bool UpstreamKernel(const SettleInput& input, const TargetProfile& target) {
  const std::string folder = "/native/" + target.device + "/";
  return std::any_of(input.fix.files.begin(), input.fix.files.end(),
                     [&](const std::string& file) { return file.find(folder) != std::string::npos; });
}

bool SharedFix(const SettleInput& input, const TargetProfile&) { return input.fix.reach == FixReach::kShared; }

bool NoKernelRepository(const SettleInput&, const TargetProfile& target) { return target.kernel_repository.empty(); }

bool TwinFix(const SettleInput& input, const TargetProfile&) { return input.fix.reach == FixReach::kTwinOnly; }

bool TargetKernel(const SettleInput& input, const TargetProfile&) {
  return input.judgement.cpu_fine && input.judgement.suspected_component == "kernel";
}

bool BackendComponent(const SettleInput& input, const TargetProfile&) {
  return !input.judgement.cpu_same &&
         IsOneOf(input.judgement.suspected_component, {"driver", "sycl", "onednn", "onemkl"});
}

bool Always(const SettleInput&, const TargetProfile&) { return true; }

constexpr RouteRule kRules[] = {
    {"reference-target", "Is the target the CPU itself?", Destination::kUpstream, ReferenceTarget},
    {"cpu-same", "Does the CPU arm fail in the same way?", Destination::kUpstream, CpuSame},
    {"upstream-kernel", "Does the fix change a kernel of the target that lives upstream?", Destination::kUpstream,
     UpstreamKernel},
    {"shared-code", "Does the fix change code that all backends share?", Destination::kUpstream, SharedFix},
    {"no-kernel-repository", "Has the target no kernel repository of its own?", Destination::kUpstream,
     NoKernelRepository},
    {"twin-kernel", "Does the fix change only another backend's twin of a kernel?", Destination::kKernelRepository,
     TwinFix},
    {"target-kernel", "Does only the target fail, outside the compiler?", Destination::kKernelRepository,
     TargetKernel},
    {"backend-gap", "Does the failure name the target's driver, runtime or math library?",
     Destination::kKernelRepository, BackendComponent},
    {"unsure", "Otherwise.", Destination::kUpstream, Always},
};

}  // namespace

Route RouteOf(const SettleInput& input, const TargetProfile& target) {
  for (const RouteRule& rule : kRules)
    if (rule.holds(input, target))
      return {rule.destination == Destination::kUpstream ? kUpstreamRepository : target.kernel_repository, rule.id};
  CHECK(false);
}

std::vector<RuleDescription> RouteRules() {
  std::vector<RuleDescription> out;
  for (const RouteRule& rule : kRules)
    out.push_back({std::string("route:") + rule.id, rule.asks,
                   rule.destination == Destination::kUpstream ? "route " + std::string(kUpstreamRepository)
                                                              : "route to the target's kernel repository"});
  return out;
}

}  // namespace xpu_align
