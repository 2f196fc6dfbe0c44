// The device's kernels. Each operator named here has one of its own, for all its overloads; any other
// operator is missing (see fallback.cc). The dispatcher's table names this file for them: that is the
// evidence that an operator ran on the device.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <set>
#include <string>

#include "host_view.h"

namespace testdev {
namespace {

const std::set<std::string> kNative = {
    // element by element
    "abs", "add", "addcdiv", "addcmul", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "ceil", "clamp",
    "clamp_max", "clamp_min", "cos", "div", "elu", "elu_backward", "eq", "erf", "exp", "fill", "floor", "fmod",
    "ge", "gelu", "gelu_backward", "gt", "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "le", "lerp",
    "log", "log1p", "logical_and", "logical_not", "logical_or", "lt", "masked_fill", "maximum", "minimum", "mul",
    "ne", "neg", "nextafter", "pow", "reciprocal", "relu", "remainder", "round", "rsqrt", "sgn", "sigmoid",
    "sigmoid_backward", "sign", "silu", "silu_backward", "sin", "sqrt", "sub", "tanh", "tanh_backward", "threshold",
    "threshold_backward", "trunc", "where", "zero",
    // reductions and scans
    "all", "amax", "amin", "any", "argmax", "argmin", "bincount", "cumprod", "equal", "histc", "linalg_vector_norm",
    "max", "mean", "median", "min", "nansum", "norm", "prod", "std", "sum", "var", "var_mean",
    // matrices
    "addmm", "addmv", "baddbmm", "bmm", "mm", "mv",
    // order, place and choice
    "arange", "cat", "embedding", "embedding_dense_backward", "eye", "flip", "gather", "index", "index_add",
    "index_copy", "index_fill", "index_put", "_index_put_impl_", "linspace", "masked_scatter", "masked_select",
    "nonzero", "repeat_interleave", "roll", "scatter", "scatter_add", "searchsorted", "sort", "topk", "tril",
    "triu", "_unique2", "unique_consecutive", "unique_dim",
    // networks
    "avg_pool2d", "huber_loss", "_log_softmax", "_log_softmax_backward_data", "max_pool2d_with_indices",
    "max_pool2d_with_indices_backward", "mse_loss", "mse_loss_backward", "native_batch_norm",
    "native_batch_norm_backward", "native_dropout", "native_layer_norm", "native_layer_norm_backward",
    "nll_loss_backward", "nll_loss_forward", "smooth_l1_loss", "_softmax", "_softmax_backward_data",
    // random numbers
    "bernoulli", "exponential_", "multinomial", "normal", "random", "randperm", "uniform",
};

// add_ and add are one operator in two forms.
std::string Base(std::string name) {
  name = name.substr(name.find("::") + 2);
  if (!kNative.count(name) && name.ends_with('_')) name.pop_back();
  return name;
}

// A factory makes a tensor on the device it is given: it calls the overload that fills an existing one.
bool IsFactory(const c10::FunctionSchema& schema) { return schema.argumentIndexWithName("device").has_value(); }

at::Tensor Convolution(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                       at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed,
                       at::IntArrayRef output_padding, int64_t groups) {
  std::optional<at::Tensor> host_bias;
  if (bias && bias->defined()) host_bias = HostView(*bias);
  return ToDevice(at::convolution(HostView(input), HostView(weight), host_bias, stride, padding, dilation, transposed,
                                  output_padding, groups));
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> ConvolutionBackward(
    const at::Tensor& grad, const at::Tensor& input, const at::Tensor& weight, at::IntArrayRef stride,
    at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed, at::IntArrayRef output_padding, int64_t groups,
    std::array<bool, 3> mask) {
  const std::vector<int64_t> bias_size = {transposed ? weight.size(1) * groups : weight.size(0)};
  auto [a, b, c] =
      at::convolution_backward(HostView(grad), HostView(input), HostView(weight), bias_size, stride, padding, dilation,
                               transposed, output_padding, groups, mask);
  const auto device = [](const at::Tensor& t) { return t.defined() ? ToDevice(t) : t; };
  return {device(a), device(b), device(c)};
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const c10::OperatorName& name : dispatcher.getAllOpNames()) {
    if (name.name.rfind("aten::", 0) != 0 || !kNative.count(Base(name.name))) continue;
    const auto op = dispatcher.findSchema(name);
    // An operator made of other operators stays so: autograd looks inside it.
    if (!op || IsFactory(op->schema()) || op->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd))
      continue;
    m.impl(c10::toString(name).c_str() + 6, torch::CppFunction::makeFromBoxedFunction<&RunOnDevice>());
  }
  m.impl("convolution_overrideable", &Convolution);
  m.impl("convolution_backward_overrideable", &ConvolutionBackward);
}

}  // namespace testdev
