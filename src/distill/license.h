// The SPDX id of a licence text, as far as its words decide; refuses to guess about any other text. Not a legal
// conclusion. Used by ground.cc.
#pragma once
#include <string>
#include <string_view>

namespace xpu_align::distill {

inline constexpr std::string_view kNoLicense = "NO_LICENSE";

// "LicenseRef-custom" for a text that is none of the known ones.
std::string LicenseName(std::string_view text);

}  // namespace xpu_align::distill
