#include "pipeline/filter_sample.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace xpu_align {
namespace {

std::vector<LedgerRow> Rows(int count) {
  std::vector<LedgerRow> rows;
  for (int i = 1; i <= count; ++i) {
    LedgerRow row{.id = CandidateId::OfIssue(i)};
    if (i % 3 == 0) row.title_status = TitleStatus::kReject, row.title_rule = "docs-tag";
    if (i % 3 == 1) row.deep_status = DeepStatus::kReject, row.deep_reason = {"platform-exclusive", "x"};
    rows.push_back(row);
  }
  return rows;
}

TEST(FilterSampleTest, SomeOfEachReasonTitleRulesFirst) {
  const std::vector<LedgerRow> rows = Rows(300);
  const auto samples = SampleRejections(rows, 5);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].stage + " " + samples[0].reason, "title docs-tag");
  EXPECT_EQ(samples[1].stage + " " + samples[1].reason, "deep platform-exclusive");
  for (const SampledRejection& sample : samples) {
    EXPECT_EQ(sample.of, 100u);
    EXPECT_EQ(sample.rows.size(), 5u);
    EXPECT_TRUE(std::ranges::is_sorted(sample.rows, {}, [](const LedgerRow* row) { return row->id; }));
  }
}

TEST(FilterSampleTest, TheChoiceDependsOnTheIdsAlone) {
  const std::vector<LedgerRow> rows = Rows(300);
  std::vector<LedgerRow> turned(rows.rbegin(), rows.rend());
  const auto ids = [](const std::vector<SampledRejection>& samples) {
    std::string out;
    for (const SampledRejection& sample : samples)
      for (const LedgerRow* row : sample.rows) out += row->id.Text() + " ";
    return out;
  };
  EXPECT_EQ(ids(SampleRejections(rows, 7)), ids(SampleRejections(turned, 7)));
}

TEST(FilterSampleTest, AskingForMoreThanThereAreGivesAll) {
  const std::vector<LedgerRow> rows = Rows(6);
  EXPECT_EQ(SampleRejections(rows, 100)[0].rows.size(), 2u);
  EXPECT_TRUE(SampleRejections({}, 3).empty());
}

}  // namespace
}  // namespace xpu_align
