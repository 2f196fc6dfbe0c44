// Deliberate faults, always on: what goes wrong in hand-kept kernels whose twin on another device was
// repaired. Tests and the demo expect exactly these.
//   cumsum        wrong result   the scan works in blocks of 256 and forgets the carry between blocks
//   index_select  crash          indices are not checked; one far outside reads foreign memory (SIGSEGV),
//                                where the CPU raises IndexError
//   dot           missing check  vectors of different lengths are accepted and the longer one is cut,
//                                where the CPU raises RuntimeError
//   gcd           hang           the binary algorithm never ends when the first number is zero, where the CPU
//                                gives the second one
//   kthvalue      missing        it has no kernel here although its neighbours sort, topk and median do
#include <torch/library.h>

#include <bit>
#include <cstdlib>

#include "host_view.h"

namespace testdev {
namespace {

constexpr int64_t kBlock = 256;

at::Tensor Cumsum(const at::Tensor& self, int64_t dim, std::optional<c10::ScalarType> dtype) {
  const at::Tensor host = HostView(self);
  if (host.dim() == 0 || host.numel() == 0) return ToDevice(at::cumsum(host, dim, dtype));
  std::vector<at::Tensor> blocks;
  for (const at::Tensor& block : host.split(kBlock, dim)) blocks.push_back(at::cumsum(block, dim, dtype));
  return ToDevice(at::cat(blocks, dim));
}

at::Tensor& CumsumOut(const at::Tensor& self, int64_t dim, std::optional<c10::ScalarType> dtype, at::Tensor& out) {
  const at::Tensor result = Cumsum(self, dim, dtype);
  if (out.sizes() != result.sizes()) out.resize_(result.sizes());
  return out.copy_(result);
}

at::Tensor IndexSelect(const at::Tensor& self, int64_t dim, const at::Tensor& index) {
  const at::Tensor source = HostView(self).movedim(dim, 0).contiguous();
  const at::Tensor rows = HostView(index).to(at::kLong).contiguous();
  std::vector<int64_t> sizes = source.sizes().vec();
  sizes[0] = rows.numel();
  const at::Tensor picked = at::empty(sizes, source.options());
  const int64_t row_bytes = source.stride(0) * static_cast<int64_t>(source.element_size());
  const auto* from = static_cast<const char*>(source.const_data_ptr());
  auto* to = static_cast<char*>(picked.data_ptr());
  for (int64_t i = 0; i < rows.numel(); ++i)
    std::memcpy(to + i * row_bytes, from + rows.const_data_ptr<int64_t>()[i] * row_bytes, row_bytes);
  return ToDevice(picked.movedim(0, dim).contiguous());
}

at::Tensor Dot(const at::Tensor& self, const at::Tensor& other) {
  const int64_t n = std::min(self.numel(), other.numel());
  return ToDevice(at::dot(HostView(self).narrow(0, 0, n), HostView(other).narrow(0, 0, n)));
}

int64_t BinaryGcd(int64_t a, int64_t b) {
  const int shared = std::countr_zero(static_cast<uint64_t>(a | b));
  volatile int64_t halved = std::abs(a);  // volatile: or the compiler may take it for granted that the loop ends
  while ((halved & 1) == 0) halved = halved >> 1;
  int64_t odd = halved;
  for (int64_t rest = std::abs(b); rest != 0; rest -= odd) {
    rest >>= std::countr_zero(static_cast<uint64_t>(rest));
    if (odd > rest) std::swap(odd, rest);
  }
  return odd << shared;
}

at::Tensor Gcd(const at::Tensor& self, const at::Tensor& other) {
  const at::Tensor a = HostView(self).to(at::kLong).contiguous(), b = HostView(other).to(at::kLong).contiguous();
  const at::Tensor result = at::empty_like(a);
  for (int64_t i = 0; i < a.numel(); ++i)
    result.mutable_data_ptr<int64_t>()[i] = BinaryGcd(a.const_data_ptr<int64_t>()[i], b.const_data_ptr<int64_t>()[i]);
  return ToDevice(result.to(self.scalar_type()));
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("cumsum", &Cumsum);
  m.impl("cumsum.out", &CumsumOut);
  m.impl("index_select", &IndexSelect);
  m.impl("dot", &Dot);
  m.impl("gcd", &Gcd);
}

}  // namespace testdev
