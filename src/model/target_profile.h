// TargetProfile: everything that is special about one backend, read from src/rules/targets/<name>.json.
// No other file of the program names a backend; a new backend is one new profile.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "json/json.h"
#include "model/ledger_row.h"

namespace xpu_align {

// A text that, when it ends a script, says something about our adaptation or the machine, not about the
// bug. Checked before any comparison with the reported failure.
struct AdaptationError {
  std::string id;
  std::string exception_type;  // empty: any
  std::string pattern;         // RE2 on the message
  Bucket bucket = Bucket::kBlockedScriptError;
  std::string text;  // for people: what it means
};

struct TargetProfile {
  std::string name;           // xpu, cuda, npu, cpu, testdev
  std::string module;         // torch.xpu; for cpu: torch.cpu
  std::string device;         // device type string in scripts: xpu
  std::string dispatch_key;   // XPU, CUDA, PrivateUse1, CPU
  std::string availability;   // Python expression, true when the device can be used
  std::string startup;        // Python statements that make the device known, run before the script; may be empty
  bool is_reference = false;  // the CPU itself: no reference arm, no device evidence
  bool has_compiler = true;   // inductor generates code for it; without, compiled scripts run but no canary asks
  std::string memory_limit;   // address-space or resident
  std::string collective_backend;  // xccl, nccl, hccl, gloo
  std::vector<std::string> device_nodes;            // glob patterns of device files the sandbox shows
  std::map<std::string, std::string> environment;   // set before the interpreter starts
  std::vector<std::string> forbidden_environment;   // glob patterns, never passed on
  std::vector<std::string> fallback_texts;          // RE2 with one group: the operator
  std::vector<std::string> fallback_registrations;  // file names in dispatcher dumps that mean "runs on the CPU"
  std::vector<std::string> host_operators;          // operators that compute on the CPU whatever the switch says
  std::map<std::string, std::string> api_renames;   // torch.cuda.X (or a longer name) -> expression on this target
  std::vector<std::string> api_without_counterpart;  // names that have no equivalent here: refused
  std::vector<AdaptationError> adaptation_errors;
  std::string kernel_repository;  // where kernels of this target live when not in pytorch/pytorch
  Json other;
};

Result<TargetProfile> TargetProfileFromJson(const Json& json);

}  // namespace xpu_align
