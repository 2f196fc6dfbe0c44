#include "host_view.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/LegacyTypeDispatch.h>

#include "memory.h"

namespace testdev {
namespace {

bool OnDevice(const at::Tensor& t) { return t.defined() && t.device().type() == kDevice; }

// An `out=` argument may have to change its size, which a view cannot: it gets a CPU tensor to write
// into, copied back afterwards. Every other written argument keeps its size.
bool IsOut(const c10::Argument& a) { return a.kwarg_only() && a.alias_info() && a.alias_info()->isWrite(); }

c10::IValue HostViews(const c10::IValue& value) {
  if (value.isTensor()) return value.toTensor().defined() ? HostView(value.toTensor()) : value;
  if (value.isTensorList()) {
    c10::List<at::Tensor> out;
    for (const at::Tensor& t : value.toTensorVector()) out.push_back(HostView(t));
    return out;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> out;
    for (const std::optional<at::Tensor>& t : value.toOptionalTensorVector())
      out.push_back(t ? std::optional(HostView(*t)) : std::nullopt);
    return out;
  }
  return value;
}

c10::IValue ToDeviceAll(const c10::IValue& value) {
  if (value.isTensor()) return value.toTensor().defined() ? ToDevice(value.toTensor()) : value;
  if (!value.isTensorList()) return value;
  c10::List<at::Tensor> out;
  for (const at::Tensor& t : value.toTensorVector()) out.push_back(ToDevice(t));
  return out;
}

// A CPU tensor among device tensors is an error, unless it is a number (no dimensions).
void CheckDevices(const c10::OperatorHandle& op, const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return;
  const at::Tensor& t = value.toTensor();
  TORCH_CHECK(OnDevice(t) || t.dim() == 0, "Expected all tensors to be on the same device, but found at least two "
              "devices, ", c10::Device(kDevice, 0), " and ", t.device(), "! (operator ", op.schema().name(), ")");
}

}  // namespace

at::Tensor HostView(const at::Tensor& tensor) {
  if (!OnDevice(tensor)) return tensor;
  const c10::Storage& storage = tensor.storage();
  c10::Storage host(c10::Storage::use_byte_size_t(), storage.nbytes(),
                    c10::DataPtr(storage.mutable_data(), c10::Device(c10::kCPU)), nullptr, false);
  at::Tensor view = at::detail::make_tensor<c10::TensorImpl>(
      std::move(host), c10::DispatchKeySet(c10::DispatchKey::CPU), tensor.dtype());
  view.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(), tensor.storage_offset());
  return view;
}

at::Tensor ToDevice(const at::Tensor& host) {
  at::Tensor out = at::empty_strided(host.sizes(), host.strides(), host.options().device(c10::Device(kDevice, 0)));
  HostView(out).copy_(host);
  return out;
}

void RunOnDevice(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  at::AutoDispatchBelowAutograd below;
  const auto& schema = op.schema();
  const auto& arguments = schema.arguments();
  const std::vector<c10::IValue> given = torch::jit::pop(*stack, arguments.size());
  for (const c10::IValue& value : given) CheckDevices(op, value);
  std::vector<c10::IValue> host;
  for (size_t i = 0; i < given.size(); ++i)
    host.push_back(IsOut(arguments[i]) && given[i].isTensor()
                       ? c10::IValue(at::empty({0}, given[i].toTensor().options().device(c10::kCPU)))
                       : HostViews(given[i]));
  torch::jit::Stack inner = host;
  op.callBoxed(&inner);

  for (size_t i = 0; i < given.size(); ++i)
    if (IsOut(arguments[i]) && given[i].isTensor()) {
      at::Tensor out = given[i].toTensor();
      if (out.sizes() != host[i].toTensor().sizes()) out.resize_(host[i].toTensor().sizes());
      HostView(out).copy_(host[i].toTensor());
    }
  for (size_t r = 0; r < inner.size(); ++r) {
    const auto* alias = schema.returns()[r].alias_info();
    const auto same = [&](const c10::Argument& a) { return alias && a.alias_info() && *a.alias_info() == *alias; };
    const auto found = std::find_if(arguments.begin(), arguments.end(), same);
    stack->push_back(found == arguments.end() ? ToDeviceAll(inner[r]) : given[found - arguments.begin()]);
  }
}

}  // namespace testdev
