// What several fuzz targets ask of a result, and the input of a target as text. A property that does not hold
// aborts, which is how both the replay and libFuzzer see a finding.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/rule_set.h"
#include "text/error.h"
#include "text/utf8.h"

namespace xpu_align {

inline std::string_view TextOf(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// The first line of the input, and what comes after it: for targets that take two texts.
struct HeadAndRest {
  std::string head, rest;
};
inline HeadAndRest Divided(std::string_view text) {
  const size_t newline = std::min(text.find('\n'), text.size());
  return {std::string(text.substr(0, newline)), std::string(text.substr(std::min(newline + 1, text.size())))};
}

inline int Lines(std::string_view text) { return static_cast<int>(std::ranges::count(text, '\n')); }
inline bool IsOneLine(std::string_view text) { return text.find_first_of("\n\r") == std::string_view::npos; }
inline bool IsValidUtf8(std::string_view text) { return ValidUtf8(text) == text; }

inline const RuleSet& RulesOf(const char* target) {
  auto rules = LoadRules(target, "");
  CHECK(rules.has_value());
  return *new RuleSet(std::move(*rules));  // lives as long as the process
}

}  // namespace xpu_align
