// What torch asks of every device: a guard with one device and one stream, the hooks that backward()
// and the Python front end call, and the queries behind the module torch.testdev.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include "memory.h"

namespace testdev {
namespace {

// Work is done when a kernel returns, so streams and events have nothing to wait for.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  static constexpr c10::DeviceType static_type = kDevice;
  Guard() = default;
  explicit Guard(c10::DeviceType) {}
  static c10::Device Only() { return {kDevice, 0}; }
  static c10::Stream OnlyStream() { return c10::Stream(c10::Stream::DEFAULT, Only()); }
  static void Check(c10::Device device) {
    TORCH_CHECK(device.index() <= 0, "testdev has one device, asked for number ", static_cast<int>(device.index()));
  }

  c10::DeviceType type() const override { return kDevice; }
  c10::Device exchangeDevice(c10::Device device) const override { Check(device); return Only(); }
  c10::Device getDevice() const override { return Only(); }
  void setDevice(c10::Device device) const override { Check(device); }
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device) const override { return OnlyStream(); }
  c10::Stream getDefaultStream(c10::Device) const override { return OnlyStream(); }
  c10::Stream getNewStream(c10::Device, int) const override { return OnlyStream(); }
  c10::Stream getStreamFromGlobalPool(c10::Device, bool) const override { return OnlyStream(); }
  c10::Stream exchangeStream(c10::Stream) const override { return OnlyStream(); }
  void record(void**, const c10::Stream&, c10::DeviceIndex, c10::EventFlag) const override {}
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  void destroyEvent(void*, c10::DeviceIndex) const noexcept override {}
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override {}
  void synchronizeEvent(void*) const override {}
  void synchronizeDevice(c10::DeviceIndex) const override {}
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};

// Random numbers come from the CPU's generator: the same seed gives the same numbers on both devices.
struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override { return 1; }
  void setCurrentDevice(c10::DeviceIndex index) const override { Guard::Check({kDevice, index}); }
  c10::DeviceIndex getCurrentDevice() const override { return 0; }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex) const override { return 0; }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex) const override { return 0; }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override {
    return at::detail::getDefaultCPUGenerator();
  }
  at::Generator getNewGenerator(c10::DeviceIndex) const override { return at::detail::createCPUGenerator(); }
  c10::Device getDeviceFromPtr(void*) const override { return {kDevice, 0}; }
  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
    auto fresh = Memory()->allocate(bytes);
    if (const size_t kept = std::min(bytes, storage.nbytes())) std::memcpy(fresh.get(), storage.data(), kept);
    storage.unsafeGetStorageImpl()->set_data_ptr_noswap(std::move(fresh));
    storage.unsafeGetStorageImpl()->set_nbytes(bytes);
  }
};

[[maybe_unused]] const bool registered = [] {
  at::RegisterPrivateUse1HooksInterface(new Hooks);  // torch keeps it until the process ends
  return true;
}();

}  // namespace

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard)

TORCH_LIBRARY(testdev, m) {
  m.def("memory_allocated() -> int", [] { return BytesInUse(); });
  m.def("max_memory_allocated() -> int", [] { return PeakBytes(); });
  m.def("reset_peak_memory_stats() -> ()", [] { ResetPeak(); });
}

}  // namespace testdev
