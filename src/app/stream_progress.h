// Progress on a stream: a line that rewrites itself on a terminal, throttled lines elsewhere, groups in
// GitHub Actions, JSON objects on request. Made by run.cc.
#pragma once
#include <iosfwd>
#include <memory>

#include "ports/clock.h"
#include "ports/progress.h"

namespace xpu_align {

enum class ProgressStyle { kTerminal, kPlain, kActions, kJson };

// `stream` and `clock` must outlive the result.
std::unique_ptr<Progress> MakeStreamProgress(std::ostream& stream, ProgressStyle style, Clock& clock);

}  // namespace xpu_align
