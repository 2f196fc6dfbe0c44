// Builders for compositions and evidence, and the shape of one case of a judge table. A case names the
// expected bucket and rule; the tests of tests/unit/judge hold the tables.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"
#include "model/composition.h"
#include "model/evidence.h"
#include "model/target_profile.h"
#include "rules/embedded.h"

namespace xpu_align::judge_cases {

inline const std::string kScriptHash(64, 'a');
inline const std::string kReferenceHash(64, 'b');

inline TargetProfile TestDevice() {
  TargetProfile p{.name = "testdev",
                  .module = "torch.testdev",
                  .device = "testdev",
                  .dispatch_key = "PrivateUse1",
                  .availability = "torch.testdev.is_available()"};
  p.fallback_texts = {R"(The operator '(aten::[\w.]+) on the testdev backend is falling back)"};
  p.adaptation_errors = {{.id = "test-device-asleep",
                          .exception_type = "RuntimeError",
                          .pattern = "test device is asleep",
                          .bucket = Bucket::kBlockedEnv,
                          .text = "the test device sleeps"}};
  p.kernel_repository = "example/testdev-kernels";
  return p;
}

inline TargetProfile CpuTarget() {
  auto json = ParseJson(rules::Embedded("rules/targets/cpu.json"));
  CHECK(json.has_value());
  auto profile = TargetProfileFromJson(*json);
  CHECK(profile.has_value());
  return *profile;
}

inline Json JudgeJson() {
  auto json = ParseJson(rules::Embedded("rules/judge.json"));
  CHECK(json.has_value());
  return *json;
}

inline Judge MakeJudge(TargetProfile target) {
  auto judge = Judge::Make(JudgeJson(), std::move(target));
  CHECK(judge.has_value());
  return std::move(*judge);
}

// Frames, outermost first. The last one raised.
inline Frame Script(std::string function = "<module>") { return {"<script>", std::move(function), 9}; }
inline Frame Torch(std::string file, std::string function) { return {"torch/" + file, std::move(function), 7}; }

// A reported failure, and the composition of a script for it.
inline Composition Reports(Oracle oracle, CompileUse use = CompileUse::kEager, std::string target = "testdev") {
  Composition c{.id = CandidateId::OfIssue(1), .target = std::move(target), .strategy = "reported-script"};
  c.spans = {{"body", 1, 9, std::string(64, 'c')}};
  c.oracle = std::move(oracle);
  c.compile_use = use;
  c.script_sha256 = kScriptHash;
  c.reference_script_sha256 = kReferenceHash;
  return c;
}
inline Oracle Exception(std::string type, std::string message, std::vector<Frame> frames = {}) {
  return {.kind = OracleKind::kException,
          .exception_type = std::move(type),
          .message = UntrustedText(std::move(message)),
          .frames = std::move(frames)};
}
inline Oracle OfKind(OracleKind kind, std::string text = "") {
  return {.kind = kind, .text = UntrustedText(std::move(text))};
}
inline Oracle Crash(std::string signal) { return {.kind = OracleKind::kCrash, .signal = std::move(signal)}; }

// One attempt with everything sound: complete report, proof of the device, the composed script.
inline Attempt Clean(std::string tail = "") {
  Attempt a;
  a.outcome = {.kind = OutcomeKind::kExited};
  a.report.complete = true;
  a.report.live_tensors = {{"testdev", 2}};
  a.report.device_peak_bytes = 512;
  a.script_sha256 = kScriptHash;
  a.tail = UntrustedText(std::move(tail));
  return a;
}
inline Attempt Raised(std::string type, std::string message, std::vector<Frame> frames = {Script()}) {
  Attempt a = Clean();
  a.outcome.exit_status = 1;
  a.report.exception = {.type = std::move(type), .message = UntrustedText(std::move(message)), .frames = std::move(frames)};
  return a;
}
// A run that was cut off has no final report.
inline Attempt CutOff(OutcomeKind kind, std::string signal, std::string tail) {
  Attempt a = Clean(std::move(tail));
  a.outcome = {.kind = kind, .signal = std::move(signal)};
  a.report = {};
  return a;
}
inline Attempt Crashed(std::string signal, std::string tail = "") {
  return CutOff(OutcomeKind::kSignalled, std::move(signal), std::move(tail));
}
inline Attempt TimedOut(std::string tail = "") { return CutOff(OutcomeKind::kTimedOut, "", std::move(tail)); }
inline Attempt Compiled(Attempt a, int graphs = 1) {
  a.report.compiled_graphs = graphs;
  return a;
}
inline Attempt WithoutProof(Attempt a) {
  a.report.live_tensors = {{"cpu", 4}};
  a.report.device_peak_bytes = 0;
  return a;
}
// A finished proof run.
inline Attempt Proof(std::map<std::string, int> operators_by_device) {
  Attempt a = WithoutProof(Clean());
  a.role = Role::kProof;
  a.report.operators_by_device = std::move(operators_by_device);
  return a;
}

// The attempts on the target, in order; CPU and eager arms are added to it.
struct Seen : Evidence {
  explicit Seen(std::vector<Attempt> target_attempts, std::string target_name = "testdev")
      : Evidence{.id = CandidateId::OfIssue(1)} {
    target = std::move(target_name);
    canaries = {{"import", true}, {"eager", true}, {"fallback-control", true}};
    int number = 0;
    for (Attempt& a : target_attempts) {
      a.number = a.role == Role::kVerdict ? ++number : 1;
      attempts.push_back(std::move(a));
    }
  }
  Seen Cpu(Attempt a) && {
    a.arm = Arm::kCpu;
    a.report.live_tensors = {{"cpu", 2}};
    a.report.device_peak_bytes = 0;
    a.script_sha256 = kReferenceHash;
    attempts.push_back(std::move(a));
    return std::move(*this);
  }
  Seen Eager(Attempt a) && {
    a.arm = Arm::kEager;
    attempts.push_back(std::move(a));
    return std::move(*this);
  }
};
inline Seen Twice(const Attempt& a) { return Seen({a, a}); }

struct Expected {
  Bucket bucket;
  std::string rule;
  std::string failure_class;  // of a finding
  bool cpu_same = false;
};

struct Case {
  std::string name;  // letters, digits and _
  Expected expected;
  Composition composition;
  Evidence evidence;
  std::optional<TargetProfile> target;  // the test device, when left out
};

// The tables.
std::vector<Case> EvidenceCases();
std::vector<Case> OutcomeCases();
std::vector<Case> IncumbentCases();

}  // namespace xpu_align::judge_cases
