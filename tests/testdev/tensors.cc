// How device tensors come to be, change their shape, and travel: the operators that are about memory,
// not about numbers.
#include <ATen/EmptyTensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/resize_native.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <torch/library.h>

#include "host_view.h"
#include "memory.h"

namespace testdev {
namespace {

using Dtype = std::optional<c10::ScalarType>;

void CheckDevice(std::optional<c10::Device> device) {
  TORCH_CHECK(!device || device->index() <= 0, "testdev has one device, asked for number ",
              static_cast<int>(device->index()));
}

at::Tensor Empty(c10::IntArrayRef size, Dtype dtype, std::optional<c10::Layout>, std::optional<c10::Device> device,
                 std::optional<bool> pinned, std::optional<c10::MemoryFormat> format) {
  TORCH_CHECK(!pinned.value_or(false), "Only dense CPU tensors can be pinned");
  CheckDevice(device);
  return at::detail::empty_generic(size, Memory(), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                   c10::dtype_or_default(dtype), format);
}

at::Tensor EmptyStrided(c10::IntArrayRef size, c10::IntArrayRef stride, Dtype dtype, std::optional<c10::Layout>,
                        std::optional<c10::Device> device, std::optional<bool>) {
  CheckDevice(device);
  return at::detail::empty_strided_generic(size, stride, Memory(), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                           c10::dtype_or_default(dtype));
}

at::Tensor CopyFrom(const at::Tensor& from, const at::Tensor& to, bool) {
  HostView(to).copy_(HostView(from));
  return to;
}

at::Tensor CopyFromAndResize(const at::Tensor& from, const at::Tensor& to) {
  if (to.sizes() != from.sizes()) to.resize_(from.sizes());
  return CopyFrom(from, to, false);
}

at::Scalar LocalScalar(const at::Tensor& self) { return HostView(self).item(); }

}  // namespace

// Views and sizes are the CPU's own functions: they touch sizes, strides and the storage's allocator only.
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", &Empty);
  m.impl("empty_strided", &EmptyStrided);
  m.impl("_copy_from", &CopyFrom);
  m.impl("_copy_from_and_resize", &CopyFromAndResize);
  m.impl("_local_scalar_dense", &LocalScalar);
  m.impl("resize_", &at::native::resize_);
  m.impl("as_strided", &at::native::as_strided_tensorimpl);
  m.impl("view", &at::native::view);
  m.impl("_reshape_alias", &at::native::_reshape_alias);
  m.impl("unfold", &at::native::unfold);
  m.impl("view_as_real", &at::native::view_as_real);
  m.impl("view_as_complex", &at::native::view_as_complex);
  m.impl("set_.source_Storage_storage_offset", &at::native::set_storage_cpu_);
  m.impl("set_.source_Storage", &at::native::set_);
  m.impl("set_.source_Tensor", &at::native::set_tensor_);
  m.impl("set_", &at::native::set_cpu_);
}

}  // namespace testdev
