#include "pipeline/stage_pace.h"

namespace xpu_align {

bool StagePace::HasTimeFor(int64_t limit_millis) const {
  return budget_ == 0 || ElapsedMillis() + limit_millis <= budget_;
}

void StagePace::Measured(CompileUse kind, int64_t millis) {
  Mean& mean = kind == CompileUse::kCompiled ? compiled_ : eager_;
  mean.sum += millis;
  ++mean.count;
}

std::optional<int64_t> StagePace::Left(size_t eager, size_t compiled) const {
  if ((eager > 0 && eager_.count == 0) || (compiled > 0 && compiled_.count == 0)) return std::nullopt;
  const auto of = [](const Mean& mean, size_t times) {
    return times == 0 ? int64_t{0} : mean.sum / mean.count * static_cast<int64_t>(times);
  };
  return of(eager_, eager) + of(compiled_, compiled);
}

}  // namespace xpu_align
