#include "pipeline/filter_sample.h"

#include <algorithm>
#include <map>

#include "digest/sha256.h"

namespace xpu_align {

std::vector<SampledRejection> SampleRejections(const std::vector<LedgerRow>& rows, size_t of_each) {
  std::map<std::pair<int, std::string>, std::vector<const LedgerRow*>> groups;
  for (const LedgerRow& row : rows) {
    if (row.title_status == TitleStatus::kReject) groups[{0, row.title_rule}].push_back(&row);
    else if (row.deep_status == DeepStatus::kReject) groups[{1, row.deep_reason.rule}].push_back(&row);
  }
  std::vector<SampledRejection> out;
  for (auto& [key, members] : groups) {
    SampledRejection sample{.stage = key.first == 0 ? "title" : "deep", .reason = key.second, .of = members.size(), .rows = {}};
    // By hash, so that neighbours in time are not favoured.
    std::ranges::sort(members, {}, [](const LedgerRow* row) { return Sha256Hex(row->id.Text()); });
    members.resize(std::min(members.size(), of_each));
    std::ranges::sort(members, {}, [](const LedgerRow* row) { return row->id; });
    sample.rows = std::move(members);
    out.push_back(std::move(sample));
  }
  return out;
}

}  // namespace xpu_align
