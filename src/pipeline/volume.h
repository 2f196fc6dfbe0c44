// Volume: more title-passed candidates than a person reads or a night can run, said with the narrower windows that would
// hold fewer. Said by collect before it fetches details, and by filter when it runs alone.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/candidate.h"

namespace xpu_align {

inline constexpr size_t kManyCandidates = 200;

struct TitleSummary {
  size_t passed = 0;
  std::vector<std::pair<std::string, size_t>> by_day;  // YYYY-MM-DD: a narrower window's share

  bool IsMany() const { return passed > kManyCandidates; }
  // "412 candidates pass the title rules; narrower windows: 2026-11-28: 201; 2026-11-29: 211".
  std::string Words() const;
};

// `passed`: the candidates that pass; each counts for the day of its last event.
TitleSummary SummaryOf(std::span<const Candidate* const> passed);

}  // namespace xpu_align
