#include "model/window.h"

#include <charconv>
#include <cstdio>

#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

using std::chrono::sys_days;

std::optional<int> Digits(std::string_view text, size_t from, size_t count) {
  if (from + count > text.size()) return std::nullopt;
  int value = 0;
  const char* end = text.data() + from + count;
  const auto [stop, error] = std::from_chars(text.data() + from, end, value);
  if (error != std::errc() || stop != end || text[from] == '-') return std::nullopt;
  return value;
}

std::optional<Date> DateAt(std::string_view text) {
  const auto year = Digits(text, 0, 4), month = Digits(text, 5, 2), day = Digits(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  const Date date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                  std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return date;
}

int64_t SecondsOf(Date date) {
  return std::chrono::duration_cast<std::chrono::seconds>(sys_days(date).time_since_epoch()).count();
}

constexpr int64_t kDay = 86400;

}  // namespace

Result<Date> ParseDate(std::string_view text) {
  if (text.size() == 10)
    if (const auto date = DateAt(text)) return *date;
  return Fail(ErrorKind::kUsage, "not a date: '" + UntrustedText(std::string(text)).ForLogLine(40) +
                                     "'; write YYYY-MM-DD, for example 2026-11-29");
}

std::string FormatDate(Date date) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return buffer;
}

std::optional<int64_t> ParseTimestamp(std::string_view text) {
  const auto date = text.size() >= 20 ? DateAt(text) : std::nullopt;
  const auto hour = Digits(text, 11, 2), minute = Digits(text, 14, 2), second = Digits(text, 17, 2);
  if (!date || !hour || !minute || !second || text.back() != 'Z' || *hour > 23 || *minute > 59 || *second > 60)
    return std::nullopt;
  return SecondsOf(*date) + *hour * 3600 + *minute * 60 + *second;
}

std::string FormatTimestamp(int64_t seconds) {
  const int64_t day_seconds = ((seconds % kDay) + kDay) % kDay;
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "T%02d:%02d:%02dZ", static_cast<int>(day_seconds / 3600),
                static_cast<int>(day_seconds / 60 % 60), static_cast<int>(day_seconds % 60));
  return FormatDate(DateOf(seconds)) + buffer;
}

Date DateOf(int64_t seconds) {
  return Date(std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(seconds))));
}

Result<Window> Window::Of(Date start, Date end) {
  if (sys_days(end) < sys_days(start))
    return Fail(ErrorKind::kUsage, "the window ends (" + FormatDate(end) + ") before it starts (" + FormatDate(start) +
                                       "); swap --since and --until");
  return Window{start, end};
}

std::optional<Window> Window::Named(std::string_view name) {
  if (name.size() != 24 || name.substr(10, 4) != "-to-") return std::nullopt;
  const auto since = ParseDate(name.substr(0, 10)), until = ParseDate(name.substr(14));
  const auto window = since && until ? Of(*since, *until) : std::unexpected(Error{});
  return window ? std::optional(*window) : std::nullopt;
}

int64_t Window::BeginSeconds() const { return SecondsOf(start); }
int64_t Window::EndSeconds() const { return SecondsOf(end) + kDay; }
bool Window::Contains(int64_t seconds) const { return seconds >= BeginSeconds() && seconds < EndSeconds(); }
int Window::Days() const { return static_cast<int>((EndSeconds() - BeginSeconds()) / kDay); }
std::string Window::Name() const { return FormatDate(start) + "-to-" + FormatDate(end); }

}  // namespace xpu_align
