// Tally: the counts of one scan, taken from the ledger's rows and nothing else. Used by the final summary, the
// front page and the step summary.
#pragma once
#include <array>
#include <map>
#include <string>
#include <vector>

#include "model/ledger_row.h"

namespace xpu_align {

struct Tally {
  size_t collected = 0, title_rejected = 0, deep_rejected = 0, passed_to_repro = 0;
  size_t done = 0, pending = 0, findings = 0;
  std::map<Bucket, size_t> buckets;
  std::map<Verdict, size_t> verdicts;
  std::map<std::string, size_t> routes;  // implementation repository -> findings
};
Tally TallyOf(const std::vector<LedgerRow>& rows);

// Rows that did not run, by the rule that says why.
struct Rejected {
  std::string rule;
  std::vector<const LedgerRow*> rows;
};
// Title rules first, then deep reasons, each sorted by rule.
std::vector<Rejected> RejectedByRule(const std::vector<LedgerRow>& rows);

}  // namespace xpu_align
