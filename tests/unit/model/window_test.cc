#include "model/window.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

TEST(WindowTest, IsInclusiveInDatesAndHalfOpenInSeconds) {
  const Window window = *Window::Of(*ParseDate("2026-02-28"), *ParseDate("2026-03-01"));
  EXPECT_EQ(window.Days(), 2);
  EXPECT_EQ(window.Name(), "2026-02-28-to-2026-03-01");
  EXPECT_TRUE(window.Contains(*ParseTimestamp("2026-02-28T00:00:00Z")));
  EXPECT_TRUE(window.Contains(*ParseTimestamp("2026-03-01T23:59:59Z")));
  EXPECT_FALSE(window.Contains(*ParseTimestamp("2026-03-02T00:00:00Z")));
}

TEST(WindowTest, TimestampsRoundTrip) {
  for (const char* text : {"1970-01-01T00:00:00Z", "2026-11-30T17:28:16Z", "2024-02-29T23:59:59Z"})
    EXPECT_EQ(FormatTimestamp(*ParseTimestamp(text)), text);
}

TEST(WindowTest, RefusesWhatIsNoDate) {
  for (const char* text : {"", "2026-2-1", "2026-02-30", "2026-13-01", "2026-01-01T", "20260101xx", "-026-01-01"})
    EXPECT_EQ(ParseDate(text).error().kind, ErrorKind::kUsage) << text;
  for (const char* text : {"2026-01-01", "2026-01-01T25:00:00Z", "2026-01-01T10:00:00+02"})
    EXPECT_FALSE(ParseTimestamp(text)) << text;
  EXPECT_EQ(Window::Of(*ParseDate("2026-01-02"), *ParseDate("2026-01-01")).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace xpu_align
