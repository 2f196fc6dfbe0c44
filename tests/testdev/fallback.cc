// What happens to operators without a kernel. The switch TESTDEV_FALLBACK is read when the library is
// loaded: unset or 0, a missing operator is an error; otherwise it runs on the CPU and says so once. The
// operators listed below go to the CPU whatever the switch says. The dispatcher's table names this file.
#include <ATen/native/CPUFallback.h>
#include <torch/library.h>

#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

namespace testdev {
namespace {

const bool enabled = [] {
  const char* value = std::getenv("TESTDEV_FALLBACK");
  return value != nullptr && std::string(value) != "0" && *value != '\0';
}();

const char* const kAlways[] = {
    "_linalg_det.result",     "_linalg_eigh.eigenvalues", "_linalg_solve_ex.result", "_linalg_svd.U",
    "linalg_cholesky_ex.L",   "linalg_eig.out",           "linalg_inv_ex.inverse",   "linalg_lu_factor_ex.out",
    "linalg_qr.out",          "triangular_solve.X",
};

void ToCpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  static std::mutex mutex;
  static std::set<std::string> warned;
  const std::string name = c10::toString(op.operator_name());
  bool first = false;
  {
    const std::lock_guard lock(mutex);
    first = warned.insert(name).second;
  }
  if (first) TORCH_WARN("The operator '", name, "' on the testdev backend is falling back to run on the CPU.");
  at::native::cpu_fallback(op, stack);
}

void Missing(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  TORCH_CHECK_NOT_IMPLEMENTED(enabled, "The operator '", c10::toString(op.operator_name()),
                              "' is not currently implemented for the testdev device.");
  ToCpu(op, stack);
}

}  // namespace

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&Missing>()); }

// autocast changes nothing on this device.
TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  for (const char* name : kAlways) m.impl(name, torch::CppFunction::makeFromBoxedFunction<&ToCpu>());
}

}  // namespace testdev
