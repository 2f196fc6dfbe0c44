// Window: an inclusive range of UTC dates, [start 00:00Z, end+1 00:00Z). Dates are values; no clock is
// read here.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "text/error.h"

namespace xpu_align {

using Date = std::chrono::year_month_day;

// YYYY-MM-DD, a date that exists. kUsage otherwise.
Result<Date> ParseDate(std::string_view text);
std::string FormatDate(Date date);
// Seconds since the epoch of an RFC 3339 time as GitHub writes it (2026-11-29T10:00:00Z).
std::optional<int64_t> ParseTimestamp(std::string_view text);
std::string FormatTimestamp(int64_t seconds_since_epoch);
Date DateOf(int64_t seconds_since_epoch);

struct Window {
  Date start, end;

  // kUsage when the end is before the start.
  static Result<Window> Of(Date start, Date end);
  static Window Day(Date date) { return {date, date}; }
  // What Name gives; nothing for any other text.
  static std::optional<Window> Named(std::string_view name);

  int64_t BeginSeconds() const;  // inclusive
  int64_t EndSeconds() const;    // exclusive
  bool Contains(int64_t seconds_since_epoch) const;
  int Days() const;
  std::string Name() const;  // 2026-06-01-to-2026-06-07: the run directory's name
  bool operator==(const Window&) const = default;
};

}  // namespace xpu_align
