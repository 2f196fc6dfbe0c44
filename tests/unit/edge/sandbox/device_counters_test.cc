#include "edge/sandbox/device_counters.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace xpu_align::sandbox {
namespace {

class DeviceCountersTest : public testing::Test {
 protected:
  DeviceCountersTest() : proc_(testing::TempDir() + "device_counters") { std::filesystem::remove_all(proc_); }
  ~DeviceCountersTest() override { std::filesystem::remove_all(proc_); }
  void Open(int pid, int descriptor, const std::string& text) {
    const auto folder = std::filesystem::path(proc_) / std::to_string(pid) / "fdinfo";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / std::to_string(descriptor)) << text;
  }
  std::string proc_;
};

constexpr char kPlainFile[] = "pos:\t0\nflags:\t0100002\nmnt_id:\t25\n";
constexpr char kI915[] =
    "pos:\t0\ndrm-driver:\ti915\ndrm-client-id:\t7\ndrm-pdev:\t0000:03:00.0\ndrm-engine-render:\t25000 ns\n"
    "drm-engine-capacity-video:\t2\ndrm-engine-copy:\t500 ns\n";

TEST_F(DeviceCountersTest, WithoutADrmDescriptorNothingIsKnown) {
  Open(10, 0, kPlainFile);
  EXPECT_EQ(DeviceWork({10, 99}, proc_), std::nullopt);  // 99 has ended
}

TEST_F(DeviceCountersTest, EnginesAreAddedAndTheirNumberIsNot) {
  Open(10, 0, kPlainFile);
  Open(10, 5, kI915);
  EXPECT_EQ(DeviceWork({10}, proc_), 25500u);
}

TEST_F(DeviceCountersTest, CyclesOfTheNewerDriverCount) {
  Open(10, 5, "drm-driver:\txe\ndrm-client-id:\t3\ndrm-cycles-ccs:\t400\ndrm-total-cycles-ccs:\t999999\n");
  EXPECT_EQ(DeviceWork({10}, proc_), 400u);
}

TEST_F(DeviceCountersTest, OneClientCountsOnceHoweverOftenItIsOpen) {
  Open(10, 5, kI915);
  Open(10, 6, kI915);
  Open(11, 5, kI915);
  EXPECT_EQ(DeviceWork({10, 11}, proc_), 25500u);
}

TEST_F(DeviceCountersTest, AnOpenDeviceThatDidNothingIsZeroAndNotUnknown) {
  Open(10, 5, "drm-driver:\txe\ndrm-client-id:\t3\ndrm-cycles-ccs:\t0\n");
  EXPECT_EQ(DeviceWork({10}, proc_), 0u);
}

}  // namespace
}  // namespace xpu_align::sandbox
