// FilterSample: a few rejected candidates of each reason, for a person to check (`filter --sample N`). The choice
// depends on the ids alone, so the same run gives the same sample everywhere. Called by app.
#pragma once
#include <string>
#include <vector>

#include "model/ledger_row.h"

namespace xpu_align {

struct SampledRejection {
  std::string stage;   // title or deep
  std::string reason;  // title rule, or reason of the closed list
  size_t of = 0;       // how many have this reason
  std::vector<const LedgerRow*> rows;  // at most as many as were asked for, by id
};

// By stage (title first), then reason. `rows` must outlive the result.
std::vector<SampledRejection> SampleRejections(const std::vector<LedgerRow>& rows, size_t of_each);

}  // namespace xpu_align
