// The JSON examples of docs/run-directory.md are read by the codecs that the stages use.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "model/composition.h"
#include "model/details.h"
#include "model/evidence.h"
#include "model/ledger_row.h"
#include "model/schema.h"
#include "model/window.h"

namespace xpu_align {
namespace {

// Heading of a section -> its JSON example.
std::map<std::string, std::string> Examples() {
  std::ifstream in(std::string(SOURCE_ROOT) + "/docs/run-directory.md");
  std::map<std::string, std::string> examples;
  std::string heading;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) heading = line.substr(3);
    if (line == "```") inside = false;
    if (inside) examples[heading] += line + "\n";
    if (line == "```json") inside = true;
  }
  return examples;
}

Json Example(const std::string& heading) {
  const auto json = ParseJson(Examples()[heading]);
  EXPECT_TRUE(json) << heading << ": " << json.error().message;
  return json.value_or(Json());
}

// Every member of `smaller` is in `larger` with the same value; lists agree element by element.
void ExpectContains(const Json& larger, const Json& smaller, const std::string& at) {
  if (const auto* object = smaller.AsObject()) {
    for (const auto& [key, value] : *object) ExpectContains(larger[key], value, at + "." + key);
  } else if (const auto* array = smaller.AsArray()) {
    ASSERT_TRUE(larger.IsArray() && larger.AsArray()->size() == array->size()) << at;
    for (size_t i = 0; i < array->size(); ++i) ExpectContains((*larger.AsArray())[i], (*array)[i], at + "[]");
  } else if (!(smaller.IsString() && smaller.AsString()->empty())) {
    EXPECT_EQ(larger, smaller) << at;
  }
}

TEST(ContractTest, EveryExampleIsJson) {
  EXPECT_EQ(Examples().size(), 12u);
  for (const auto& [heading, text] : Examples()) EXPECT_TRUE(ParseJson(text)) << heading;
}

TEST(ContractTest, CandidatesReadBack) {
  const Json example = Example("artifacts/raw_candidates.json");
  ASSERT_TRUE(CheckSchema(example, "raw-candidates"));
  for (const Json& entry : example.ArrayOf("candidates")) {
    const auto candidate = CandidateFromJson(entry);
    ASSERT_TRUE(candidate) << candidate.error().message;
    ExpectContains(ToJson(*candidate), entry, candidate->id.Text());
  }
}

TEST(ContractTest, HistoryUsedNamesCandidates) {
  const Json example = Example("artifacts/history_used.json");
  ASSERT_TRUE(CheckSchema(example, "history-used"));
  for (const char* list : {"already_processed", "reused_details"}) {
    ASSERT_EQ(example.ArrayOf(list).size(), 1u) << list;
    EXPECT_TRUE(CandidateId::Parse(example.ArrayOf(list)[0].StringOr("id"))) << list;
    EXPECT_TRUE(Window::Named(example.ArrayOf(list)[0].StringOr("window"))) << list;
  }
  EXPECT_TRUE(BucketNamed(example.ArrayOf("already_processed")[0].StringOr("bucket")));
}

template <typename T>
void ExpectReadBack(const std::string& heading, Result<T> (*from_json)(const Json&)) {
  const Json example = Example(heading);
  const auto value = from_json(example);
  ASSERT_TRUE(value) << heading << ": " << value.error().message;
  ExpectContains(ToJson(*value), example, heading);
}

TEST(ContractTest, DetailsReadBack) { ExpectReadBack("artifacts/details/\\<id\\>.json", DetailsFromJson); }
TEST(ContractTest, LedgerRowReadsBack) { ExpectReadBack("artifacts/candidate_ledger.jsonl", LedgerRowFromJson); }
TEST(ContractTest, CompositionReadsBack) { ExpectReadBack("artifacts/compositions/\\<id\\>.json", CompositionFromJson); }
TEST(ContractTest, EvidenceReadsBack) { ExpectReadBack("artifacts/evidence/\\<id\\>.json", EvidenceFromJson); }

}  // namespace
}  // namespace xpu_align
