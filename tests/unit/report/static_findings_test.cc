#include <gtest/gtest.h>

#include "report/sections.h"

namespace xpu_align {
namespace {

TEST(StaticFindingsTest, NoFileNoSection) {
  EXPECT_EQ(StaticFindings({}), "");
  ReportInput input;
  input.facts_touched = *ParseJson(R"({"candidates":[{"id":"pr-1","facts":[]}],"drift":[],"gaps":[]})");
  EXPECT_EQ(StaticFindings(input), "");
}

TEST(StaticFindingsTest, EachPartIsATable) {
  ReportInput input;
  input.facts_touched = *ParseJson(R"j({
    "candidates": [{"id": "pr-1", "facts": [{"area": "streams", "fact": "F-1", "kind": "check", "subject": "A::f", "repo": "r", "path": "a.h", "lines": [4, 5]}]}],
    "drift": [{"area": "streams", "fact": "F-2", "state": "changed", "key": "const|k", "repo": "r", "path": "b.h", "lines": [7, 7]}],
    "gaps": [{"member": "Guard::record", "backend": "xpu", "base_state": "throws", "filled_by": ["cuda", "npu"],
              "look_at": {"repo": "r", "path": "c.h", "lines": [9, 9]}}]})j");
  const std::string section = StaticFindings(input);
  EXPECT_TRUE(section.starts_with("## Static findings\n")) << section;
  EXPECT_TRUE(section.contains("| `pr-1` | `streams/F-1` | check | `A::f` | `r:a.h:4` |")) << section;
  EXPECT_TRUE(section.contains("| changed | `streams/F-2` | `const/k` | `r:b.h:7` |")) << section;
  EXPECT_TRUE(section.contains("| `Guard::record` | throws | cuda, npu | `r:c.h:9` |")) << section;
}

TEST(StaticFindingsTest, HostileTextStaysInItsCell) {
  ReportInput input;
  input.facts_touched = *ParseJson(R"j({"candidates": [{"id": "pr-1", "facts": [
    {"area": "a", "fact": "F-1", "kind": "<b>", "subject": "x` | y\n## Final Summary", "path": "p", "lines": [1, 1]}]}]})j");
  const std::string section = StaticFindings(input);
  EXPECT_FALSE(section.contains("\n## Final")) << section;
  EXPECT_FALSE(section.contains("<b>")) << section;
}

TEST(StaticFindingsTest, LongListsAreCut) {
  ReportInput input;
  Json gaps = Json::EmptyArray();
  for (int i = 0; i < 25; ++i) gaps.Append(Json().Set("member", "m" + std::to_string(i)));
  input.facts_touched.Set("gaps", std::move(gaps));
  const std::string section = StaticFindings(input);
  EXPECT_TRUE(section.contains("5 more are in artifacts/facts_touched.json")) << section;
  EXPECT_FALSE(section.contains("`m20`"));
}

}  // namespace
}  // namespace xpu_align
