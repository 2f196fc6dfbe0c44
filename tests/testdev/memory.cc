// The allocator and its counters, registered as the device's allocator.
#include "memory.h"

#include <atomic>
#include <cstdlib>

namespace testdev {
namespace {

std::atomic<int64_t> in_use{0}, peak{0};

// A block starts with its own size, so that freeing it needs no table.
constexpr size_t kHeader = 64;

void Free(void* block) {
  if (block == nullptr) return;
  in_use -= static_cast<int64_t>(*static_cast<size_t*>(block));
  std::free(block);
}

class Allocator final : public c10::DeviceAllocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    const c10::Device device(kDevice, 0);
    if (bytes == 0) return {nullptr, nullptr, &Free, device};
    void* block = nullptr;
    TORCH_CHECK_WITH(OutOfMemoryError,
                     bytes < (size_t{1} << 46) && posix_memalign(&block, kHeader, bytes + kHeader) == 0,
                     "testdev out of memory. Tried to allocate ", bytes, " bytes.");
    *static_cast<size_t*>(block) = bytes;
    const int64_t now = in_use += static_cast<int64_t>(bytes);
    for (int64_t seen = peak; seen < now && !peak.compare_exchange_weak(seen, now);) {}
    return {static_cast<char*>(block) + kHeader, block, &Free, device};
  }
  void copy_data(void* to, const void* from, size_t bytes) const override { default_copy_data(to, from, bytes); }

  bool initialized() override { return true; }
  void emptyCache(c10::MempoolId_t) override {}
  void recordStream(const c10::DataPtr&, c10::Stream) override {}
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex) override {
    c10::CachingDeviceAllocator::DeviceStats stats;
    auto& all = stats.allocated_bytes[static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
    all.current = in_use;
    all.peak = peak;
    stats.reserved_bytes[static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE)] = all;
    return stats;
  }
  void resetAccumulatedStats(c10::DeviceIndex) override {}
  void resetPeakStats(c10::DeviceIndex) override { ResetPeak(); }
};

Allocator allocator;

}  // namespace

c10::DeviceAllocator* Memory() { return &allocator; }
int64_t BytesInUse() { return in_use; }
int64_t PeakBytes() { return peak; }
void ResetPeak() { peak = in_use.load(); }

REGISTER_ALLOCATOR(kDevice, &allocator);

}  // namespace testdev
