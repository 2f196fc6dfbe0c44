// Frames of the evidence channel: four bytes of length (big endian) and one JSON object {nonce, sequence,
// kind, body}. The interpreter that writes them also runs a stranger's script, so everything is checked:
// a stray, repeated, missing or oversized frame makes the report incomplete, never an error.
#pragma once
#include <string_view>

#include "model/evidence.h"

namespace xpu_align::sandbox {

inline constexpr size_t kMaxFrameBytes = 256 << 10;
inline constexpr size_t kMaxEvidenceBytes = 1 << 20;

// `nonce` is the attempt's own. Complete are "started" and "report", with "reached" (an operator has run on the
// device) between them or not; what intact frames say is kept in any case, and the report's word replaces reached's.
HarnessReport ReportFromFrames(std::string_view bytes, std::string_view nonce);

// The value of the last line "RESULT: <value>" of a script's output; empty when there is none.
std::string LastResultLine(std::string_view output);

}  // namespace xpu_align::sandbox
