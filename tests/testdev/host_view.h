// Kernels of this device compute with the CPU's code on the device's own memory. HostView is how they
// see it; a device tensor never shows up on the CPU in any other way. Called by every kernel.
#pragma once
#include <ATen/ATen.h>
#include <ATen/core/stack.h>

namespace testdev {

// The same memory as a CPU tensor, valid while `tensor` lives; a CPU tensor is returned as it is.
at::Tensor HostView(const at::Tensor& tensor);

// A device tensor with the values, sizes and strides of a CPU tensor.
at::Tensor ToDevice(const at::Tensor& host);

// Boxed kernel: runs the CPU's kernel of the same operator on views of the arguments and puts what is
// new into device memory. Arguments that the schema calls written are written in place.
void RunOnDevice(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace testdev
