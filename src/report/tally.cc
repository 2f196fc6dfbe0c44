#include "report/tally.h"

namespace xpu_align {

Tally TallyOf(const std::vector<LedgerRow>& rows) {
  Tally tally{.collected = rows.size()};
  for (const LedgerRow& row : rows) {
    if (row.title_status == TitleStatus::kReject) {
      ++tally.title_rejected;
    } else if (row.deep_status == DeepStatus::kReject) {
      ++tally.deep_rejected;
    } else if (row.deep_status == DeepStatus::kPass) {
      ++tally.passed_to_repro;
    }
    if (row.IsPendingActionable()) ++tally.pending;
    if (row.local_status != LocalStatus::kDone) continue;
    ++tally.done;
    if (row.bucket) ++tally.buckets[*row.bucket];
    if (row.verdict) ++tally.verdicts[*row.verdict];
    if (!row.IsFinding()) continue;
    ++tally.findings;
    if (!row.route_repository.empty()) ++tally.routes[row.route_repository];
  }
  return tally;
}

std::vector<Rejected> RejectedByRule(const std::vector<LedgerRow>& rows) {
  std::map<std::string, std::vector<const LedgerRow*>> by_title, by_content;
  for (const LedgerRow& row : rows) {
    if (row.title_status == TitleStatus::kReject) {
      by_title[row.title_rule].push_back(&row);
    } else if (row.deep_status == DeepStatus::kReject) {
      by_content[row.deep_reason.rule].push_back(&row);
    }
  }
  std::vector<Rejected> all;
  for (auto& [rule, found] : by_title) all.push_back({"title: " + rule, std::move(found)});
  for (auto& [rule, found] : by_content) all.push_back({rule, std::move(found)});
  return all;
}

}  // namespace xpu_align
