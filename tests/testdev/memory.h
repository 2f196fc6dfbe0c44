// The device's memory: ordinary host memory behind an allocator of its own, so that every byte on the
// device is counted. Called by the tensor factories and by the Python module's memory queries.
#pragma once
#include <ATen/ATen.h>
#include <c10/core/CachingDeviceAllocator.h>

namespace testdev {

constexpr c10::DeviceType kDevice = c10::DeviceType::PrivateUse1;

c10::DeviceAllocator* Memory();
int64_t BytesInUse();
int64_t PeakBytes();
void ResetPeak();

}  // namespace testdev
