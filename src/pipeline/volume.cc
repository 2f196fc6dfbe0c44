#include "pipeline/volume.h"

#include <map>

namespace xpu_align {

std::string TitleSummary::Words() const {
  std::string words = std::to_string(passed) + " candidates pass the title rules";
  const char* before = "; narrower windows: ";
  for (const auto& [day, share] : by_day) {
    words += before + (day.empty() ? "no day" : day) + ": " + std::to_string(share);
    before = "; ";
  }
  return words;
}

TitleSummary SummaryOf(std::span<const Candidate* const> passed) {
  std::map<std::string, size_t> days;
  for (const Candidate* candidate : passed)
    ++days[candidate->events.empty() ? std::string() : candidate->events.back().at.substr(0, 10)];
  return {passed.size(), {days.begin(), days.end()}};
}

}  // namespace xpu_align
