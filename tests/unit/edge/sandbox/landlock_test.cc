#include "edge/sandbox/landlock.h"

#include <asm/termbits.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

namespace xpu_align::sandbox {
namespace {

constexpr int kAbiWithDeviceIoctl = 5;

int ErrorOfIoctl(const char* device) {
  const int fd = ::open(device, O_RDONLY);
  termios settings;
  return ::ioctl(fd, TCGETS, &settings) == 0 ? 0 : errno;  // neither device is a terminal
}

[[noreturn]] void TryUnderLandlock() {
  const bool entered =
      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && RestrictWrites({"/tmp"}, {"/dev/null"}).has_value();
  const int refused = LandlockAbi() >= kAbiWithDeviceIoctl ? EACCES : ENOTTY;
  ::_exit(entered && ErrorOfIoctl("/dev/null") == ENOTTY && ErrorOfIoctl("/dev/zero") == refused ? 0 : 1);
}

TEST(LandlockTest, OnlyDevicesThatAreNamedTakeIoctl) {
  EXPECT_EQ(ErrorOfIoctl("/dev/zero"), ENOTTY);
  EXPECT_EXIT(TryUnderLandlock(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace xpu_align::sandbox
